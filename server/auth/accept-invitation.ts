import { eq } from "drizzle-orm";
import type { Role } from "#shared/roles.ts";
import { appendAudit } from "../audit/append.ts";
import type { Db, Tx } from "../db/client.ts";
import { constraintOf } from "../db/errors.ts";
import { user } from "../db/schema/sign-in.ts";
import { toStorable } from "../db/storable-text.ts";
import { DomainError } from "../errors.ts";
import { findOpenInvitation, lockOpenInvitation, markUsed } from "./invitations.ts";
import { addPassword, hashPassword, newId } from "./passwords.ts";

export interface Acceptance {
  token: string;
  name: string;
  /** Only the first admin types one. */
  email?: string | undefined;
  password: string;
}

/** What a one-time link is for. Throws DomainError `invitation_invalid` if it opens nothing (any more). */
export async function readInvitation(db: Db, token: string): Promise<{ email: string | null; role: Role }> {
  const invitation = await findOpenInvitation(db, token);
  if (!invitation) throw new DomainError("invitation_invalid");
  return { email: invitation.email, role: invitation.role };
}

/**
 * Uses a one-time link: gives the operator name and password, and marks the link used, all or nothing. Of several
 * uses at once one succeeds; the others throw DomainError
 * `invitation_invalid`. Returns the address to sign in with.
 */
export async function acceptInvitation(db: Db, acceptance: Acceptance): Promise<{ email: string }> {
  // Hashing costs time on purpose: not for tokens that open nothing, and not under a lock.
  const found = await findOpenInvitation(db, acceptance.token);
  if (!found) throw new DomainError("invitation_invalid");
  const passwordHash = await hashPassword(acceptance.password);
  try {
    return await db.transaction(async (tx) => {
      // The operator before the invitation, as reissueInvitation does: the other way round they would deadlock.
      if (found.userId !== null) {
        await tx.select({ id: user.id }).from(user).where(eq(user.id, found.userId)).for("update");
      }
      const invitation = await lockOpenInvitation(tx, found.tokenHash);
      if (!invitation) throw new DomainError("invitation_invalid");
      const { userId, email } =
        invitation.userId === null || invitation.email === null
          ? await makeFirstAdmin(tx, acceptance)
          : { userId: invitation.userId, email: invitation.email };
      if (!(await addPassword(tx, { userId, name: toStorable(acceptance.name), passwordHash })))
        throw new DomainError("invitation_invalid");
      await markUsed(tx, invitation.tokenHash, userId);
      await appendAudit(tx, {
        actor: { id: userId, role: invitation.role },
        action: "operator.join",
        target: { kind: "operator", id: userId },
        result: "done",
        refusalCode: null,
        reason: null,
        before: null,
        after: { role: invitation.role, isFirst: invitation.userId === null },
        requestId: null,
      });
      return { email };
    });
  } catch (error) {
    if (constraintOf(error) === "one_operator_per_email") throw new DomainError("operator_exists");
    throw error;
  }
}

async function makeFirstAdmin(
  tx: Tx,
  { email, name }: Acceptance,
): Promise<{ userId: string; email: string }> {
  // Somebody became an operator by another way since: the desk has its admin, and this link must not make another.
  const others = await tx.select({ id: user.id }).from(user).limit(1);
  if (others.length > 0 || email === undefined) throw new DomainError("invitation_invalid");
  const userId = newId();
  await tx.insert(user).values({ id: userId, email, name: toStorable(name), role: "admin" });
  return { userId, email };
}
