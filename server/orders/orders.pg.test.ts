import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { type OrderFilters, orderFilters, PAGE_SIZE } from "#shared/desk-inputs.ts";
import { orders } from "../db/schema/orders.ts";
import { recordPayment } from "../payments/record.ts";
import {
  grantedOrder,
  nextUser,
  paidOrder,
  placedOrder,
  unpaidOrderWithGrant,
} from "../testing/order-builders.ts";
import { useDatabase } from "../testing/use-database.ts";
import { searchOrderIds } from "./find-order-ids.ts";
import { listOrders } from "./list-orders.ts";
import { countOrders } from "./order-counts.ts";
import { readOrderDetail } from "./order-detail.ts";

const database = useDatabase();
const list = ({ cursor, ...filters }: Partial<OrderFilters> & { cursor?: string | undefined } = {}) =>
  listOrders(database().db, orderFilters.parse(filters), cursor);
const idsOf = async (filters: Partial<OrderFilters>) => (await list(filters)).rows.map((row) => row.orderId);

describe("the orders list", () => {
  test("sets what each order should have had against what it had", async () => {
    const { db } = database();
    const user = nextUser();
    const granted = await grantedOrder(db, { user, ageSeconds: 3 });
    const ungranted = await paidOrder(db, { ageSeconds: 2 });
    const given = await unpaidOrderWithGrant(db, { ageSeconds: 1 });
    const waiting = await placedOrder(db);

    const { rows } = await list();
    expect(rows).toMatchObject([
      { orderId: waiting.orderId, grantsExpected: 0, grantsActual: 0, creditsGranted: 0n, paymentCount: 0 },
      { orderId: given.orderId, grantsExpected: 0, grantsActual: 1, creditsGranted: 100n, paymentCount: 0 },
      { orderId: ungranted.orderId, grantsExpected: 1, grantsActual: 0, creditsGranted: 0n, paymentCount: 1 },
      {
        orderId: granted.orderId,
        state: "paid",
        amountTotalMinor: 1900n,
        currency: "eur",
        creditsExpected: 100n,
        customer: { kind: "user", ref: user },
        grantsExpected: 1,
        grantsActual: 1,
        creditsGranted: 100n,
        paymentCount: 1,
      },
    ]);
    expect(await idsOf({ view: "not_exactly_one" })).toEqual([given.orderId, ungranted.orderId]);
    expect(await countOrders(db)).toEqual({ notExactlyOne: 2 });
    expect(await idsOf({ view: "awaiting_payment" })).toEqual([waiting.orderId]);
  });

  test("counts a refunded or disputed order as one that must have its grant", async () => {
    const { db } = database();
    for (const state of ["partially_refunded", "refunded", "disputed"] as const)
      await grantedOrder(db, { state });
    expect(await countOrders(db)).toEqual({ notExactlyOne: 0 });
    await paidOrder(db, { state: "refunded" });
    expect(await countOrders(db)).toEqual({ notExactlyOne: 1 });
  });

  test("shows an order that has no customer, no amount and no currency yet", async () => {
    await database().db.insert(orders).values({ orderId: "order_bare" });
    expect((await list()).rows).toMatchObject([
      { orderId: "order_bare", state: "pending", customer: null, amountTotalMinor: null, currency: null },
    ]);
  });

  test("gives each of many orders once, newest first, also while orders come in", async () => {
    const { db } = database();
    const all: string[] = [];
    for (let n = 0; n < 120; n++) {
      // Seven at each instant: the instant alone does not say where a page ended.
      const createdAt = sql`'2026-01-01T00:00:00Z'::timestamptz + make_interval(secs => ${Math.floor(n / 7)} / 1e6)`;
      all.push((await placedOrder(db, { createdAt })).orderId);
    }
    const seen: string[] = [];
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ cursor });
      sizes.push(page.rows.length);
      seen.push(...page.rows.map((row) => row.orderId));
      cursor = page.nextCursor ?? undefined;
      await placedOrder(db);
    } while (cursor !== undefined);
    expect(sizes).toEqual([PAGE_SIZE, PAGE_SIZE, 20]);
    expect(seen.toSorted()).toEqual(all.toSorted());
  });

  test("finds an order by every id that belongs to it", async () => {
    const { db } = database();
    const user = nextUser();
    const order = await grantedOrder(db, { user });
    await grantedOrder(db);
    const { orderId, checkoutSessionId, paymentIntentId, chargeId } = order;
    for (const q of [orderId, checkoutSessionId, paymentIntentId, chargeId, user, ` ${orderId} `]) {
      expect(await idsOf({ q }), q).toEqual([orderId]);
    }
    for (const q of ["order_nobody_has", "a\u0000b"]) expect(await idsOf({ q })).toEqual([]);
  });

  // A scan of the history would take seconds where the orders are many.
  test.for(["order_000001", "pi_1"])("reads indexes only, looking for %s", async (id) => {
    const plan = await database().db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      return await tx.execute(sql`explain ${searchOrderIds(id)}`);
    });
    expect(JSON.stringify(plan)).not.toContain("Seq Scan");
  });
});

describe("one order", () => {
  test("shows its payments, its effects with what they booked, and its customer's balance over all orders", async () => {
    const { db } = database();
    const user = nextUser();
    await grantedOrder(db, { user, credits: 40n });
    const order = await grantedOrder(db, { user, presentmentAmount: 2100n, presentmentCurrency: "usd" });
    await db.transaction((tx) =>
      recordPayment(tx, {
        paymentId: "pi_second",
        orderId: order.orderId,
        checkoutSessionId: "cs_test_second",
        paymentIntentId: "pi_second",
        chargeId: null,
        amount: 1900n,
        currency: "eur",
        grants: false,
        paidAt: null,
      }),
    );
    const detail = await readOrderDetail(db, order.orderId);
    expect(detail.order).toMatchObject({
      orderId: order.orderId,
      checkoutSessionId: order.checkoutSessionId,
      version: 1n,
      amountSubtotalMinor: 1900n,
      presentment: { amountMinor: 2100n, currency: "usd" },
      paymentCount: 2,
    });
    expect(detail.payments.map((payment) => [payment.paymentId, payment.grants])).toEqual([
      [order.paymentIntentId, true],
      ["pi_second", false],
    ]);
    expect(detail.effects).toMatchObject([{ kind: "grant_credits", eventId: order.eventId, credits: 100n }]);
    expect(detail.balance).toBe(140n);
  });

  test("has no balance while it has no customer", async () => {
    await database().db.insert(orders).values({ orderId: "order_bare" });
    const { balance, order } = await readOrderDetail(database().db, "order_bare");
    expect({ balance, presentment: order.presentment }).toEqual({ balance: null, presentment: null });
  });

  test("that nobody placed is unknown", async () => {
    await expect(readOrderDetail(database().db, "order_nobody")).rejects.toMatchObject({
      code: "order_unknown",
    });
  });
});
