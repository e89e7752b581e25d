import { and, eq, sql } from "drizzle-orm";
import type { PermanentCode, SettledOutcome, TransientCode } from "#shared/outcomes.ts";
import type { Db, Tx } from "../db/client.ts";
import { eventAttempts } from "../db/schema/event-attempts.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { toStorable } from "../db/storable-text.ts";
import { failPoint } from "../fail-points.ts";
import type { Claim } from "./take.ts";

/** Longest error text kept. Stripe's messages are shorter; a stack or a body must never get in here whole. */
const ERROR_LENGTH_MAX = 1000;

/** The columns that end a claim, whichever way it ends. */
const RELEASED = { claimToken: null, claimedBy: null, leaseUntil: null } as const;

export interface Failure {
  code: TransientCode | PermanentCode;
  message: string;
}

/**
 * Settles an event as processed. False if the claim was lost: then nothing was changed, and the caller must
 * roll back whatever else it wrote.
 */
export async function settleProcessed(
  tx: Tx,
  claim: Claim,
  end: { outcome: SettledOutcome; orderId: string | null },
): Promise<boolean> {
  const held = await tx
    .update(events)
    .set({
      ...RELEASED,
      status: "processed",
      outcome: end.outcome,
      lastErrorCode: null,
      lastError: null,
      processedAt: sql`now()`,
      rearmedAt: null,
      orderId: end.orderId,
    })
    .where(isStillHeld(claim))
    .returning({ eventId: events.eventId });
  if (held.length === 0) return false;
  await closeAttempt(tx, claim, { result: "processed" });
  return true;
}

/** Settles an event as dead: it waits for a person. False if the claim was lost. */
export async function settleDead(
  tx: Tx,
  claim: Claim,
  end: Failure & { orderId: string | null },
): Promise<boolean> {
  const held = await tx
    .update(events)
    .set({
      ...RELEASED,
      status: "dead",
      failures: sql`${events.failures} + 1`,
      lastErrorCode: end.code,
      lastError: shortened(end.message),
      dueAt: sql`now()`,
      // Kept when an order was found: support looks for the order, not for the event.
      orderId: sql`coalesce(${end.orderId}, ${events.orderId})`,
    })
    .where(isStillHeld(claim))
    .returning({ eventId: events.eventId });
  if (held.length === 0) return false;
  await closeAttempt(tx, claim, { result: "dead", errorCode: end.code, error: shortened(end.message) });
  return true;
}

/**
 * Ends a failed attempt: the event waits `delaySeconds` for its next retry, or is dead if this was its last try
 * (its failures reach `attemptsMax`, or a Resend had brought it back for one attempt). A failure that does not
 * count, such as a rate limit, never kills. Returns which it was, or `lost` if the claim was.
 */
export async function settleFailed(
  db: Db,
  claim: Claim,
  end: Failure & { delaySeconds: number; counts: boolean; attemptsMax: number },
): Promise<"retry" | "dead" | "lost"> {
  // The row is ours until the token changes, so reading it and deciding in one UPDATE cannot race.
  const isLastTry = sql`(${end.counts} and (${events.failures} + 1 >= ${end.attemptsMax} or ${events.rearmedAt} is not null))`;
  return await db.transaction(async (tx) => {
    const [row] = await tx
      .update(events)
      .set({
        ...RELEASED,
        status: sql`case when ${isLastTry} then 'dead' else 'processing' end`,
        failures: sql`${events.failures} + ${end.counts ? 1 : 0}`,
        lastErrorCode: end.code,
        lastError: shortened(end.message),
        dueAt: sql`now() + make_interval(secs => ${end.delaySeconds})`,
      })
      .where(isStillHeld(claim))
      .returning({ status: events.status });
    if (!row) return "lost";
    const result = row.status === "dead" ? "dead" : "retry";
    await closeAttempt(tx, claim, { result, errorCode: end.code, error: shortened(end.message) });
    failPoint("attempt.before_failure_commit");
    return result;
  });
}

/** Gives an event back that was taken but not started: it is due at once and nothing counts against it. */
export async function giveBack(db: Db, claim: Claim): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const held = await tx
      .update(events)
      .set({ ...RELEASED, dueAt: sql`now()` })
      .where(isStillHeld(claim))
      .returning({ eventId: events.eventId });
    if (held.length === 0) return false;
    await closeAttempt(tx, claim, { result: "given_back" });
    return true;
  });
}

/**
 * Leaves a claim as a worker does that died under manual takeover: its lease ends in so many seconds and nobody takes
 * the event over until it is offered. For the sandbox, which shows what that looks like.
 */
export async function abandonClaim(db: Db, claim: Claim, { seconds }: { seconds: number }): Promise<void> {
  await db
    .update(events)
    .set({ leaseUntil: sql`now() + make_interval(secs => ${seconds})`, dueAt: sql`'infinity'` })
    .where(isStillHeld(claim));
}

/** Leaves a mark on the attempt of a worker that tried to write after its lease was lost, for the desk to show. */
export async function noteRefusedWrite(db: Db, claim: Claim): Promise<void> {
  await db
    .update(eventAttempts)
    .set({ refusedAt: sql`now()` })
    .where(and(eq(eventAttempts.eventId, claim.eventId), eq(eventAttempts.attempt, claim.attempt)));
}

/** The fence: the status it leaves, and the token that only the present holder knows. */
function isStillHeld(claim: Claim) {
  return and(
    eq(events.eventId, claim.eventId),
    eq(events.status, "processing"),
    eq(events.claimToken, claim.token),
  );
}

async function closeAttempt(
  tx: Tx,
  claim: Claim,
  end: { result: "processed" | "retry" | "dead" | "given_back"; errorCode?: string; error?: string },
): Promise<void> {
  await tx
    .update(eventAttempts)
    .set({
      endedAt: sql`clock_timestamp()`,
      result: end.result,
      errorCode: end.errorCode ?? null,
      error: end.error ?? null,
    })
    .where(and(eq(eventAttempts.eventId, claim.eventId), eq(eventAttempts.attempt, claim.attempt)));
}

/** PostgreSQL's text refuses NUL, and an error that cannot be stored would hide the one that happened. */
function shortened(message: string): string {
  return toStorable(message).slice(0, ERROR_LENGTH_MAX);
}
