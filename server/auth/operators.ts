import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { OperatorView } from "#shared/desk-views.ts";
import type { Role } from "#shared/roles.ts";
import type { Db } from "../db/client.ts";
import { account, operatorInvitations, user } from "../db/schema/sign-in.ts";

/** Somebody who is signed in. */
export interface Operator {
  id: string;
  name: string;
  email: string;
  role: Role;
}

/** Everybody who may work on the desk, and who has been asked to: in the order in which they came. */
export async function listOperators(db: Db): Promise<OperatorView[]> {
  const canSignIn = and(
    eq(account.userId, user.id),
    eq(account.providerId, "credential"),
    isNotNull(account.password),
  );
  const isOpen = and(eq(operatorInvitations.userId, user.id), isNull(operatorInvitations.usedAt));
  return await db
    .select({
      id: user.id,
      name: user.name,
      email: user.email,
      role: user.role,
      createdAt: user.createdAt,
      hasSignedUp: sql<boolean>`${account.id} is not null`,
      invitationExpiresAt: operatorInvitations.expiresAt,
    })
    .from(user)
    .leftJoin(account, canSignIn)
    .leftJoin(operatorInvitations, isOpen)
    .orderBy(asc(user.createdAt), asc(user.id));
}

export async function hasOperators(db: Db): Promise<boolean> {
  const rows = await db.select({ id: user.id }).from(user).limit(1);
  return rows.length > 0;
}
