import { eq, sql } from "drizzle-orm";
import { hasPermission, type Role } from "#shared/roles.ts";
import { appendAudit, recordRefusal } from "../audit/append.ts";
import type { Db } from "../db/client.ts";
import { constraintOf } from "../db/errors.ts";
import { account, user } from "../db/schema/sign-in.ts";
import { toStorable } from "../db/storable-text.ts";
import { DomainError } from "../errors.ts";
import { type IssuedLink, issueLink } from "./invitations.ts";
import { hasOperators, type Operator } from "./operators.ts";
import { newId } from "./passwords.ts";

/** Any number that nothing else in this database locks. */
const FIRST_ADMIN_LOCK = 4_242_004;

interface By {
  by: Operator;
  deskUrl: string;
}

/**
 * Makes an operator with a role, and the one-time link by which they choose a password. Throws DomainError
 * `operator_exists` or `role_not_allowed`; the latter is in the audit chain.
 */
export async function inviteOperator(
  db: Db,
  { email, name, role, by, deskUrl }: { email: string; name: string; role: Role } & By,
): Promise<IssuedLink> {
  const userId = newId();
  const act = { action: "operator.invite", target: { kind: "operator", id: userId }, after: { role } };
  await checkMayManage(db, by, act);
  try {
    return await db.transaction(async (tx) => {
      await tx.insert(user).values({ id: userId, email, name: toStorable(name), role });
      const issued = await issueLink(tx, { userId, deskUrl });
      await appendAudit(tx, { ...doneBy(by), ...act });
      return issued;
    });
  } catch (error) {
    if (constraintOf(error) === "one_operator_per_email") throw new DomainError("operator_exists");
    throw error;
  }
}

/**
 * A new one-time link for an operator who has not used theirs; the old one stops working. Throws DomainError
 * `operator_unknown`, `operator_signed_up` or `role_not_allowed`.
 */
export async function reissueInvitation(
  db: Db,
  { operatorId, by, deskUrl }: { operatorId: string } & By,
): Promise<IssuedLink> {
  const act = {
    action: "operator.reissue_invitation",
    target: { kind: "operator", id: operatorId },
    after: null,
  };
  await checkMayManage(db, by, act);
  return await db.transaction(async (tx) => {
    const [operator] = await tx
      .select({ id: user.id })
      .from(user)
      .where(eq(user.id, operatorId))
      .for("update");
    if (!operator) throw new DomainError("operator_unknown");
    const accounts = await tx.select({ id: account.id }).from(account).where(eq(account.userId, operatorId));
    if (accounts.length > 0) throw new DomainError("operator_signed_up");
    const issued = await issueLink(tx, { userId: operatorId, deskUrl });
    await appendAudit(tx, { ...doneBy(by), ...act });
    return issued;
  });
}

/**
 * A one-time link that creates the first admin, or null if there is an operator already. Called at each start of a
 * web process; the link of an earlier start stops working.
 */
export async function issueFirstAdminLink(db: Db, deskUrl: string): Promise<string | null> {
  if (await hasOperators(db)) return null;
  const { link } = await db.transaction(async (tx) => {
    // Of several web processes that start at once the last one's link counts; without the lock all but one would fail.
    await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_ADMIN_LOCK})`);
    return await issueLink(tx, { userId: null, deskUrl });
  });
  return link;
}

async function checkMayManage(
  db: Db,
  by: Operator,
  act: { action: string; target: { kind: string; id: string }; after: Record<string, unknown> | null },
): Promise<void> {
  if (hasPermission(by.role, "manage_operators")) return;
  await recordRefusal(db, {
    actor: by,
    refusalCode: "role_not_allowed",
    reason: null,
    before: null,
    requestId: null,
    ...act,
  });
  throw new DomainError("role_not_allowed");
}

function doneBy({ id, role }: Operator) {
  const nothing = { refusalCode: null, reason: null, before: null, requestId: null };
  return { actor: { id, role }, result: "done" as const, ...nothing };
}
