import { describe, expect, test } from "vitest";
import { customers } from "../db/schema/customers.ts";
import { readOrderDetail } from "../orders/order-detail.ts";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { useDatabase } from "../testing/use-database.ts";

const database = useDatabase();
const { stripe, worker, deliver, drain, state, granted } = useFulfilment(database);
const ORDER = { order_id: "order_1", user_id: "user_1" };
const RETRIEVE = /^\/v1\/checkout\/sessions\/[^/]+$/;
const completed = "checkout.session.completed";

describe("a paid order", () => {
  test("has its credits granted once, to the user the shop named", async () => {
    const { sessionId, paymentIntentId, chargeId } = await stripe().sessions.create({ metadata: ORDER });
    await deliver(sessionId);
    await drain();
    const { events, orders: made, payments, effects } = await state();
    expect(events[0]).toMatchObject({
      status: "processed",
      outcome: "fulfilled",
      orderId: "order_1",
      attempt: 1,
    });
    expect(made[0]).toMatchObject({
      orderId: "order_1",
      state: "paid",
      amountTotal: 4900n,
      currency: "chf",
      credits: 40n,
      version: 1n,
    });
    expect(payments[0]).toMatchObject({ paymentId: paymentIntentId, chargeId, grants: true, amount: 4900n });
    expect(effects[0]).toMatchObject({
      kind: "grant_credits",
      subject: "",
      eventId: events[0]?.eventId,
      attempt: 1,
    });
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
    expect(await database().db.select().from(customers)).toMatchObject([{ kind: "user", ref: "user_1" }]);
  });

  // Resends, twins and the other type that means the same: three events, three workers, one instant. C14
  test("is granted once by many events handled at the same instant", async () => {
    const { sessionId } = await stripe().sessions.create({ state: "settled", metadata: ORDER });
    await deliver(sessionId);
    await deliver(sessionId, "checkout.session.async_payment_succeeded");
    await deliver(sessionId, "checkout.session.expired");
    await Promise.all(
      ["ada", "bob", "cleo"].map((name) => worker({ worker: name, concurrency: 1 }).runOnce()),
    );
    await drain();
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
    const { events } = await state();
    expect(events.map((event) => event.outcome).toSorted()).toEqual([
      "already_fulfilled",
      "already_fulfilled",
      "fulfilled",
    ]);
  });

  test("of many customers is granted to each, by competing workers", async () => {
    for (let n = 0; n < 20; n++) {
      const { sessionId } = await stripe().sessions.create({
        metadata: { order_id: `order_${n}`, user_id: `user_${n % 3}` },
      });
      await deliver(sessionId);
    }
    const competing = ["ada", "bob", "cleo"].map((name) => worker({ worker: name }));
    await Promise.all(competing.map((one) => one.runOnce()));
    await drain();
    expect(await granted()).toEqual({ grants: 20, credits: 800n });
    expect(await database().db.$count(customers)).toBe(3);
  });

  // One order's grant must never be taken for another's, or a paid order ends as a duplicate without credits.
  test("is told apart from the other orders that were granted before it", async () => {
    const waiting = await stripe().sessions.create({ state: "unpaid", metadata: ORDER });
    await deliver(waiting.sessionId);
    for (const id of ["order_2", "order_3"]) {
      const { sessionId } = await stripe().sessions.create({ state: "settled", metadata: { order_id: id } });
      await deliver(sessionId);
      await deliver(sessionId, "checkout.session.async_payment_succeeded");
    }
    await drain();
    await stripe().sessions.settle(waiting.sessionId, { deliver: false });
    await deliver(waiting.sessionId, "checkout.session.async_payment_succeeded");
    await drain();
    const { events, orders: made } = await state();
    expect(events.map((event) => event.status)).toEqual(Array.from({ length: 6 }, () => "processed"));
    expect(made.map((order) => order.state)).toEqual(["paid", "paid", "paid"]);
    expect(await granted()).toEqual({ grants: 3, credits: 120n });
  });

  test("counts quantities over all pages of its line items", async () => {
    const items = Array.from({ length: 23 }, (_, n) => ({ credits: 1, quantity: n + 1 }));
    const { sessionId } = await stripe().sessions.create({ items, metadata: ORDER });
    await deliver(sessionId);
    await drain();
    expect((await granted()).credits).toBe(276n);
  });

  // Divided by a hundred on the way in, yen are lost for good; no formatting brings them back. C49, C50
  test.for([
    ["jpy", 1000, 1000n],
    ["kwd", 5120, 5120n],
    ["isk", 50000, 50000n],
  ] as const)("in %s keeps Stripe's minor units as they are", async ([currency, unitAmount, amount]) => {
    const { sessionId } = await stripe().sessions.create({
      currency,
      items: [{ unitAmount }],
      metadata: ORDER,
    });
    await deliver(sessionId);
    await drain();
    const { order, payments } = await readOrderDetail(database().db, "order_1");
    expect(order).toMatchObject({ currency, amountTotalMinor: amount, amountSubtotalMinor: amount });
    expect(payments).toMatchObject([{ currency, amountMinor: amount }]);
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });

  test("of a guest is granted to the order itself", async () => {
    const { sessionId } = await stripe().sessions.create();
    await deliver(sessionId);
    await drain();
    expect(await database().db.select().from(customers)).toMatchObject([{ kind: "guest", ref: sessionId }]);
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });

  // C54
  test("of which a coupon left nothing to pay is granted without a payment intent", async () => {
    const { sessionId } = await stripe().sessions.create({ state: "free", metadata: ORDER });
    await deliver(sessionId);
    await drain();
    const { payments, orders: made } = await state();
    expect(payments[0]).toMatchObject({
      paymentId: sessionId,
      paymentIntentId: null,
      amount: 0n,
      grants: true,
    });
    expect(made[0]?.paidAt).not.toBeNull();
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });

  // Both amounts are in the smallest unit of the currency that stands beside them. C53
  test.for([
    ["jpy", 1634, 1634n],
    ["eur", 90, 90n],
  ] as const)(
    "shown in %s keeps its own currency, and notes what the buyer saw",
    async ([currency, amount, amountMinor]) => {
      const { sessionId } = await stripe().sessions.create({
        metadata: ORDER,
        presentment: { amount, currency },
      });
      await deliver(sessionId);
      await drain();
      const { order } = await readOrderDetail(database().db, "order_1");
      expect(order).toMatchObject({
        currency: "chf",
        amountTotalMinor: 4900n,
        presentment: { amountMinor, currency },
      });
    },
  );

  test("that another account's order has the id of dies and touches neither", async () => {
    const ours = await stripe().sessions.create({ metadata: ORDER });
    await deliver(ours.sessionId);
    await drain();
    const theirs = await stripe().sessions.create({ account: "acct_served", metadata: ORDER });
    const eventId = await deliver(theirs.sessionId, completed, "acct_served");
    await drain();
    const { events } = await state();
    expect(events.find((event) => event.eventId === eventId)).toMatchObject({
      status: "dead",
      lastErrorCode: "order_mismatch",
    });
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });
});

describe("a second payment", () => {
  // Two tabs, two sessions, both paid: dropped without a word it surfaces in bookkeeping. C77
  test("for one order is kept as a duplicate payment and grants nothing, even at the same instant", async () => {
    const [one, two] = [
      await stripe().sessions.create({ metadata: ORDER }),
      await stripe().sessions.create({ metadata: ORDER }),
    ];
    await deliver(one.sessionId);
    await deliver(two.sessionId);
    await Promise.all(["ada", "bob"].map((name) => worker({ worker: name, concurrency: 1 }).runOnce()));
    await drain();
    const { events, payments } = await state();
    expect(events.map((event) => event.outcome).toSorted()).toEqual(["duplicate_payment", "fulfilled"]);
    expect(payments.map((payment) => payment.grants).toSorted()).toEqual([false, true]);
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });

  // Metadata can be edited in Stripe; one payment must not grant two orders.
  test("is not made of one whose order id was changed afterwards", async () => {
    const { sessionId } = await stripe().sessions.create({ state: "settled", metadata: ORDER });
    await deliver(sessionId);
    await drain();
    await stripe().controls.mutateSession(sessionId, { metadata: { order_id: "order_2" } });
    await deliver(sessionId, "checkout.session.async_payment_succeeded");
    await drain();
    const { events, orders: made } = await state();
    expect(events.map((event) => event.lastErrorCode)).toContain("order_mismatch");
    expect(made.map((order) => order.orderId)).toEqual(["order_1"]);
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });
});

describe("a delayed payment", () => {
  // C33
  test("holds the credits until the money arrives", async () => {
    const { sessionId } = await stripe().sessions.create({ state: "unpaid", metadata: ORDER });
    await deliver(sessionId);
    await drain();
    expect((await state()).orders[0]).toMatchObject({ state: "awaiting_payment", paidAt: null });
    expect(await granted()).toEqual({ grants: 0, credits: 0n });
    await stripe().sessions.settle(sessionId, { deliver: false });
    await deliver(sessionId, "checkout.session.async_payment_succeeded");
    await drain();
    expect((await state()).orders[0]).toMatchObject({ state: "paid" });
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });

  test("that fails ends the order without credits, and a new session may pay it", async () => {
    const { sessionId } = await stripe().sessions.create({ state: "failed", metadata: ORDER });
    await deliver(sessionId, "checkout.session.async_payment_failed");
    await drain();
    expect((await state()).orders[0]).toMatchObject({ state: "payment_failed" });
    const again = await stripe().sessions.create({ metadata: ORDER });
    await deliver(again.sessionId);
    await drain();
    expect((await state()).orders[0]).toMatchObject({ state: "paid", checkoutSessionId: again.sessionId });
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });

  // The first worker read "unpaid" and paused; the second granted; the first wakes up and writes. C19
  test("never moves a paid order back by a stale read", async () => {
    const { sessionId } = await stripe().sessions.create({ state: "unpaid", metadata: ORDER });
    await deliver(sessionId);
    let answer: () => void = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    const stale = await retrieveNow(sessionId);
    stripe().controls.answerNext({ path: RETRIEVE, change: () => stale });
    stripe().controls.delayNext({ path: RETRIEVE, until: held });
    const asked = stripe().controls.requests.length;
    const slow = worker({ worker: "slow" }).runOnce();
    await expect
      .poll(() => stripe().controls.requests.length, { interval: 5, timeout: 10_000 })
      .toBe(asked + 1);
    await stripe().sessions.settle(sessionId, { deliver: false });
    await deliver(sessionId, "checkout.session.async_payment_succeeded");
    await worker({ worker: "quick" }).runOnce();
    answer();
    await slow;
    const { events, orders: made } = await state();
    expect(made[0]).toMatchObject({ state: "paid" });
    expect(events.map((event) => event.status)).toEqual(["processed", "processed"]);
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });
});

async function retrieveNow(sessionId: string): Promise<unknown> {
  const { apiBase, secretKey } = stripe();
  const query = "expand[]=payment_intent.latest_charge&expand[]=line_items.data.price.product";
  const answer = await fetch(`${apiBase}/v1/checkout/sessions/${sessionId}?${query}`, {
    headers: { authorization: `Bearer ${secretKey}` },
  });
  return await answer.json();
}
