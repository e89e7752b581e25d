import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { eventDeliveries } from "../db/schema/event-deliveries.ts";
import { eventPayloads } from "../db/schema/event-payloads.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { useDatabase } from "../testing/use-database.ts";
import { acceptArrivals, type Arrival } from "./accept.ts";
import { readEvent } from "./read-event.ts";
import { createReceiver, type Receiver } from "./receiver.ts";

const database = useDatabase();
const options = {
  accounts: [],
  attemptsMax: 8,
  onBringOnFailed: (error: unknown) => {
    throw error;
  },
};

function bodyOf(eventId: string, objectId: string, type = "checkout.session.completed"): Buffer {
  return Buffer.from(
    JSON.stringify({
      id: eventId,
      object: "event",
      type,
      livemode: false,
      created: 1,
      data: { object: { id: objectId } },
    }),
  );
}

function arrivalOf(body: Buffer): Arrival {
  return {
    event: readEvent(body, { livemode: false, accounts: [] }),
    body,
    signedAt: null,
    source: "webhook",
  };
}

const arrival = (...args: Parameters<typeof bodyOf>) => arrivalOf(bodyOf(...args));
const receiver = () => createReceiver({ ...options, db: database().db, waitingMax: 1000, onDue: () => {} });
/** One process after the other, as a load balancer deals deliveries out. */
function doorOf(processes: Receiver[], n: number): Receiver {
  const door = processes[n % processes.length];
  if (!door) throw new Error("Bug!");
  return door;
}
const verdicts = async () =>
  (
    await database().sql<{ verdict: string; count: string }[]>`
    select verdict, count(*) from event_deliveries group by 1 order by 1`
  ).map((row) => [row.verdict, Number(row.count)]);

describe("receiving", () => {
  // Several processes behind a load balancer: nothing in memory may take part in the decision. C07, C08
  test("of fifty deliveries of one event at three processes at once makes one claim and notes every delivery", async () => {
    const processes = [receiver(), receiver(), receiver()];
    const accepted = await Promise.all(
      Array.from({ length: 50 }, (_, n) => doorOf(processes, n).accept(arrival("evt_1", "cs_1"))),
    );
    expect(accepted.filter((one) => one.verdict === "claimed")).toHaveLength(1);
    expect(await database().db.$count(events)).toBe(1);
    expect(await database().db.$count(eventPayloads)).toBe(1);
    expect(await verdicts()).toEqual([
      ["claimed", 1],
      ["redelivery", 49],
    ]);
  });

  // Stripe can make two event objects of one action. C10
  test("of two events for one action keeps the second as the first one's twin, with its bytes", async () => {
    const [first, second] = [receiver(), receiver()];
    const [a, b] = await Promise.all([
      first.accept(arrival("evt_a", "cs_1")),
      second.accept(arrival("evt_b", "cs_1")),
    ]);
    expect([a.verdict, b.verdict].toSorted()).toEqual(["claimed", "twin"]);
    expect(a.winnerEventId).toBe(b.winnerEventId);
    expect(await database().db.$count(events)).toBe(1);
    await first.accept(arrival("evt_b", "cs_1"));
    await first.accept(arrival("evt_a", "cs_1"));
    expect(await database().db.$count(eventPayloads)).toBe(2);
  });

  test("of a type that repeats for one object never takes the second for a twin", async () => {
    const processes = [receiver(), receiver()];
    await Promise.all(processes.map((one, n) => one.accept(arrival(`evt_${n}`, "ch_1", "charge.refunded"))));
    expect(await verdicts()).toEqual([["claimed", 2]]);
  });

  test("of a twin of another account or mode keeps both", async () => {
    const twinOf = (id: string, account: string): Arrival => {
      const one = arrival(id, "cs_1");
      if (one.event.kind !== "event") throw new Error("Bug!");
      return { ...one, event: { ...one.event, account } };
    };
    await acceptArrivals(database().db, [twinOf("evt_a", ""), twinOf("evt_b", "acct_1")], options);
    expect(await database().db.$count(events)).toBe(2);
  });

  test("of batches that hold the same keys in opposite order ends without a deadlock", async () => {
    const keys = Array.from({ length: 30 }, (_, n) => n);
    const batchOf = (order: number[], suffix: string) =>
      order.map((n) => arrival(n % 2 ? `evt_${n}` : `evt_${n}${suffix}`, `cs_${n}`));
    for (let round = 0; round < 10; round++) {
      const results = await Promise.all([
        acceptArrivals(database().db, batchOf(keys, "_x"), options),
        acceptArrivals(database().db, batchOf(keys.toReversed(), "_y"), options),
        acceptArrivals(database().db, batchOf(keys, "_z"), options),
      ]);
      expect(results.flat().filter((one) => one.verdict === "claimed")).toHaveLength(30);
      await database().sql`delete from processed_stripe_events`;
    }
  });

  // Found by the model test: the key of the bytes holds the instant, and the whole batch was refused.
  test("of the same twins in the same microsecond, in opposite order, refuses none", async () => {
    const { db, sql: driver } = database();
    const keys = Array.from({ length: 30 }, (_, n) => n);
    const batchOf = (order: number[], suffix: string) =>
      order.map((n) => arrival(`evt_${n}${suffix}`, `cs_${n}`));
    await acceptArrivals(db, batchOf(keys, ""), options);
    await driver`alter table event_payloads alter received_at set default '2026-01-01'`;
    try {
      for (let round = 0; round < 10; round++) {
        const results = await Promise.all([
          acceptArrivals(db, batchOf(keys, `_twin${round}`), options),
          acceptArrivals(db, batchOf(keys.toReversed(), `_twin${round}`), options),
          acceptArrivals(db, batchOf(keys, `_twin${round}`), options),
        ]);
        expect(new Set(results.flat().map(({ verdict }) => verdict))).toEqual(new Set(["twin"]));
      }
    } finally {
      await driver`alter table event_payloads alter received_at set default now()`;
    }
    expect(await db.$count(eventPayloads)).toBe(30 * 11);
    expect(await db.$count(events)).toBe(30);
  });

  test("answers only after the commit: what is acknowledged is in the database", async () => {
    const { db, sql: driver } = database();
    const blocked = await driver.reserve();
    await blocked`begin`;
    await blocked`lock table processed_stripe_events in exclusive mode`;
    let isAnswered = false;
    const accepted = receiver()
      .accept(arrival("evt_1", "cs_1"))
      .then(() => (isAnswered = true));
    await expect
      .poll(async () => (await driver`select 1 from pg_locks where not granted`).length, {
        interval: 5,
        timeout: 10_000,
      })
      .toBeGreaterThan(0);
    expect(isAnswered).toBe(false);
    await blocked`commit`;
    blocked.release();
    await accepted;
    expect(await db.$count(events)).toBe(1);
  });

  test("of a body that is no event keeps it as it came and claims nothing", async () => {
    const accepted = await receiver().accept(arrivalOf(Buffer.from("null")));
    expect(accepted).toEqual({ verdict: "unreadable", winnerEventId: null, isDue: false });
    const [delivery] = await database().db.select().from(eventDeliveries);
    expect(Buffer.from(delivery?.body ?? []).toString()).toBe("null");
  });

  // jsonb and text refuse NUL and half a surrogate pair; Stripe can send both in a person's text. C82
  test.for(["a\\u0000b", "\\ud83d", "\\\\u0000", "Zoë 🎉 Łukasz 李"])(
    "keeps the bytes of a payload that holds %s exactly",
    async (text) => {
      const body = Buffer.from(
        `{ "id": "evt_1",\n "object":"event","type":"checkout.session.completed","livemode":false,"data":{"object":{"id":"cs_1","note":"${text}"}}}\n`,
      );
      await receiver().accept(arrivalOf(body));
      const [payload] = await database().db.select().from(eventPayloads);
      expect(Buffer.from(payload?.body ?? []).equals(body)).toBe(true);
    },
  );

  test("of one poison event in a batch refuses only that one", async () => {
    const poison = arrival("evt_bad", "cs_bad");
    if (poison.event.kind !== "event") throw new Error("Bug!");
    const impossible: Arrival = { ...poison, event: { ...poison.event, eventType: "a\u0000b" } };
    const door = receiver();
    const results = await Promise.allSettled([
      door.accept(arrival("evt_1", "cs_1")),
      door.accept(impossible),
      door.accept(arrival("evt_2", "cs_2")),
    ]);
    expect(results.map((one) => one.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await database().db.$count(events)).toBe(2);
  });

  test("of a dead event re-arms it once an hour, and the delivery that did is called so", async () => {
    const { db } = database();
    await receiver().accept(arrival("evt_1", "cs_1"));
    await db.execute(
      sql`update processed_stripe_events set status = 'dead', failures = 8, last_error_code = 'stripe_error'`,
    );
    const [again, twin] = [
      await receiver().accept(arrival("evt_1", "cs_1")),
      await receiver().accept(arrival("evt_2", "cs_1")),
    ];
    expect([again.verdict, again.isDue, twin.verdict]).toEqual(["rearmed", true, "twin"]);
    await db.execute(sql`update processed_stripe_events set status = 'dead'`);
    expect((await receiver().accept(arrival("evt_1", "cs_1"))).verdict).toBe("redelivery");
    const [row] = await db.select().from(events);
    expect(row).toMatchObject({ status: "dead", failures: 8 });
  });

  test("of a delivery that is stored stays acknowledged when what it found lying cannot be brought on", async () => {
    const { sql: driver } = database();
    await receiver().accept(arrival("evt_1", "cs_1"));
    await driver`update processed_stripe_events set status = 'dead', last_error_code = 'stripe_error'`;
    await driver`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$`;
    await driver`create trigger refused before update on processed_stripe_events execute function refuse()`;
    const failures: unknown[] = [];
    const [again] = await acceptArrivals(database().db, [arrival("evt_1", "cs_1")], {
      ...options,
      onBringOnFailed: (error) => failures.push(error),
    });
    await driver`drop function refuse cascade`;
    expect([again?.verdict, failures.length]).toEqual(["redelivery", 1]);
    expect(await verdicts()).toEqual([
      ["claimed", 1],
      ["redelivery", 1],
    ]);
  });

  test("of a redelivery never waits for a worker that has the event's row locked", async () => {
    const { sql: driver } = database();
    await receiver().accept(arrival("evt_1", "cs_1"));
    await driver`update processed_stripe_events set status = 'dead', last_error_code = 'stripe_error'`;
    const worker = await driver.reserve();
    await worker`begin`;
    await worker`select from processed_stripe_events for update`;
    expect((await receiver().accept(arrival("evt_1", "cs_1"))).verdict).toBe("redelivery");
    await worker`rollback`;
    worker.release();
  });
});
