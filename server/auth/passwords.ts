import { randomBytes } from "node:crypto";
import { hashPassword } from "better-auth/crypto";
import { eq, sql } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { account, user } from "../db/schema/sign-in.ts";

/** A new id for a row of the sign-in tables. */
export function newId(): string {
  return randomBytes(16).toString("hex");
}

/** Hashes as sign-in will compare. Slow on purpose: never call it with a lock held. */
export { hashPassword };

/** Gives an operator a password and so lets them sign in. False if they had one: then nothing was changed. */
export async function addPassword(
  tx: Tx,
  { userId, name, passwordHash }: { userId: string; name: string; passwordHash: string },
): Promise<boolean> {
  const added = await tx
    .insert(account)
    .values({ id: newId(), accountId: userId, providerId: "credential", userId, password: passwordHash })
    .onConflictDoNothing()
    .returning({ id: account.id });
  if (added.length === 0) return false;
  await tx.update(user).set({ name, updatedAt: sql`now()` }).where(eq(user.id, userId));
  return true;
}
