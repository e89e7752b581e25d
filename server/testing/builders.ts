import { sql } from "drizzle-orm";
import type { OrderState } from "#shared/order-state.ts";
import { isOneShotType } from "../claims/event-types.ts";
import type { Db } from "../db/client.ts";
import { creditLedger } from "../db/schema/credit-ledger.ts";
import { customers } from "../db/schema/customers.ts";
import { effects } from "../db/schema/effects.ts";
import { eventAttempts } from "../db/schema/event-attempts.ts";
import { eventDeliveries } from "../db/schema/event-deliveries.ts";
import { eventPayloads } from "../db/schema/event-payloads.ts";
import { orders } from "../db/schema/orders.ts";
import { payments } from "../db/schema/payments.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";

export type EventOverrides = Partial<typeof events.$inferInsert> & {
  /** How long ago it came in. */
  ageSeconds?: number;
  /** The bytes Stripe signed; a small session event unless given. */
  body?: Uint8Array;
};

let made = 0;

/** A number that no other row of this process has, for ids. */
export function nextNumber(): string {
  made += 1;
  return made.toString().padStart(6, "0");
}

/** An event that just came in: due, and nobody holds it. Like all builders here, returns its id. */
export function queuedEvent(db: Db, overrides: EventOverrides = {}): Promise<string> {
  return receivedEvent(db, overrides);
}

/** An event whose first attempt is running at the worker `ada` for another minute. */
export async function heldEvent(db: Db, overrides: EventOverrides = {}): Promise<string> {
  const lease = sql`now() + interval '1 minute'`;
  return await receivedEvent(db, { ...takenBy("ada", lease), ...overrides });
}

/** An event whose worker was lost: the lease ended a minute ago and nobody reported back. */
export async function staleEvent(db: Db, overrides: EventOverrides = {}): Promise<string> {
  const lease = sql`now() - interval '1 minute'`;
  return await receivedEvent(db, { ...takenBy("ada", lease), ...overrides });
}

/** An event whose first attempt failed, and which waits ten minutes for its second. */
export async function retryingEvent(db: Db, overrides: EventOverrides = {}): Promise<string> {
  return await receivedEvent(db, {
    attempt: 1,
    failures: 1,
    dueAt: sql`now() + interval '10 minutes'` as never,
    lastErrorCode: "stripe_unreachable",
    lastError: "The connection to Stripe was refused.",
    ...overrides,
  });
}

/** An event that waits for a person: its price says nothing of credits. */
export async function deadEvent(db: Db, overrides: EventOverrides = {}): Promise<string> {
  return await receivedEvent(db, {
    status: "dead",
    attempt: 1,
    failures: 1,
    lastErrorCode: "price_without_credits",
    lastError: "No price of the order says how many credits it is worth.",
    ...overrides,
  });
}

/** An event that is done. Which effect it had is the order's builder's to say. */
export async function processedEvent(db: Db, overrides: EventOverrides = {}): Promise<string> {
  return await receivedEvent(db, {
    status: "processed",
    outcome: "fulfilled",
    attempt: 1,
    processedAt: sql`now()` as never,
    ...overrides,
  });
}
