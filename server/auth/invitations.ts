import { createHash, randomBytes } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Role } from "#shared/roles.ts";
import type { Db, Tx } from "../db/client.ts";
import { operatorInvitations as invitations, user } from "../db/schema/sign-in.ts";

/** How long a one-time link may be used: long enough for a weekend, too short to lie around in a mailbox. */
const INVITATION_HOURS = 72;

/** A link that is shown once. Only its hash is kept, so nobody can show it again. */
export interface IssuedLink {
  link: string;
  expiresAt: Date;
}

export interface OpenInvitation {
  tokenHash: Uint8Array;
  /** Null for the first admin, who is nobody yet. */
  userId: string | null;
  email: string | null;
  role: Role;
}

/** Makes the one link of an operator, or with `userId` null the one of the first admin. An older one stops working. */
export async function issueLink(
  tx: Tx,
  { userId, deskUrl }: { userId: string | null; deskUrl: string },
): Promise<IssuedLink> {
  const token = randomBytes(32).toString("base64url");
  const isOlder = userId === null ? isNull(invitations.userId) : eq(invitations.userId, userId);
  await tx.delete(invitations).where(and(isOlder, isNull(invitations.usedAt)));
  const [issued] = await tx
    .insert(invitations)
    .values({
      tokenHash: hashToken(token),
      userId,
      expiresAt: sql`now() + make_interval(hours => ${INVITATION_HOURS})`,
    })
    .returning({ expiresAt: invitations.expiresAt });
  if (!issued) throw new Error("Bug! An invitation was not written.");
  // In the fragment, which browsers keep to themselves: no server and no proxy on the way writes it into a log.
  return { link: `${deskUrl}/welcome#token=${token}`, expiresAt: issued.expiresAt };
}

/** The invitation that a token opens, or null if the token was used, has expired or was never issued. */
export async function findOpenInvitation(db: Db, token: string): Promise<OpenInvitation | null> {
  const [found] = await selectOpen(db, hashToken(token));
  return found ?? null;
}

/** The same under the row's lock: of two who use one link at once, the second finds it used. */
export async function lockOpenInvitation(tx: Tx, tokenHash: Uint8Array): Promise<OpenInvitation | null> {
  const [found] = await selectOpen(tx, tokenHash).for("update", { of: invitations });
  return found ?? null;
}

/** Uses a link up, in the transaction of what it is used for. */
export async function markUsed(tx: Tx, tokenHash: Uint8Array, userId: string): Promise<void> {
  await tx
    .update(invitations)
    .set({ usedAt: sql`now()`, userId })
    .where(eq(invitations.tokenHash, tokenHash));
}

function selectOpen(db: Db | Tx, tokenHash: Uint8Array) {
  return db
    .select({
      tokenHash: invitations.tokenHash,
      userId: invitations.userId,
      email: user.email,
      role: sql<Role>`coalesce(${user.role}, 'admin')`,
    })
    .from(invitations)
    .leftJoin(user, eq(user.id, invitations.userId))
    .where(
      and(
        eq(invitations.tokenHash, tokenHash),
        isNull(invitations.usedAt),
        sql`${invitations.expiresAt} > now()`,
      ),
    )
    .$dynamic();
}

function hashToken(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}
