import { describe, expect, test } from "vitest";
import { fulfilEvent } from "../fulfilment/fulfil.ts";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { keptLog } from "../testing/kept-log.ts";
import { useDatabase } from "../testing/use-database.ts";
import { useWebhookDoor } from "../testing/webhook-door.ts";

const database = useDatabase();
const { stripe, reader, worker, deliver, drain, state, granted } = useFulfilment(database);
const openDoor = useWebhookDoor(database);
const RETRIEVE = /^\/v1\/checkout\/sessions\/[^/]+$/;
const READS_PER_SECOND = 40;
const ALREADY_HANGING = 10;
const SENT_MEANWHILE = 300;

/** Something that happens once, for whoever waits for it. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

const paidEvent = async (number: number) => {
  const metadata = { order_id: `order_${number}`, user_id: `user_${number % 7}` };
  const { sessionId } = await stripe().sessions.create({ metadata });
  return await stripe().eventOf(sessionId, { type: "checkout.session.completed" });
};

/** A worker that says when each of its reads from Stripe began. */
function measuredWorker() {
  const { db } = database();
  const startsMs: number[] = [];
  const measured = {
    ...reader(),
    readsPerSecond: READS_PER_SECOND,
    onRead: (seconds: number) => startsMs.push(performance.now() - seconds * 1000),
  };
  return {
    startsMs,
    ...worker({
      handle: (claim, context) => fulfilEvent({ db, reader: measured, app: null }, claim, context),
    }),
  };
}

describe("while Stripe hangs", () => {
  // A call to Stripe before the answer made deliveries time out, and their retries multiplied the load. C78
  test("deliveries are answered at once, and afterwards the queue drains within the rate limit", async () => {
    const door = await openDoor();
    const recovery = gate();
    for (let n = 0; n < ALREADY_HANGING; n++) {
      await door.post(await paidEvent(n));
      stripe().controls.delayNext({ path: RETRIEVE, until: recovery.opened });
    }
    const coming = [];
    for (let n = 0; n < SENT_MEANWHILE; n++) coming.push(await paidEvent(ALREADY_HANGING + n));
    const asked = stripe().controls.requests.length;
    const asking = () => stripe().controls.requests.length - asked;
    const { start, stop, startsMs } = measuredWorker();
    start();
    try {
      await expect.poll(asking, { interval: 5, timeout: 10_000 }).toBe(ALREADY_HANGING);

      const answersMs: number[] = [];
      while (coming.length > 0) {
        await Promise.all(
          coming.splice(0, 30).map(async (event) => {
            const sentMs = performance.now();
            expect((await door.post(event)).status).toBe(200);
            answersMs.push(performance.now() - sentMs);
          }),
        );
      }
      answersMs.sort((a, b) => a - b);
      expect(answersMs[Math.floor(SENT_MEANWHILE * 0.99)]).toBeLessThan(1000);
      expect(asking()).toBe(ALREADY_HANGING);
      expect(await granted()).toEqual({ grants: 0, credits: 0n });
    } finally {
      recovery.open();
    }
    const all = ALREADY_HANGING + SENT_MEANWHILE;
    await expect.poll(async () => (await granted()).grants, { interval: 50, timeout: 20_000 }).toBe(all);
    await stop();

    const { events } = await state();
    expect(events.map(({ status, failures }) => `${status} ${failures}`)).toEqual(
      Array.from({ length: all }, () => "processed 0"),
    );
    // Turns are an interval apart, so that no machine can be quick enough to end earlier; a tenth is for its timers.
    const [first = 0, ...later] = startsMs.toSorted((a, b) => a - b).slice(ALREADY_HANGING);
    const drainedMs = (later.at(-1) ?? 0) - first;
    expect(drainedMs).toBeGreaterThan((later.length / READS_PER_SECOND) * 1000 * 0.9);
    expect(later).toHaveLength(SENT_MEANWHILE - 1);
  });
});

describe("while Stripe answers with half an object and the database refuses every write", () => {
  // Written first, the failure's status hid the failure; and its row looked in flight for ever. C31
  test("the first error is told with the event's id, the worker goes on, and the event is taken over", async () => {
    const { sql } = database();
    const { sessionId } = await stripe().sessions.create({ metadata: { order_id: "order_1" } });
    const eventId = await deliver(sessionId);
    const refusing = gate();
    stripe().controls.answerNext({ path: RETRIEVE, change: (body) => ({ ...body, line_items: null }) });
    stripe().controls.delayNext({ path: RETRIEVE, until: refusing.opened });
    const asked = stripe().controls.requests.length;
    const { log, lines } = keptLog();
    const one = worker({ log });
    const attempt = one.runOnce();
    await expect
      .poll(() => stripe().controls.requests.length - asked, { interval: 5, timeout: 10_000 })
      .toBe(1);
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'read-only'; end $$`;
    for (const table of ["processed_stripe_events", "event_attempts", "orders"])
      await sql.unsafe(
        `create trigger refused before insert or update on ${table} execute function refuse()`,
      );
    refusing.open();
    await attempt;
    await sql`drop function refuse cascade`;

    const told = lines().filter((line) => line.level === "error");
    expect(told).toMatchObject([{ eventId, err: { message: expect.stringContaining("line items") } }]);
    expect(JSON.stringify(told[0]?.reportError)).toContain("read-only");
    expect((await state()).events[0]).toMatchObject({ status: "processing", attempt: 1, claimedBy: "ada" });

    // The same worker: it did not go down with the attempt. Nothing can be taken before the lease is over.
    expect(await one.runOnce()).toBe(0);
    await sql`update processed_stripe_events
      set lease_until = now() - interval '1 second', due_at = now() - interval '1 second'`;
    await drain();
    const { events, attempts } = await state();
    expect(events[0]).toMatchObject({ status: "processed", outcome: "fulfilled", attempt: 2, failures: 1 });
    expect(attempts.map(({ result }) => result).toSorted()).toEqual(["lost", "processed"]);
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });
});
