import { describe, expect, test } from "vitest";
import type { EventPhase } from "#shared/event-status.ts";
import { openDatabase } from "../db/client.ts";
import { eventDeliveries } from "../db/schema/event-deliveries.ts";
import {
  deadEvent,
  type EventOverrides,
  heldEvent,
  processedEvent,
  queuedEvent,
  retryingEvent,
} from "../testing/builders.ts";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { keptLog } from "../testing/kept-log.ts";
import { useDatabase } from "../testing/use-database.ts";
import { useWebhookDoor } from "../testing/webhook-door.ts";
import { createReceiver } from "./receiver.ts";

const database = useDatabase();
const { stripe, worker, deliver, drain, state, granted } = useFulfilment(database);
const openDoor = useWebhookDoor(database);
const ORDER = { order_id: "order_1", user_id: "user_1" };
const RETRIEVE = /^\/v1\/checkout\/sessions\/[^/]+$/;
const completed = "checkout.session.completed";

describe("an event that is sent again", () => {
  const build = {
    queued: queuedEvent,
    held: heldEvent,
    retrying: retryingEvent,
    processed: processedEvent,
    // Somebody pressed Resend within the hour, so that this delivery brings nothing back.
    dead: (db, overrides) => deadEvent(db, { rearmedAt: new Date(), ...overrides }),
  } satisfies Partial<Record<EventPhase, typeof queuedEvent>> as Record<string, typeof queuedEvent>;

  // The second delivery of an event that was safely stored met the unique key and was answered 500. C09
  test.for(Object.keys(build))("while it is %s is answered 2xx, noted, and left as it is", async (phase) => {
    const { db } = database();
    const overrides: EventOverrides = { eventType: completed, objectId: "cs_test_again" };
    const eventId = (await build[phase]?.(db, overrides)) ?? "";
    const before = await state();
    const { log, lines } = keptLog();
    const door = await openDoor({ log });
    const again = {
      id: eventId,
      object: "event",
      type: completed,
      livemode: false,
      data: { object: { id: "cs_test_again" } },
    };

    expect(await door.post(again)).toEqual({
      status: 200,
      body: { received: true, verdict: "redelivery", event: eventId },
    });
    expect(await state()).toEqual(before);
    expect(await db.$count(eventDeliveries)).toBe(2);
    expect(lines()).toEqual([]);
  });

  // Nothing says how late a duplicate may be. Days, says experience. C10
  test("as another event about the same act, 26 hours later, is the first one's twin and grants nothing", async () => {
    const { sessionId } = await stripe().sessions.create({ metadata: ORDER });
    const first = await deliver(sessionId);
    await drain();
    await database().sql`update processed_stripe_events
      set created_at = created_at - interval '26 hours', processed_at = processed_at - interval '26 hours'`;
    const before = await state();
    const late = await stripe().eventOf(sessionId, { type: completed });
    const door = await openDoor();
    expect(await door.post(late)).toMatchObject({ status: 200, body: { verdict: "twin", event: first } });
    await drain();
    expect(await state()).toEqual(before);
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });

  // Each duplicate waited for the slow handler's transaction with a connection of its own, until none was left. C12
  test("sixty times while Stripe is slow costs no time, no connection, and no other event its turn", async () => {
    const pool = openDatabase({
      url: database().url,
      connectionsMax: 10,
      applicationName: "einmal-small-pool",
    });
    let answer: () => void = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    try {
      const door = await openDoor({
        receiver: createReceiver({
          db: pool.db,
          accounts: [],
          attemptsMax: 8,
          onBringOnFailed: () => {},
          waitingMax: 100,
          onDue: () => {},
        }),
      });
      const slow = await stripe().sessions.create({ metadata: ORDER });
      const slowEvent = await stripe().eventOf(slow.sessionId, { type: completed });
      await door.post(slowEvent);
      stripe().controls.delayNext({ path: RETRIEVE, until: answered });
      const asked = stripe().controls.requests.length;
      const handling = worker({ db: pool.db }).runOnce();
      await expect
        .poll(() => stripe().controls.requests.length - asked, { interval: 5, timeout: 10_000 })
        .toBe(1);

      const healthy = await stripe().sessions.create({ metadata: { order_id: "order_2" } });
      const healthyEvent = await stripe().eventOf(healthy.sessionId, { type: completed });
      const post = async (event: object) => {
        const sentMs = performance.now();
        const { status } = await door.post(event);
        return { status, tookMs: performance.now() - sentMs };
      };
      const answers = await Promise.all([
        ...Array.from({ length: 60 }, () => post(slowEvent)),
        post(healthyEvent),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 61 }, () => 200));
      expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(1000);
      await worker({ worker: "bob", db: pool.db }).runOnce();
      expect((await state()).orders).toMatchObject([{ orderId: "order_2", state: "paid" }]);

      answer();
      await handling;
      expect(await granted()).toEqual({ grants: 2, credits: 80n });
    } finally {
      answer();
      await pool.close();
    }
  });
});

describe("an event that waits long for a worker", () => {
  // Verified by the consumer, everything that waited five minutes failed the check of its age. C02
  test("is handled whatever its signature's age has become: that was judged at the door", async () => {
    const { sessionId } = await stripe().sessions.create({ metadata: ORDER });
    const door = await openDoor();
    const event = await stripe().eventOf(sessionId, { type: completed });
    expect((await door.post(event)).status).toBe(200);
    const { sql } = database();
    await sql`update processed_stripe_events
      set created_at = created_at - interval '20 minutes', due_at = due_at - interval '20 minutes'`;
    await sql`update event_deliveries
      set received_at = received_at - interval '20 minutes', signed_at = signed_at - interval '20 minutes'`;
    await drain();
    expect((await state()).events[0]).toMatchObject({
      status: "processed",
      outcome: "fulfilled",
      attempt: 1,
    });
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });
});
