import { eq } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll } from "vitest";
import type { DeliveryVerdict } from "#shared/event-status.ts";
import { creditLedger } from "../db/schema/credit-ledger.ts";
import { effects } from "../db/schema/effects.ts";
import { eventAttempts } from "../db/schema/event-attempts.ts";
import { eventPayloads } from "../db/schema/event-payloads.ts";
import { orders } from "../db/schema/orders.ts";
import { payments } from "../db/schema/payments.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { type FulfilmentOptions, fulfilEvent } from "../fulfilment/fulfil.ts";
import { acceptArrivals } from "../receiving/accept.ts";
import { readEvent } from "../receiving/read-event.ts";
import { type Emulator, startEmulator } from "../sandbox/emulator.ts";
import { createStripe } from "../stripe/client.ts";
import type { StripeReader } from "../stripe/checkout-session.ts";
import { createEventWorker, type EventWorkerOptions } from "../workers/event-worker.ts";
import type { TestDatabase } from "./use-database.ts";

const ACCOUNTS = ["acct_served"];

/**
 * A Stripe stand-in for a test file and the steps of a paid order's way: deliver an event about a session, run a
 * worker over what is due, look at what came of it.
 */
export function useFulfilment(database: () => TestDatabase) {
  let emulator: Emulator | undefined;
  beforeAll(async () => {
    emulator = await startEmulator();
  });
  afterAll(() => emulator?.stop());

  function stripe(): Emulator {
    if (!emulator) throw new Error("Bug! The emulator is there only inside tests.");
    return emulator;
  }

  function reader(): StripeReader {
    const { secretKey, apiBase } = stripe();
    return {
      stripe: createStripe({ secretKey, apiBase: new URL(apiBase) }),
      db: database().db,
      readsPerSecond: 10_000,
      onRead: () => {},
    };
  }

  function worker(overrides: Partial<EventWorkerOptions> = {}, app: FulfilmentOptions["app"] = null) {
    const { db } = database();
    return createEventWorker({
      db,
      worker: "ada",
      concurrency: 10,
      budgetSeconds: 60,
      takeover: "automatic",
      attemptsMax: 8,
      handle: (claim, context) => fulfilEvent({ db, reader: reader(), app }, claim, context),
      random: () => 0.5,
      log: pino({ level: "silent" }),
      onFencedWrite: () => {},
      onAttempt: () => {},
      ...overrides,
    });
  }

  /** Receives any event at all. Says what the arrival was. */
  const receive = (event: object) => receiveBytes(Buffer.from(JSON.stringify(event)));

  async function receiveBytes(body: Uint8Array): Promise<DeliveryVerdict> {
    const read = readEvent(body, { livemode: false, accounts: ACCOUNTS });
    const arrival = { event: read, body, signedAt: null, source: "webhook" as const };
    const [accepted] = await acceptArrivals(database().db, [arrival], {
      accounts: ACCOUNTS,
      attemptsMax: 8,
      onBringOnFailed: (error) => {
        throw error;
      },
    });
    if (!accepted) throw new Error("Bug! An arrival was not answered.");
    return accepted.verdict;
  }

  return {
    stripe,
    reader,
    worker,

    /** Receives a new event object about the session, as Stripe would send it now. Returns its id. */
    async deliver(sessionId: string, type = "checkout.session.completed", account = ""): Promise<string> {
      const event = await stripe().eventOf(sessionId, { type, account });
      await receive(account === "" ? event : { ...event, account });
      return event.id;
    },

    receive,

    /** Receives the bytes of an event once more, as Stripe's own retries and a Resend bring them. */
    async redeliver(eventId: string): Promise<DeliveryVerdict> {
      const { db } = database();
      const [payload] = await db.select().from(eventPayloads).where(eq(eventPayloads.eventId, eventId));
      if (!payload) throw new Error(`Bug! ${eventId} was never received.`);
      return await receiveBytes(payload.body);
    },

    /** Runs a worker until nothing is due. */
    async drain(
      overrides: Partial<EventWorkerOptions> = {},
      app: FulfilmentOptions["app"] = null,
    ): Promise<void> {
      const one = worker(overrides, app);
      while ((await one.runOnce()) > 0);
    },

    /** Lets the time of every waiting retry come. */
    async makeDue(): Promise<void> {
      await database().sql`update processed_stripe_events set due_at = now() where status = 'processing'`;
    },

    ...booksOf(database),
  };
}

/** What came of it all: business operations to count, not log lines. */
function booksOf(database: () => TestDatabase) {
  return {
    /** The one number that matters: what was granted, and how often. */
    async granted() {
      const { db } = database();
      const ledger = await db.select().from(creditLedger);
      return {
        grants: await db.$count(effects),
        credits: ledger.reduce((sum, line) => sum + line.delta, 0n),
      };
    },

    /** What there is to count: business operations, not log lines. */
    async state() {
      const { db } = database();
      return {
        events: await db.select().from(events).orderBy(events.createdAt, events.eventId),
        orders: await db.select().from(orders).orderBy(orders.orderId),
        payments: await db.select().from(payments).orderBy(payments.createdAt),
        effects: await db.select().from(effects),
        ledger: await db.select().from(creditLedger),
        attempts: await db.select().from(eventAttempts),
      };
    },
  };
}
