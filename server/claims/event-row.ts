import { sql } from "drizzle-orm";
import { isOutcomeCode, type OutcomeCode } from "#shared/outcomes.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { eventPhase } from "./phase.ts";

/** The columns that make an EventRow, for a select. */
export const eventRowColumns = {
  eventId: events.eventId,
  eventType: events.eventType,
  objectId: events.objectId,
  orderId: events.orderId,
  account: events.account,
  status: events.status,
  phase: eventPhase,
  createdAt: events.createdAt,
  processedAt: events.processedAt,
  attempt: events.attempt,
  failures: events.failures,
  claimedBy: events.claimedBy,
  // Of the few that are held, one look-up by primary key each. Written out, because Drizzle leaves table names away
  // in a select of one table, and then the subquery would compare event_attempts with itself.
  takenAt: sql<Date | null>`case when ${events.claimToken} is not null then (
    select taken.started_at from event_attempts as taken
    where taken.event_id = processed_stripe_events.event_id
      and taken.attempt = processed_stripe_events.attempt) end`.mapWith(events.createdAt),
  leaseUntil: events.leaseUntil,
  // JavaScript has no infinity among its dates.
  dueAt: sql<Date | null>`nullif(${events.dueAt}, 'infinity')`.mapWith(events.dueAt),
  outcome: sql<OutcomeCode | null>`${events.outcome}`.mapWith(knownCode),
  errorCode: sql<OutcomeCode | null>`${events.lastErrorCode}`.mapWith(knownCode),
  error: events.lastError,
};

/** A stored code as one of ours; null for one that this version does not know. */
export function knownCode(code: unknown): OutcomeCode | null {
  return typeof code === "string" && isOutcomeCode(code) ? code : null;
}
