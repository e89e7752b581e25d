import { strict as assert } from "node:assert";
import { and, asc, inArray, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { eventAttempts } from "../db/schema/event-attempts.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { HANDLED_TYPES, type HandledType } from "./event-types.ts";

export const TAKE_BATCH_MAX = 200;

/** A worker's exclusive right to one event, until its lease ends. The token proves it is still held. */
export interface Claim {
  eventId: string;
  eventType: HandledType;
  objectId: string;
  account: string;
  /** What the payload said at receipt: a hint where to look first, never the truth. */
  orderIdHint: string | null;
  attempt: number;
  failures: number;
  token: string;
  worker: string;
}

export interface TakeOptions {
  worker: string;
  leaseSeconds: number;
  /** Under `manual`, a lost lease waits until a person or a delivery offers the event. */
  takeover: "automatic" | "manual";
}

/**
 * Takes up to `batchSize` of the longest-due events that nobody held before, and returns what this worker
 * now holds. An event whose lease was lost is left to takeLostEvent().
 *
 * The token fences the claim: settling requires it, so a worker that stalls past its lease cannot settle an
 * event somebody else has since taken. Times come from PostgreSQL, because two workers' clocks disagree and
 * the database's does not. Types this version has no handler for stay for a process that has.
 */
export async function takeDueEvents(db: Db, options: TakeOptions & { batchSize: number }): Promise<Claim[]> {
  assert(options.batchSize >= 1 && options.batchSize <= TAKE_BATCH_MAX);
  return await take(db, options, { limit: options.batchSize, condition: isNull(events.claimToken) });
}

/**
 * Takes over one event whose holder never reported back, closing the attempt it left open. One at a time, to
 * be run alone: if the event is what killed the process, it must not bury the batch it came with again.
 * An event that lost its lease as often as is allowed is settled as dead instead.
 */
export async function takeLostEvent(
  db: Db,
  options: TakeOptions & { attemptsMax: number },
): Promise<{ claim: Claim | null; buriedEventId: string | null }> {
  const [buried] = await buryLostEvent(db, options.attemptsMax);
  if (buried) return { claim: null, buriedEventId: buried.eventId };
  const [claim] = await take(db, options, { limit: 1, condition: isNotNull(events.claimToken) });
  return { claim: claim ?? null, buriedEventId: null };
}

/** Is there an event to take over? Cheap: the index holds only what is unfinished. */
export async function hasLostEvent(db: Db): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(events)
    .where(and(isDueNow(), isNotNull(events.claimToken)))
    .limit(1);
  return rows.length > 0;
}

/** Due, and no lease is running: while a lease runs, due_at is its end (or infinity). */
function isDueNow() {
  return and(sql`${events.status} = 'processing'`, lte(events.dueAt, sql`now()`), isHandled());
}

function isHandled() {
  return inArray(events.eventType, [...HANDLED_TYPES]);
}

async function take(
  db: Db,
  options: TakeOptions,
  which: { limit: number; condition: SQL },
): Promise<Claim[]> {
  assert(options.leaseSeconds > 0);
  const leaseEnd = sql`now() + make_interval(secs => ${options.leaseSeconds})`;

  // A CTE rather than `id in (subquery)`: the planner may run a subquery more than once and lock more rows than
  // its limit. A locking CTE runs once.
  const due = db
    .$with("due")
    .as(
      db
        .select({ eventId: events.eventId })
        .from(events)
        .where(and(isDueNow(), which.condition))
        .orderBy(asc(events.dueAt), asc(events.eventId))
        .limit(which.limit)
        .for("update", { skipLocked: true }),
    );
  const taken = db.$with("taken").as(
    db
      .update(events)
      .set({
        attempt: sql`${events.attempt} + 1`,
        // A lost lease is a failure: the process most likely died in the handler. SET reads the old row.
        failures: sql`${events.failures} + (${events.claimToken} is not null)::int`,
        claimToken: sql`gen_random_uuid()`,
        claimedBy: options.worker,
        leaseUntil: leaseEnd,
        // A held row is due again when its lease ends: a takeover is an ordinary take.
        dueAt: options.takeover === "manual" ? sql`'infinity'` : leaseEnd,
      })
      .from(due)
      .where(sql`${events.eventId} = ${due.eventId}`)
      .returning({
        eventId: events.eventId,
        eventType: events.eventType,
        objectId: events.objectId,
        account: events.account,
        orderIdHint: events.orderId,
        attempt: events.attempt,
        failures: events.failures,
        token: sql<string>`${events.claimToken}`.as("token"),
      }),
  );
  // The attempt before, if it never reported back, is closed by this take. No row matches for a fresh event.
  const closed = db.$with("closed").as(
    db
      .update(eventAttempts)
      .set({ endedAt: sql`now()`, result: "lost", errorCode: "worker_lost" })
      .from(taken)
      .where(sql`${eventAttempts.eventId} = ${taken.eventId} and ${eventAttempts.attempt} = ${taken.attempt} - 1
        and ${eventAttempts.endedAt} is null`)
      .returning({ eventId: eventAttempts.eventId }),
  );
  const opened = db.$with("opened", { eventId: eventAttempts.eventId }).as(
    sql`insert into ${eventAttempts} (event_id, attempt, worker, claim_token)
      select event_id, attempt, ${options.worker}, token from ${taken} returning event_id`,
  );
  const rows = await db.with(due, taken, closed, opened).select().from(taken);
  return rows.map((row) => ({ ...row, eventType: row.eventType as HandledType, worker: options.worker }));
}

async function buryLostEvent(db: Db, attemptsMax: number): Promise<{ eventId: string }[]> {
  const lost = db.$with("lost").as(
    db
      .select({ eventId: events.eventId, attempt: events.attempt })
      .from(events)
      .where(
        and(
          isDueNow(),
          isNotNull(events.claimToken),
          sql`(${events.failures} + 1 >= ${attemptsMax} or ${events.rearmedAt} is not null)`,
        ),
      )
      .orderBy(asc(events.dueAt), asc(events.eventId))
      .limit(1)
      .for("update", { skipLocked: true }),
  );
  const closed = db.$with("closed").as(
    db
      .update(eventAttempts)
      .set({ endedAt: sql`now()`, result: "lost", errorCode: "worker_lost" })
      .from(lost)
      .where(sql`${eventAttempts.eventId} = ${lost.eventId} and ${eventAttempts.attempt} = ${lost.attempt}
        and ${eventAttempts.endedAt} is null`)
      .returning({ eventId: eventAttempts.eventId }),
  );
  return await db
    .with(lost, closed)
    .update(events)
    .set({
      status: "dead",
      failures: sql`${events.failures} + 1`,
      claimToken: null,
      claimedBy: null,
      leaseUntil: null,
      dueAt: sql`now()`,
      lastErrorCode: "worker_lost",
      lastError: sql`'No worker reported back in attempt ' || ${events.attempt} || '.'`,
    })
    .from(lost)
    .where(sql`${events.eventId} = ${lost.eventId}`)
    .returning({ eventId: events.eventId });
}
