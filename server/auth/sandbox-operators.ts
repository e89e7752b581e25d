import { strict as assert } from "node:assert";
import { inArray } from "drizzle-orm";
import { ROLES, type Role } from "#shared/roles.ts";
import type { Db } from "../db/client.ts";
import { installation } from "../db/schema/installation.ts";
import { account, user } from "../db/schema/sign-in.ts";
import { addPassword, hashPassword } from "./passwords.ts";

/** Public knowledge: printed at each start, offered on the sign-in page, and refused outside the sandbox. */
const PASSWORD = "einmal-sandbox";

export const SANDBOX_SIGN_INS = ROLES.map((role) => ({
  email: `${role}@example.test`,
  password: PASSWORD,
  role,
}));

const NAMES = { support: "Sam Support", ops: "Olga Ops", finance: "Finn Finance", admin: "Ada Admin" };

/** A fixed id, so that audit entries name the same person after the database was emptied. */
const idOf = (role: Role) => `sandbox-${role}`;
const IDS = ROLES.map(idOf);

/**
 * Makes the sandbox's four operators, one per role; those that exist stay as they are. Refuses in any other mode,
 * where a known password would be an open door.
 */
export async function ensureSandboxOperators(db: Db): Promise<void> {
  const [installed] = await db.select({ mode: installation.mode }).from(installation);
  assert(installed?.mode === "sandbox", "Bug! Sandbox operators exist in the sandbox only.");
  const joined = await db
    .select({ userId: account.userId })
    .from(account)
    .where(inArray(account.userId, IDS));
  // Hashing takes long on purpose; most starts find all four.
  if (joined.length === IDS.length) return;
  const passwordHash = await hashPassword(PASSWORD);
  await db.transaction(async (tx) => {
    for (const { email, role } of SANDBOX_SIGN_INS) {
      const userId = idOf(role);
      const name = NAMES[role];
      await tx.insert(user).values({ id: userId, email, name, role }).onConflictDoNothing();
      await addPassword(tx, { userId, name, passwordHash });
    }
  });
}
