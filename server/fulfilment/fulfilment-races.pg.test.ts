import { describe, expect, test, vi } from "vitest";
import { takeDueEvents, takeLostEvent } from "../claims/take.ts";
import { requestReplay } from "../replays/request.ts";
import { DeadlineExceeded } from "../stripe/errors.ts";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { useDatabase } from "../testing/use-database.ts";
import { ClaimLost } from "./apply.ts";
import { fulfilEvent } from "./fulfil.ts";

const database = useDatabase();
const bench = useFulfilment(database);
const DAY_MS = 86_400_000;

async function paidSession(orderId: string): Promise<string> {
  const { sessionId } = await bench.stripe().sessions.create({ metadata: { order_id: orderId } });
  return sessionId;
}

function replay(eventId: string, seen: { attempt: number; phase: "stale" | "dead" }) {
  return requestReplay(
    database().db,
    {
      requestId: crypto.randomUUID(),
      eventId,
      expectedAttempt: seen.attempt,
      expectedPhase: seen.phase,
      reason: "It has been lying there for an hour.",
    },
    {
      rules: { accounts: [], attemptsMax: 8 },
      operator: { id: "operator_1", role: "ops" },
      onDue: () => {},
    },
  );
}

describe("a worker", () => {
  test("that a successor has taken over keeps nothing of what it wrote when it wakes up", async () => {
    const { db } = database();
    await bench.deliver(await paidSession("order_1"));
    const lease = { leaseSeconds: 60, takeover: "automatic" } as const;
    const [claim] = await takeDueEvents(db, { ...lease, worker: "hung", batchSize: 1 });
    await database().sql`update processed_stripe_events set due_at = now(), lease_until = now()`;
    await takeLostEvent(db, { ...lease, worker: "ada", attemptsMax: 8 });
    if (!claim) throw new Error("Bug! The event was not taken.");

    const deadline = new Date(Date.now() + 60_000);
    const late = fulfilEvent({ db, reader: bench.reader(), app: null }, claim, { deadline });
    await expect(late).rejects.toBeInstanceOf(ClaimLost);
    expect(await bench.state()).toMatchObject({ orders: [], payments: [], effects: [], ledger: [] });
  });
});

describe("an attempt", () => {
  test("whose time is up once its order is read writes nothing", async () => {
    const { db } = database();
    await bench.deliver(await paidSession("order_1"));
    const [claim] = await takeDueEvents(db, {
      worker: "ada",
      leaseSeconds: 60,
      takeover: "automatic",
      batchSize: 1,
    });
    if (!claim) throw new Error("Bug! The event was not taken.");
    const deadline = new Date(Date.now() + 60_000);
    const reader = { ...bench.reader(), onRead: () => void deadline.setTime(Date.now() - 1) };

    await expect(fulfilEvent({ db, reader, app: null }, claim, { deadline })).rejects.toBeInstanceOf(
      DeadlineExceeded,
    );
    expect(await bench.state()).toMatchObject({ orders: [], effects: [] });
  });
});

describe("an event whose worker never reported back", () => {
  test("and which a delivery, a twin, two operators and three workers bring on at the same instant has one effect", async () => {
    const rounds = 12;
    for (let round = 0; round < rounds; round++) {
      const sessionId = await paidSession(`order_${round}`);
      const eventId = await bench.deliver(sessionId);
      await takeDueEvents(database().db, {
        worker: "gone",
        leaseSeconds: 60,
        takeover: "automatic",
        batchSize: 1,
      });
      await database().sql`update processed_stripe_events set due_at = now(), lease_until = now()
        where event_id = ${eventId}`;
      await Promise.all([
        bench.redeliver(eventId),
        bench.deliver(sessionId),
        replay(eventId, { attempt: 1, phase: "stale" }),
        replay(eventId, { attempt: 1, phase: "stale" }),
        ...["ada", "bo", "cy"].map((worker) => bench.drain({ worker })),
      ]);
      await bench.drain();
    }
    const { events, attempts, effects } = await bench.state();
    expect(await bench.granted()).toEqual({ grants: rounds, credits: BigInt(rounds) * 40n });
    expect(new Set(effects.map(({ orderId }) => orderId)).size).toBe(rounds);
    // The one that was lost, and the one that took it over, whoever brought it on.
    expect(events.map(({ status, attempt }) => [status, attempt])).toEqual(
      Array.from({ length: rounds }, () => ["processed", 2]),
    );
    expect(attempts).toHaveLength(2 * rounds);
  });
});

// Workers on hosts whose clocks disagree would take each other's events, or leave a retry lying.
describe("a host whose clock is wrong", () => {
  test.for([
    ["a day ahead", DAY_MS],
    ["a day behind", -DAY_MS],
  ] as const)("%s takes what is due by the database's clock, and nothing else", async ([, offset]) => {
    const held = await bench.deliver(await paidSession("order_held"));
    await takeDueEvents(database().db, {
      worker: "ada",
      leaseSeconds: 60,
      takeover: "automatic",
      batchSize: 1,
    });
    const retrying = await bench.deliver(await paidSession("order_retrying"));
    await database()
      .sql`update processed_stripe_events set due_at = now() + interval '10 minutes', failures = 1
      where event_id = ${retrying}`;
    const due = await bench.deliver(await paidSession("order_due"));

    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + offset });
    try {
      await bench.drain({ worker: "skewed" });
    } finally {
      vi.useRealTimers();
    }
    const { events, attempts, effects } = await bench.state();
    const statusOf = (id: string) => events.find(({ eventId }) => eventId === id)?.status;
    expect([held, retrying, due].map(statusOf)).toEqual(["processing", "processing", "processed"]);
    expect(effects.map(({ orderId }) => orderId)).toEqual(["order_due"]);
    const skewed = attempts.filter(({ worker }) => worker === "skewed");
    expect(skewed.map(({ eventId }) => eventId)).toEqual([due]);
    // What it wrote is timed by the database too.
    const [one] = skewed;
    expect(Math.abs((one?.startedAt.getTime() ?? 0) - Date.now())).toBeLessThan(DAY_MS / 2);
    expect(Math.abs((one?.endedAt?.getTime() ?? 0) - Date.now())).toBeLessThan(DAY_MS / 2);
  });
});

// In a rolling deploy old processes know fewer types.
describe("an event that an old process recorded because it could not handle it", () => {
  test("is granted once by a new one, whether a delivery or the scheduler brings it on", async () => {
    const sessionId = await paidSession("order_old");
    const eventId = await bench.deliver(sessionId);
    await database().sql`update processed_stripe_events
      set status = 'processed', outcome = 'recorded', processed_at = now() where event_id = ${eventId}`;
    await bench.drain();
    expect(await bench.granted()).toEqual({ grants: 0, credits: 0n });

    await Promise.all([bench.redeliver(eventId), bench.redeliver(eventId), bench.deliver(sessionId)]);
    await bench.drain();
    expect(await bench.granted()).toEqual({ grants: 1, credits: 40n });
  });
});
