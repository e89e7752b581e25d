import type { EventPhase, EventStatus } from "#shared/event-status.ts";

/**
 * The claim rules: everything that may start work on an event asks decideClaim(), and the SQL that carries the
 * answer out (accept, take, rearm) names the state it leaves in its WHERE. rules.pg.test.ts runs the two against
 * each other over every row and trigger. docs/state-machine.md draws them.
 */
export type ClaimTrigger = "delivery" | "twin" | "worker" | "replay" | "backfill";

/** What the rules look at in a row of processed_stripe_events. */
export interface ClaimRow {
  status: EventStatus;
  /** True for a `recorded` event that this version handles and whose account it serves. */
  isRecordedButHandled: boolean;
  /** True for an event that was settled as not ours: a price or metadata mended since may make it ours. */
  isNotOurs: boolean;
  /** Null for infinity: taken under manual takeover and not offered since. */
  dueAt: Date | null;
  claimToken: string | null;
  claimedBy: string | null;
  leaseUntil: Date | null;
  failures: number;
  rearmedAt: Date | null;
}

export interface ClaimContext {
  /** The database's clock. */
  now: Date;
  attemptsMax: number;
}

export type ClaimDecision =
  /** No row yet: insert it. */
  | { act: "claim" }
  /** Note the delivery, then perhaps bring the event on. */
  | { act: "note"; verdict: "redelivery" | "twin"; then: "nothing" | "offer" | "rearm" }
  /** A worker may start an attempt; `takesOver` when another worker's lease has ended. */
  | { act: "take"; takesOver: boolean }
  /** The lease ended once too often: no further attempt, a person must look. */
  | { act: "bury" }
  /** Not for this trigger, or not yet. */
  | { act: "leave" }
  /** Make it due now. */
  | { act: "offer"; takesOver: boolean }
  /** Bring it back from dead. */
  | { act: "rearm" }
  /** Somebody is at it. */
  | { act: "refuse"; heldBy: string; until: Date }
  /** It is done: nothing would change. */
  | { act: "nothing" };

/** A person's Resend brings a dead event back for one attempt, but not more often than this. */
export const REARM_INTERVAL_SECONDS = 3600;

export function decideClaim(
  row: ClaimRow | null,
  trigger: ClaimTrigger,
  context: ClaimContext,
): ClaimDecision {
  if (row === null) {
    return trigger === "delivery" || trigger === "backfill" ? { act: "claim" } : { act: "leave" };
  }
  switch (trigger) {
    case "backfill":
      return { act: "note", verdict: "redelivery", then: "nothing" };
    case "delivery":
      return { act: "note", verdict: "redelivery", then: afterDelivery(row, context) };
    case "twin":
      return { act: "note", verdict: "twin", then: afterDelivery(row, context) };
    case "worker":
      return forWorker(row, context);
    case "replay":
      return forReplay(row, context);
  }
}

/** The phase of a row at an instant: the pure twin of phase.ts, which says the same in SQL. */
export function phaseOf(
  row: Pick<ClaimRow, "status" | "claimToken" | "leaseUntil" | "dueAt">,
  now: Date,
): EventPhase {
  if (row.status !== "processing") return row.status;
  if (row.claimToken === null) return isDue(row, now) ? "queued" : "retrying";
  return row.leaseUntil !== null && row.leaseUntil > now ? "held" : "stale";
}

function afterDelivery(row: ClaimRow, { now }: ClaimContext): "nothing" | "offer" | "rearm" {
  switch (phaseOf(row, now)) {
    case "stale":
      return "offer";
    case "dead":
      return wasRearmedLately(row, now) ? "nothing" : "rearm";
    case "processed":
      return row.isRecordedButHandled ? "offer" : "nothing";
    case "queued":
    case "held":
    case "retrying":
      return "nothing";
  }
}

function forWorker(row: ClaimRow, { now, attemptsMax }: ClaimContext): ClaimDecision {
  switch (phaseOf(row, now)) {
    case "queued":
      return { act: "take", takesOver: false };
    case "stale":
      if (!isDue(row, now)) return { act: "leave" };
      return isExhausted(row, attemptsMax) ? { act: "bury" } : { act: "take", takesOver: true };
    case "processed":
      return row.isRecordedButHandled ? { act: "take", takesOver: false } : { act: "leave" };
    case "held":
    case "retrying":
    case "dead":
      return { act: "leave" };
  }
}

function forReplay(row: ClaimRow, { now }: ClaimContext): ClaimDecision {
  switch (phaseOf(row, now)) {
    case "queued":
    case "retrying":
      return { act: "offer", takesOver: false };
    case "stale":
      return { act: "offer", takesOver: true };
    case "held":
      if (row.claimedBy === null || row.leaseUntil === null)
        throw new Error("Bug! A held event without a holder.");
      return { act: "refuse", heldBy: row.claimedBy, until: row.leaseUntil };
    case "dead":
      return { act: "rearm" };
    case "processed":
      // Only a person can know that it is ours after all. Nothing was granted by it, so nothing can be granted twice.
      return row.isRecordedButHandled || row.isNotOurs
        ? { act: "offer", takesOver: false }
        : { act: "nothing" };
  }
}

/**
 * A lost lease counts as a failure, and an event that a Resend brought back has one attempt only. Without this
 * an event that kills its process would be taken for ever.
 */
function isExhausted(row: ClaimRow, attemptsMax: number): boolean {
  return row.failures + 1 >= attemptsMax || row.rearmedAt !== null;
}

function isDue(row: Pick<ClaimRow, "dueAt">, now: Date): boolean {
  return row.dueAt !== null && row.dueAt <= now;
}

function wasRearmedLately(row: ClaimRow, now: Date): boolean {
  return row.rearmedAt !== null && now.getTime() - row.rearmedAt.getTime() < REARM_INTERVAL_SECONDS * 1000;
}
