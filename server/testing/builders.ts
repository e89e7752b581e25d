import { sql } from "drizzle-orm";
import type { PgInsertValue } from "drizzle-orm/pg-core";
import { isOneShotType } from "../claims/event-types.ts";
import type { Db } from "../db/client.ts";
import { eventAttempts } from "../db/schema/event-attempts.ts";
import { eventDeliveries } from "../db/schema/event-deliveries.ts";
import { eventPayloads } from "../db/schema/event-payloads.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";

export type EventOverrides = Partial<PgInsertValue<typeof events>> & {
  /** How long ago it came in. */
  ageSeconds?: number;
  /** The bytes Stripe signed. */
  body?: string;
};

type Ending = "running" | "retry" | "dead" | "processed";

let made = 0;

/** A number that no other row of this process has, for ids. */
export function nextNumber(): string {
  made += 1;
  return made.toString().padStart(6, "0");
}

/** An event that just came in: due, and nobody holds it. Like all builders here it returns the id. */
export function queuedEvent(db: Db, overrides: EventOverrides = {}): Promise<string> {
  return received(db, overrides);
}

/** An event whose first attempt is running, at the worker `ada`, for another minute. */
export function heldEvent(db: Db, overrides: EventOverrides = {}): Promise<string> {
  return attempted(db, "running", { ...heldUntil(sql`now() + interval '1 minute'`), ...overrides });
}

/** An event whose worker was lost: its lease ended a minute ago and it never reported back. */
export function staleEvent(db: Db, overrides: EventOverrides = {}): Promise<string> {
  return attempted(db, "running", { ...heldUntil(sql`now() - interval '1 minute'`), ...overrides });
}

/** An event whose first attempt failed and which waits ten minutes for its second. */
export function retryingEvent(db: Db, overrides: EventOverrides = {}): Promise<string> {
  return attempted(db, "retry", {
    failures: 1,
    dueAt: sql`now() + interval '10 minutes'`,
    lastErrorCode: "stripe_unreachable",
    lastError: "The connection to Stripe was refused.",
    ...overrides,
  });
}

/** An event that waits for a person, because a price says nothing of credits. */
export function deadEvent(db: Db, overrides: EventOverrides = {}): Promise<string> {
  return attempted(db, "dead", {
    status: "dead",
    failures: 1,
    lastErrorCode: "price_without_credits",
    lastError: "No price of the order says how many credits it is worth.",
    ...overrides,
  });
}

/** An event that is done. What it brought about is for grantedOrder() to say. */
export function processedEvent(db: Db, overrides: EventOverrides = {}): Promise<string> {
  return attempted(db, "processed", {
    status: "processed",
    outcome: "fulfilled",
    processedAt: sql`now()`,
    ...overrides,
  });
}

/** An event of a type that nobody handles. */
export function recordedEvent(db: Db, overrides: EventOverrides = {}): Promise<string> {
  return received(db, {
    eventType: "customer.updated",
    objectId: `cus_${nextNumber()}`,
    status: "processed",
    outcome: "recorded",
    processedAt: sql`now()`,
    ...overrides,
  });
}

/** Notes a second event object for the action of `winnerEventId`. Returns the twin's id. */
export async function twinOf(db: Db, winnerEventId: string): Promise<string> {
  const eventId = `evt_${nextNumber()}twin`;
  await db.insert(eventDeliveries).values({ eventId, winnerEventId, verdict: "twin" });
  return eventId;
}

function heldUntil(leaseUntil: ReturnType<typeof sql>) {
  return { claimToken: sql`gen_random_uuid()`, claimedBy: "ada", leaseUntil, dueAt: leaseUntil };
}

async function received(db: Db, { ageSeconds = 0, body, ...columns }: EventOverrides): Promise<string> {
  const number = nextNumber();
  const eventType = columns.eventType ?? "checkout.session.completed";
  const createdAt = columns.createdAt ?? sql`now() - make_interval(secs => ${ageSeconds})`;
  const [event] = await db
    .insert(events)
    .values({
      eventId: `evt_${number}`,
      objectId: `cs_test_${number}`,
      once: typeof eventType === "string" && isOneShotType(eventType),
      livemode: false,
      apiVersion: "2026-11-18.dahlia",
      occurredAt: createdAt,
      ...columns,
      createdAt,
      eventType,
    })
    .returning({ eventId: events.eventId });
  if (!event) throw new Error("Bug! An event was not written.");
  const { eventId } = event;
  await db
    .insert(eventDeliveries)
    .values({ eventId, winnerEventId: eventId, verdict: "claimed", receivedAt: createdAt });
  if (body !== undefined) await db.insert(eventPayloads).values({ eventId, body: Buffer.from(body) });
  return eventId;
}

async function attempted(db: Db, ending: Ending, overrides: EventOverrides): Promise<string> {
  const eventId = await received(db, { attempt: 1, ...overrides });
  const isOver = ending !== "running";
  await db.insert(eventAttempts).values({
    eventId,
    attempt: 1,
    worker: "ada",
    claimToken: sql`gen_random_uuid()`,
    startedAt: sql`now() - interval '2 minutes'`,
    endedAt: isOver ? sql`now() - interval '1 minute'` : null,
    result: isOver ? ending : null,
  });
  return eventId;
}
