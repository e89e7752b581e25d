import { and, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { isNotOurs, isRecordedButHandled } from "./claim-row.ts";
import { phaseIs } from "./phase.ts";
import { REARM_INTERVAL_SECONDS } from "./rules.ts";

/** What an offer sets: due now. For a recorded event it also undoes the settling, since it is to run after all. */
const OFFERED = { status: "processing", outcome: null, processedAt: null, dueAt: sql`now()` } as const;

interface OfferOptions {
  /** Connected accounts served here. */
  accounts: readonly string[];
}

/**
 * Brings on events that a delivery found stale, or recorded by a version that could not handle them.
 * Rows locked by somebody are skipped: a delivery never waits for a worker. Returns the ids offered.
 */
export async function offerByDelivery(
  db: Db | Tx,
  eventIds: readonly string[],
  { accounts }: OfferOptions,
): Promise<string[]> {
  if (eventIds.length === 0) return [];
  const free = lockFree(db, eventIds, or(phaseIs("stale"), isRecordedButHandled(accounts)));
  const rows = await db
    .with(free)
    .update(events)
    .set(OFFERED)
    .from(free)
    .where(eq(events.eventId, free.eventId))
    .returning({ eventId: events.eventId });
  return rows.map((row) => row.eventId);
}

/**
 * Brings dead events back for one attempt because somebody pressed Resend in Stripe: at most hourly, failures
 * kept, so that Stripe's own retries cannot keep a hopeless event busy. Returns the ids re-armed.
 */
export async function rearmByDelivery(db: Db | Tx, eventIds: readonly string[]): Promise<string[]> {
  if (eventIds.length === 0) return [];
  const notLately = or(
    isNull(events.rearmedAt),
    lt(events.rearmedAt, sql`now() - make_interval(secs => ${REARM_INTERVAL_SECONDS})`),
  );
  const free = lockFree(db, eventIds, and(phaseIs("dead"), notLately));
  const rows = await db
    .with(free)
    .update(events)
    .set({ status: "processing", dueAt: sql`now()`, rearmedAt: sql`now()` })
    .from(free)
    .where(eq(events.eventId, free.eventId))
    .returning({ eventId: events.eventId });
  return rows.map((row) => row.eventId);
}

/**
 * An operator's replay of an event that is queued, retrying, stale, recorded but handled now, or not ours: due at once.
 * A stale one has all its tries again, or a worker would bury at its last try what the operator was told it takes over.
 * The caller holds the row's lock and has asked decideClaim(). False if the row is in none of those states.
 */
export async function offerByOperator(tx: Tx, eventId: string, { accounts }: OfferOptions): Promise<boolean> {
  const offerable = or(
    phaseIs("queued"),
    phaseIs("retrying"),
    phaseIs("stale"),
    isRecordedButHandled(accounts),
    isNotOurs,
  );
  const isStale = sql`${events.claimToken} is not null`;
  const rows = await tx
    .update(events)
    .set({
      ...OFFERED,
      failures: sql`case when ${isStale} then 0 else ${events.failures} end`,
      rearmedAt: sql`case when ${isStale} then null else ${events.rearmedAt} end`,
    })
    .where(and(eq(events.eventId, eventId), offerable))
    .returning({ eventId: events.eventId });
  return rows.length === 1;
}

/** An operator's replay of a dead event: all its tries again. The caller holds the row's lock. */
export async function rearmByOperator(tx: Tx, eventId: string): Promise<boolean> {
  const rows = await tx
    .update(events)
    .set({ status: "processing", dueAt: sql`now()`, failures: 0, rearmedAt: null })
    .where(and(eq(events.eventId, eventId), phaseIs("dead")))
    .returning({ eventId: events.eventId });
  return rows.length === 1;
}

/**
 * Offers up to `limit` events that an earlier version recorded and this one handles, oldest first. Called by
 * the scheduler, so that an old web process in a rolling deploy loses nothing. Returns how many.
 */
export async function offerRecorded(db: Db, options: OfferOptions & { limit: number }): Promise<number> {
  const found = db
    .$with("found")
    .as(
      db
        .select({ eventId: events.eventId })
        .from(events)
        .where(isRecordedButHandled(options.accounts))
        .orderBy(events.eventType, events.eventId)
        .limit(options.limit)
        .for("update", { skipLocked: true }),
    );
  const rows = await db
    .with(found)
    .update(events)
    .set(OFFERED)
    .from(found)
    .where(eq(events.eventId, found.eventId))
    .returning({ eventId: events.eventId });
  return rows.length;
}

function lockFree(db: Db | Tx, eventIds: readonly string[], condition: ReturnType<typeof and>) {
  return db.$with("free").as(
    db
      .select({ eventId: events.eventId })
      .from(events)
      .where(and(inArray(events.eventId, [...eventIds]), condition))
      // Sorted by id, the lock order of all who lock several events.
      .orderBy(events.eventId)
      .for("update", { skipLocked: true }),
  );
}
