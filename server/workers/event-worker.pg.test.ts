import pino from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { settleProcessed } from "../claims/settle.ts";
import { type Claim, takeDueEvents } from "../claims/take.ts";
import { eventAttempts } from "../db/schema/event-attempts.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { ClaimLost } from "../fulfilment/apply.ts";
import type { EventEnd } from "../fulfilment/decide.ts";
import { keptLog } from "../testing/kept-log.ts";
import { useDatabase } from "../testing/use-database.ts";
import { createDueNotifier, listenForDue } from "./due-signal.ts";
import { createEventWorker, type EventWorker, type EventWorkerOptions } from "./event-worker.ts";

const database = useDatabase();
const FULFILLED: EventEnd = { status: "processed", outcome: "fulfilled" };
const workers: EventWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

/** Settles the event as a handler does at its end; refused if the claim was lost. */
async function settle(claim: Claim): Promise<EventEnd> {
  const isHeld = await database().db.transaction((tx) =>
    settleProcessed(tx, claim, { outcome: "fulfilled", orderId: null }),
  );
  if (!isHeld) throw new ClaimLost("lost");
  return FULFILLED;
}

function workerWith(overrides: Partial<EventWorkerOptions> = {}) {
  const seen = { fenced: 0 };
  const worker = createEventWorker({
    db: database().db,
    worker: "ada",
    concurrency: 5,
    budgetSeconds: 60,
    takeover: "automatic",
    attemptsMax: 8,
    handle: settle,
    random: () => 0.5,
    log: pino({ level: "silent" }),
    onFencedWrite: () => (seen.fenced += 1),
    onAttempt: () => {},
    ...overrides,
  });
  workers.push(worker);
  return { ...worker, seen };
}

const insertQueued = (...ids: string[]) =>
  database()
    .db.insert(events)
    .values(
      ids.map((id) => ({
        eventId: id,
        eventType: "checkout.session.completed",
        objectId: `cs_${id}`,
        once: true,
        livemode: false,
      })),
    );
const endLeases = () =>
  database()
    .sql`update processed_stripe_events set lease_until = now() - interval '1 second', due_at = now() - interval '1 second' where claim_token is not null`;
const rowOf = async (id: string) =>
  (await database().db.select().from(events)).find((row) => row.eventId === id);
const attemptsOf = async () =>
  (await database().db.select().from(eventAttempts))
    .map(({ attempt, worker, result }) => `${attempt} ${worker} ${result}`)
    .toSorted();
/** Something that happens once, awaited by a test. */
function signal() {
  let fire: () => void = () => {};
  const fired = new Promise<void>((resolve) => (fire = resolve));
  return { fire, fired };
}

describe("a worker", () => {
  test("gives each due event to exactly one of many competing workers", async () => {
    await insertQueued(...Array.from({ length: 40 }, (_, n) => `evt_${n}`));
    const handled: string[] = [];
    const competing = ["ada", "bob", "cleo", "dan"].map((worker) =>
      workerWith({
        worker,
        concurrency: 20,
        handle: (claim) => (handled.push(claim.eventId), settle(claim)),
      }),
    );
    await Promise.all(competing.map((worker) => worker.runOnce()));
    await Promise.all(competing.map((worker) => worker.runOnce()));
    expect(handled).toHaveLength(40);
    expect(new Set(handled).size).toBe(40);
  });

  // Guards against paying twice: a worker that hung past its lease wakes up and tries to finish. C27
  test("that lost its lease while it hung cannot settle what its successor settled, and leaves a mark", async () => {
    await insertQueued("evt_1");
    const [hung, woken] = [signal(), signal()];
    const sleeper = workerWith({
      worker: "sleeper",
      handle: async (claim) => {
        hung.fire();
        await woken.fired;
        return await settle(claim);
      },
    });
    const sleeping = sleeper.runOnce();
    await hung.fired;
    await endLeases();
    await workerWith({ worker: "successor" }).runOnce();
    woken.fire();
    await sleeping;
    expect(await attemptsOf()).toEqual(["1 sleeper lost", "2 successor processed"]);
    expect(sleeper.seen.fenced).toBe(1);
    const [first] = (await database().db.select().from(eventAttempts)).filter((row) => row.attempt === 1);
    expect(first?.refusedAt).not.toBeNull();
    expect(await rowOf("evt_1")).toMatchObject({ status: "processed", attempt: 2, failures: 1 });
  });

  test("that lost its lease cannot report a failure over its successor's success either", async () => {
    await insertQueued("evt_1");
    const [hung, woken] = [signal(), signal()];
    const sleeper = workerWith({
      handle: async () => {
        hung.fire();
        await woken.fired;
        throw new Error("too late");
      },
    });
    const sleeping = sleeper.runOnce();
    await hung.fired;
    await endLeases();
    await workerWith({ worker: "successor" }).runOnce();
    woken.fire();
    await sleeping;
    expect(await rowOf("evt_1")).toMatchObject({
      status: "processed",
      outcome: "fulfilled",
      lastErrorCode: null,
    });
  });

  test("leaves an event alone while another's lease runs, and takes it over when it ends", async () => {
    await insertQueued("evt_1");
    await takeDueEvents(database().db, {
      worker: "killed",
      leaseSeconds: 60,
      takeover: "automatic",
      batchSize: 1,
    });
    const successor = workerWith();
    expect(await successor.runOnce()).toBe(0);
    await endLeases();
    expect(await successor.runOnce()).toBe(1);
    expect(await attemptsOf()).toEqual(["1 killed lost", "2 ada processed"]);
  });

  test("under manual takeover leaves a lost event until somebody offers it", async () => {
    await insertQueued("evt_1");
    await takeDueEvents(database().db, {
      worker: "killed",
      leaseSeconds: 60,
      takeover: "manual",
      batchSize: 1,
    });
    await database().sql`update processed_stripe_events set lease_until = now() - interval '1 second'`;
    const successor = workerWith();
    expect(await successor.runOnce()).toBe(0);
    await database().sql`update processed_stripe_events set due_at = now()`;
    expect(await successor.runOnce()).toBe(1);
  });

  // One poison event that kills its process must not bury the batch it was taken with.
  test("takes lost events over one at a time, with nothing else running", async () => {
    await insertQueued("evt_1", "evt_2", "evt_3");
    await takeDueEvents(database().db, {
      worker: "killed",
      leaseSeconds: 60,
      takeover: "automatic",
      batchSize: 3,
    });
    await endLeases();
    await insertQueued("evt_4", "evt_5");
    let running = 0;
    const together = new Map<string, number>();
    const handle = async (claim: Claim) => {
      running += 1;
      together.set(claim.eventId, running);
      const end = await settle(claim);
      running -= 1;
      return end;
    };
    const worker = workerWith({ handle });
    while ((await worker.runOnce()) > 0);
    expect(["evt_1", "evt_2", "evt_3"].map((id) => together.get(id))).toEqual([1, 1, 1]);
    expect(together.size).toBe(5);
  });

  test("buries an event that lost its lease as often as is allowed, instead of crashing for ever", async () => {
    await insertQueued("evt_1");
    for (let attempt = 1; attempt <= 3; attempt++) {
      // A handler that never ends, as in a process that was killed: only the lease knows.
      const begun = signal();
      const handle = () => new Promise<never>(() => begun.fire());
      void workerWith({ worker: `killed-${attempt}`, attemptsMax: 3, handle }).runOnce();
      workers.pop();
      await begun.fired;
      await endLeases();
    }
    await workerWith({ attemptsMax: 3 }).runOnce();
    expect(await rowOf("evt_1")).toMatchObject({
      status: "dead",
      lastErrorCode: "worker_lost",
      failures: 3,
      claimToken: null,
    });
    expect(await attemptsOf()).toEqual(["1 killed-1 lost", "2 killed-2 lost", "3 killed-3 lost"]);
  });

  test("retries a failure later, counts it, and lets the event die at its last try", async () => {
    await insertQueued("evt_1");
    const failing = workerWith({
      attemptsMax: 2,
      handle: async () => {
        throw new Error("no luck");
      },
    });
    await failing.runOnce();
    expect(await rowOf("evt_1")).toMatchObject({
      status: "processing",
      failures: 1,
      lastErrorCode: "handler_error",
      claimToken: null,
    });
    expect((await rowOf("evt_1"))?.dueAt.getTime()).toBeGreaterThan(Date.now() + 2000);
    expect(await failing.runOnce()).toBe(0);
    await database().sql`update processed_stripe_events set due_at = now()`;
    await failing.runOnce();
    expect(await rowOf("evt_1")).toMatchObject({ status: "dead", failures: 2, lastError: "Error: no luck" });
    expect(await attemptsOf()).toEqual(["1 ada retry", "2 ada dead"]);
  });

  test("gives an event that a Resend re-armed one attempt only", async () => {
    await insertQueued("evt_1");
    await database().sql`update processed_stripe_events set rearmed_at = now(), failures = 1`;
    await workerWith({ handle: () => Promise.reject(new Error("no luck")) }).runOnce();
    expect(await rowOf("evt_1")).toMatchObject({ status: "dead", failures: 2 });
  });

  test("does not take a type it has no handler for: a newer process may", async () => {
    await insertQueued("evt_1");
    await database().sql`update processed_stripe_events set event_type = 'charge.refunded'`;
    expect(await workerWith().runOnce()).toBe(0);
    expect(await rowOf("evt_1")).toMatchObject({ status: "processing", attempt: 0 });
  });

  test("finishes what it holds when it is stopped, and takes nothing more", async () => {
    await insertQueued("evt_1");
    const [begun, mayEnd] = [signal(), signal()];
    const worker = workerWith({
      concurrency: 1,
      handle: async (claim) => {
        begun.fire();
        await mayEnd.fired;
        return await settle(claim);
      },
    });
    worker.start();
    await begun.fired;
    await insertQueued("evt_2");
    const stopped = worker.stop();
    mayEnd.fire();
    await stopped;
    expect(await rowOf("evt_1")).toMatchObject({ status: "processed" });
    expect(await rowOf("evt_2")).toMatchObject({ status: "processing", attempt: 0, claimToken: null });
  });

  test("is woken by a notification from another process", async () => {
    const handled = signal();
    const worker = workerWith({ handle: (claim) => settle(claim).finally(handled.fire) });
    const unlisten = await listenForDue(database().sql, worker.wake);
    worker.start();
    await insertQueued("evt_1");
    createDueNotifier(database().db, () => {})();
    await handled.fired;
    await unlisten();
    await worker.stop();
    expect(await rowOf("evt_1")).toMatchObject({ status: "processed" });
  });

  // Otherwise the error that happened would be hidden by the one that could not be told. C31
  test("survives a database that refuses its report, and leaves the event to its lease's end", async () => {
    await insertQueued("evt_1");
    await database().sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$`;
    const { log, lines } = keptLog();
    const worker = workerWith({
      log,
      handle: async () => {
        await database()
          .sql`create trigger refused before update on processed_stripe_events execute function refuse()`;
        throw new Error("the first error");
      },
    });
    await worker.runOnce();
    await database().sql`drop function refuse cascade`;
    expect(lines().filter((line) => line.eventId === "evt_1")).toContainEqual(
      expect.objectContaining({
        err: expect.objectContaining({ message: "the first error" }),
        reportError: expect.objectContaining({ cause: expect.objectContaining({ message: "disk full" }) }),
      }),
    );
    expect(await rowOf("evt_1")).toMatchObject({ status: "processing", attempt: 1 });
    await endLeases();
    await workerWith({ worker: "successor" }).runOnce();
    expect(await rowOf("evt_1")).toMatchObject({ status: "processed", attempt: 2 });
  });
});
