import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { type EventFilters, eventFilters, PAGE_SIZE } from "#shared/desk-inputs.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import {
  deadEvent,
  heldEvent,
  processedEvent,
  queuedEvent,
  recordedEvent,
  retryingEvent,
  staleEvent,
  twinOf,
} from "../testing/builders.ts";
import { grantedOrder } from "../testing/order-builders.ts";
import { useDatabase } from "../testing/use-database.ts";
import { listEventTypes } from "./event-counts.ts";
import { searchEventIds } from "./find-event-ids.ts";
import { listEvents } from "./list-events.ts";

const database = useDatabase();
type Asked = Partial<EventFilters> & { cursor?: string | undefined };
const list = ({ cursor, ...filters }: Asked = {}) =>
  listEvents(database().db, eventFilters.parse(filters), cursor);
const idsOf = async (asked: Asked) => (await list(asked)).rows.map((row) => row.eventId).toSorted();

describe("the events list", () => {
  test("shows each event in its phase, and in no other's view", async () => {
    const { db } = database();
    const byPhase = {
      queued: await queuedEvent(db),
      held: await heldEvent(db),
      retrying: await retryingEvent(db),
      stale: await staleEvent(db),
      dead: await deadEvent(db),
      processed: await processedEvent(db),
    };
    for (const [phase, eventId] of Object.entries(byPhase)) {
      const { rows } = await list({ view: phase as EventFilters["view"] });
      expect(rows.map((row) => [row.eventId, row.phase])).toEqual([[eventId, phase]]);
    }
    const { processed, ...unfinished } = byPhase;
    expect(await idsOf({ view: "unfinished" })).toEqual(Object.values(unfinished).toSorted());
    expect(await idsOf({ view: "all" })).toEqual([...Object.values(unfinished), processed].toSorted());
  });

  test("tells of an event that only a person can bring on that it is due at no time", async () => {
    await staleEvent(database().db, { dueAt: sql`'infinity'` });
    expect((await list()).rows).toMatchObject([{ phase: "stale", dueAt: null }]);
  });

  test.for(["oldest", "newest"] as const)(
    "gives each of many rows once, %s first, also while rows come in",
    async (sort) => {
      const { db } = database();
      const all: string[] = [];
      // Seven at each instant, and instants a microsecond apart: neither the instant alone nor a JavaScript date says
      // where a page ended.
      for (let n = 0; n < 120; n++) {
        const createdAt = sql`'2026-01-01T00:00:00Z'::timestamptz + make_interval(secs => ${Math.floor(n / 7)} / 1e6)`;
        all.push(await queuedEvent(db, { createdAt }));
      }
      const seen: string[] = [];
      let cursor: string | undefined;
      const pages: number[] = [];
      do {
        const page = await list({ sort, cursor });
        pages.push(page.rows.length);
        seen.push(...page.rows.map((row) => row.eventId));
        cursor = page.nextCursor ?? undefined;
        // Ahead of an oldest-first reader and behind a newest-first one, and never in between.
        if (sort === "newest") await queuedEvent(db);
      } while (cursor !== undefined);
      expect(pages).toEqual([PAGE_SIZE, PAGE_SIZE, 20]);
      expect(seen.toSorted()).toEqual(all.toSorted());
      const rows = await db.execute<{ event_id: string; at: string }>(
        sql`select event_id, extract(epoch from created_at)::text as at from ${events}`,
      );
      const at = new Map(rows.map((row) => [row.event_id, Number(row.at.slice(-6))]));
      const instants = seen.map((id) => at.get(id) ?? 0);
      const sorted = instants.toSorted((a, b) => (sort === "oldest" ? a - b : b - a));
      expect(instants).toEqual(sorted);
    },
  );

  test("starts again when a cursor is not one that it gave out", async () => {
    const eventId = await queuedEvent(database().db);
    for (const cursor of ["nonsense", Buffer.from('["yesterday","x"]').toString("base64url"), ""]) {
      expect((await list({ cursor })).rows.map((row) => row.eventId)).toEqual([eventId]);
    }
  });

  test("judges age by the database's clock", async () => {
    const old = await queuedEvent(database().db, { ageSeconds: 3600 });
    await queuedEvent(database().db, { ageSeconds: 3500 });
    expect(await idsOf({ olderThanSeconds: 3590 })).toEqual([old]);
  });

  test("takes a whole type or the beginning of one", async () => {
    const { db } = database();
    const completed = await queuedEvent(db);
    const expired = await queuedEvent(db, { eventType: "checkout.session.expired" });
    await recordedEvent(db, { eventType: "checkout.sessions" });
    expect(await idsOf({ view: "all", type: "checkout.session.expired" })).toEqual([expired]);
    expect(await idsOf({ view: "all", type: "checkout.session.*" })).toEqual([completed, expired].toSorted());
    expect(await idsOf({ view: "all", type: "checkout.session" })).toEqual([]);
    expect(await idsOf({ view: "all", type: "checkout_session.*" })).toEqual([]);
    for (const type of ["a\u0000", "a\u0000.*"]) expect(await idsOf({ view: "all", type })).toEqual([]);
  });

  test("names every type once, sorted", async () => {
    const { db } = database();
    expect(await listEventTypes(db)).toEqual([]);
    for (const eventType of ["payout.paid", "charge.refunded", "payout.paid", "customer.created"]) {
      await recordedEvent(db, { eventType });
    }
    expect(await listEventTypes(db)).toEqual(["charge.refunded", "customer.created", "payout.paid"]);
  });
});

describe("searching the events", () => {
  test("finds an event by every id that belongs to it", async () => {
    const { db } = database();
    const order = await grantedOrder(db);
    const eventId = await processedEvent(db, { orderId: order.orderId, objectId: order.checkoutSessionId });
    const twin = await twinOf(db, eventId);
    await grantedOrder(db);
    await processedEvent(db);

    const ids = [
      eventId,
      twin,
      order.orderId,
      order.checkoutSessionId,
      order.paymentIntentId,
      order.chargeId,
    ];
    for (const id of ids) expect(await idsOf({ view: "all", q: id }), id).toEqual([eventId]);
  });

  test("takes what people paste: spaces around it, or the address of a dashboard page", async () => {
    const { db } = database();
    const order = await grantedOrder(db);
    const eventId = await processedEvent(db, { orderId: order.orderId });
    const address = `https://dashboard.stripe.com/acct_1/test/payments/${order.paymentIntentId}?tab=1`;
    for (const q of [` ${eventId}\n`, address]) expect(await idsOf({ view: "all", q })).toEqual([eventId]);
  });

  test("takes the beginning of an id from eight characters on", async () => {
    const { db } = database();
    const lower = await queuedEvent(db, { eventId: "evt_1Abcdefg" });
    await queuedEvent(db, { eventId: "evt_1AbCdefg" });
    await queuedEvent(db, { eventId: "evt_1Bbcdefg" });
    expect(await idsOf({ q: "evt_1Abc" })).toEqual([lower]);
    expect(await idsOf({ q: "evt_1Ab" })).toEqual([]);
    expect(await idsOf({ q: "evt%1Abc" })).toEqual([]);
  });

  test.for(["evt_nobody_has", "a\u0000b_and_more", "'; drop table orders; --", "%%%%%%%%%%"])(
    "finds nothing for %j",
    async (q) => {
      await queuedEvent(database().db);
      expect((await list({ view: "all", q })).rows).toEqual([]);
    },
  );

  // A scan of the history would take seconds where the rows are many.
  test.for(["evt_1Abc", "pi_1"])("reads indexes only, looking for %s", async (id) => {
    const plan = await database().db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      return await tx.execute(sql`explain ${searchEventIds(id)}`);
    });
    expect(JSON.stringify(plan)).not.toContain("Seq Scan");
  });
});
