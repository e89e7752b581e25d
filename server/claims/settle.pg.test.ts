import { describe, expect, test } from "vitest";
import { eventAttempts } from "../db/schema/event-attempts.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { useDatabase } from "../testing/use-database.ts";
import { giveBack, settleDead, settleFailed, settleProcessed } from "./settle.ts";
import { type Claim, takeDueEvents, takeLostEvent } from "./take.ts";

const database = useDatabase();
const lease = { leaseSeconds: 60, takeover: "automatic" as const };

async function held(worker = "ada"): Promise<Claim> {
  await database().db.insert(events).values({
    eventId: "evt_1",
    eventType: "checkout.session.completed",
    objectId: "cs_1",
    once: true,
    livemode: false,
  });
  const [claim] = await takeDueEvents(database().db, { ...lease, worker, batchSize: 5 });
  if (!claim) throw new Error("Bug!");
  return claim;
}

/** The lease of whoever holds the event is over, and a successor has taken it. */
async function takenOver(): Promise<Claim> {
  await database()
    .sql`update processed_stripe_events set lease_until = now() - interval '1 second', due_at = now() - interval '1 second'`;
  const { claim } = await takeLostEvent(database().db, { ...lease, worker: "bob", attemptsMax: 8 });
  if (!claim) throw new Error("Bug!");
  return claim;
}

const ENDS: Record<string, (claim: Claim) => Promise<unknown>> = {
  "settling it as processed": (claim) =>
    database().db.transaction((tx) => settleProcessed(tx, claim, { outcome: "fulfilled", orderId: null })),
  "settling it as dead": (claim) =>
    database().db.transaction((tx) =>
      settleDead(tx, claim, { code: "order_mismatch", message: "no", orderId: null }),
    ),
  "reporting a failure": (claim) =>
    settleFailed(database().db, claim, {
      code: "stripe_error",
      message: "no",
      delaySeconds: 5,
      counts: true,
      attemptsMax: 8,
    }),
  "giving it back": (claim) => giveBack(database().db, claim),
};

describe("the fence", () => {
  // The late worker holds no right any more, although the event is still being processed: by its successor.
  test.for(Object.keys(ENDS))(
    "refuses a worker whose event a successor holds: %s changes nothing",
    async (name) => {
      const stalled = await held();
      const successor = await takenOver();
      const [before] = await database().db.select().from(events);
      expect([false, "lost"]).toContain(await ENDS[name]?.(stalled));
      const [after] = await database().db.select().from(events);
      expect(after).toEqual(before);
      const [second] = (await database().db.select().from(eventAttempts)).filter((row) => row.attempt === 2);
      expect(second).toMatchObject({ worker: "bob", result: null });
      expect([true, "retry"]).toContain(await ENDS[name]?.(successor));
    },
  );

  test("lets a worker whose lease ended settle as long as nobody took the event over", async () => {
    const slow = await held();
    await database().sql`update processed_stripe_events set lease_until = now() - interval '1 second'`;
    expect(await ENDS["settling it as processed"]?.(slow)).toBe(true);
  });
});

describe("taking", () => {
  test("of new work leaves lost events to be taken over alone", async () => {
    await held();
    await database()
      .sql`update processed_stripe_events set lease_until = now() - interval '1 second', due_at = now() - interval '1 second'`;
    expect(await takeDueEvents(database().db, { ...lease, worker: "bob", batchSize: 5 })).toEqual([]);
  });

  test("skips a row that somebody has locked instead of waiting for it", async () => {
    const claim = await held();
    await giveBack(database().db, claim);
    const operator = await database().sql.reserve();
    await operator`begin`;
    await operator`select from processed_stripe_events for update`;
    expect(await takeDueEvents(database().db, { ...lease, worker: "bob", batchSize: 5 })).toEqual([]);
    await operator`rollback`;
    operator.release();
  });

  test("of one event by two at once gives it to one, with an attempt of its own", async () => {
    await giveBack(database().db, await held());
    const taken = await Promise.all(
      ["bob", "cleo", "dan"].map((worker) =>
        takeDueEvents(database().db, { ...lease, worker, batchSize: 5 }),
      ),
    );
    expect(taken.flat()).toHaveLength(1);
    expect(await database().db.$count(eventAttempts)).toBe(2);
  });
});

describe("a failure", () => {
  const failed = (claim: Claim, counts: boolean) =>
    settleFailed(database().db, claim, {
      code: "stripe_rate_limited",
      message: "slow down",
      delaySeconds: 5,
      counts,
      attemptsMax: 1,
    });

  test("that does not count never kills, however many tries are used up", async () => {
    expect(await failed(await held(), false)).toBe("retry");
    const [row] = await database().db.select().from(events);
    expect(row).toMatchObject({ status: "processing", failures: 0, claimToken: null, leaseUntil: null });
  });

  test("whose words PostgreSQL cannot hold is kept all the same", async () => {
    const claim = await held();
    await settleFailed(database().db, claim, {
      code: "stripe_error",
      message: `a\u0000b\ud83d${"x".repeat(5000)}`,
      delaySeconds: 5,
      counts: true,
      attemptsMax: 8,
    });
    const [row] = await database().db.select().from(events);
    expect(row?.lastError).toHaveLength(1000);
  });
});

describe("the table itself refuses", () => {
  test.for([
    ["half a lease", "update processed_stripe_events set claimed_by = 'me'"],
    [
      "a dead event that is held",
      "update processed_stripe_events set status = 'dead', last_error_code = 'x', claim_token = gen_random_uuid(), claimed_by = 'me', lease_until = now()",
    ],
    [
      "a processed event without an outcome",
      "update processed_stripe_events set status = 'processed', processed_at = now()",
    ],
    ["a dead event without an error", "update processed_stripe_events set status = 'dead'"],
    ["a status nobody knows", "update processed_stripe_events set status = 'done'"],
  ] as const)("%s", async ([, statement]) => {
    await giveBack(database().db, await held());
    await expect(database().sql.unsafe(statement)).rejects.toThrow("violates check constraint");
  });
});
