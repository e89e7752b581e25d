import { inArray, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { HANDLED_TYPES } from "./event-types.ts";
import type { ClaimRow } from "./rules.ts";

/**
 * True for an event that an earlier version recorded and this one handles, in a connected account this
 * installation serves. An event of the wrong mode is never among them: it must not have an effect, ever.
 */
export function isRecordedButHandled(accounts: readonly string[]): SQL<boolean> {
  const served = accounts.length === 0 ? sql`false` : inArray(events.account, [...accounts]);
  return sql<boolean>`(${events.status} = 'processed' and ${events.outcome} = 'recorded'
    and ${inArray(events.eventType, [...HANDLED_TYPES])}
    and (${events.lastErrorCode} is null or (${events.lastErrorCode} = 'account_not_served' and ${served})))`;
}

/** True for an event that was settled as not ours. */
export const isNotOurs: SQL<boolean> = sql<boolean>`(${events.status} = 'processed' and ${events.outcome} = 'not_ours')`;

/** The columns that make a ClaimRow, for a select. `accounts` are the connected accounts served here. */
export function claimRowColumns(accounts: readonly string[]) {
  return {
    status: events.status,
    isRecordedButHandled: isRecordedButHandled(accounts),
    // Null while the event has no outcome.
    isNotOurs: sql<boolean>`coalesce(${isNotOurs}, false)`,
    dueAt: sql<Date | null>`nullif(${events.dueAt}, 'infinity')`.mapWith(events.dueAt),
    claimToken: events.claimToken,
    claimedBy: events.claimedBy,
    leaseUntil: events.leaseUntil,
    failures: events.failures,
    rearmedAt: events.rearmedAt,
  };
}

export interface EventClaimRow extends ClaimRow {
  eventId: string;
  attempt: number;
  orderId: string | null;
  now: Date;
}

/** Locks one event's row and returns what the rules look at, or null if it was never received. */
export async function lockClaimRow(
  tx: Tx,
  options: { eventId: string; accounts: readonly string[] },
): Promise<EventClaimRow | null> {
  const [row] = await selectClaimRow(tx, options.accounts)
    .where(sql`${events.eventId} = ${options.eventId}`)
    .for("update");
  return row ?? null;
}

/** Reads the same without a lock: for a forecast, which promises nothing. */
export async function readClaimRow(
  db: Db | Tx,
  options: { eventId: string; accounts: readonly string[] },
): Promise<EventClaimRow | null> {
  const [row] = await selectClaimRow(db, options.accounts).where(sql`${events.eventId} = ${options.eventId}`);
  return row ?? null;
}

function selectClaimRow(db: Db | Tx, accounts: readonly string[]) {
  return db
    .select({
      ...claimRowColumns(accounts),
      eventId: events.eventId,
      attempt: events.attempt,
      orderId: events.orderId,
      // clock_timestamp() and not now(): this may follow a wait for the row's lock, and the lease must be
      // judged at the instant of the decision.
      now: sql<Date>`clock_timestamp()`.mapWith(events.createdAt),
    })
    .from(events)
    .$dynamic();
}
