import { strict as assert } from "node:assert";
import { ROLES } from "#shared/roles.ts";
import type { Db } from "../db/client.ts";
import { installation } from "../db/schema/installation.ts";
import { user } from "../db/schema/sign-in.ts";
import { addPassword, hashPassword } from "./passwords.ts";

/** Public knowledge: printed at each start, offered on the sign-in page, and refused outside the sandbox. */
const PASSWORD = "einmal-sandbox";

export const SANDBOX_SIGN_INS = ROLES.map((role) => ({
  email: `${role}@example.test`,
  password: PASSWORD,
  role,
}));

const NAMES = { support: "Sam Support", ops: "Olga Ops", finance: "Finn Finance", admin: "Ada Admin" };

/**
 * Makes the sandbox's four operators, one per role; those that exist stay as they are. Refuses in any other mode,
 * where a known password would be an open door.
 */
export async function ensureSandboxOperators(db: Db): Promise<void> {
  const [installed] = await db.select({ mode: installation.mode }).from(installation);
  assert(installed?.mode === "sandbox", "Bug! Sandbox operators exist in the sandbox only.");
  const passwordHash = await hashPassword(PASSWORD);
  await db.transaction(async (tx) => {
    for (const { email, role } of SANDBOX_SIGN_INS) {
      // A fixed id, so that audit entries name the same person after the database was emptied.
      const userId = `sandbox-${role}`;
      const name = NAMES[role];
      await tx.insert(user).values({ id: userId, email, name, role }).onConflictDoNothing();
      await addPassword(tx, { userId, name, passwordHash });
    }
  });
}
