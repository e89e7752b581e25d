import { describe, expect, test } from "vitest";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { useDatabase } from "../testing/use-database.ts";

const database = useDatabase();
const { stripe, deliver, receive, redeliver, drain, makeDue, state, granted } = useFulfilment(database);
const ORDER = { order_id: "order_1", user_id: "user_1" };

describe("an event that is early", () => {
  // An application that had answered and found nothing left its orders pending for ever. C15
  test("for an order that is only being written waits visibly, and grants once it is there", async () => {
    const writer = await database().sql.reserve();
    await writer`begin`;
    await writer`insert into orders (order_id) values ('order_1')`;
    const { sessionId } = await stripe().sessions.create({ metadata: ORDER });
    await deliver(sessionId);

    await drain({ budgetSeconds: 11 });
    const early = await state();
    expect(early.events[0]).toMatchObject({
      status: "processing",
      claimToken: null,
      attempt: 1,
      failures: 1,
      lastErrorCode: "database_error",
    });
    expect(early.attempts).toMatchObject([{ attempt: 1, result: "retry", errorCode: "database_error" }]);
    expect(await granted()).toEqual({ grants: 0, credits: 0n });

    await writer`commit`;
    writer.release();
    await makeDue();
    await drain();
    expect((await state()).events[0]).toMatchObject({ outcome: "fulfilled", attempt: 2 });
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });

  test("for a session that Stripe does not show yet is tried again, not finished", async () => {
    const { sessionId } = await stripe().sessions.create({ metadata: ORDER });
    await deliver(sessionId);
    stripe().controls.failNext({ path: /^\/v1\/checkout\/sessions\//, status: 404 });
    await drain();
    expect((await state()).events[0]).toMatchObject({
      status: "processing",
      attempt: 1,
      lastErrorCode: "stripe_object_not_found",
    });
    await makeDue();
    await drain();
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });
});

describe("the news of a declined card", () => {
  let declines = 0;
  const declined = (paymentIntentId: string, createdAt: number) => {
    declines += 1;
    return {
      id: `evt_declined_${declines}`,
      object: "event",
      type: "payment_intent.payment_failed",
      livemode: false,
      created: createdAt,
      data: {
        object: {
          id: paymentIntentId,
          object: "payment_intent",
          status: "requires_payment_method",
          metadata: ORDER,
        },
      },
    };
  };

  // The buyer tried another card and paid. What the first card did may be told late, and more than once. C20
  test("never touches the order, in whatever order it comes, and each try is kept", async () => {
    const { sessionId, paymentIntentId } = await stripe().sessions.create({ metadata: ORDER });
    if (paymentIntentId === null) throw new Error("Bug!");
    const [first, second] = [
      declined(paymentIntentId, 1_796_000_060),
      declined(paymentIntentId, 1_796_000_000),
    ];
    const requests = stripe().controls.requests.length;

    expect(await receive(first)).toBe("claimed");
    await drain();
    expect((await state()).orders).toEqual([]);
    await deliver(sessionId);
    await drain();
    const paid = await state();
    expect(await redeliver(first.id)).toBe("redelivery");
    expect(await receive(second)).toBe("claimed");
    await drain();

    const after = await state();
    expect(after.orders).toEqual(paid.orders);
    expect(after.orders[0]).toMatchObject({ state: "paid", version: 1n });
    expect(after.payments).toEqual(paid.payments);
    const kept = after.events.filter((event) => event.eventType === "payment_intent.payment_failed");
    expect(kept.map((event) => [event.eventId, event.outcome]).toSorted()).toEqual([
      [first.id, "recorded"],
      [second.id, "recorded"],
    ]);
    expect(stripe().controls.requests.length - requests).toBe(1);
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });
});

describe("a delayed payment's news", () => {
  async function awaiting(): Promise<string> {
    const { sessionId } = await stripe().sessions.create({ state: "unpaid", metadata: ORDER });
    await deliver(sessionId);
    await drain();
    expect((await state()).orders[0]).toMatchObject({ state: "awaiting_payment", paidAt: null });
    expect((await state()).events[0]).toMatchObject({ status: "processed", outcome: "awaiting_payment" });
    // Days go by: nothing about the first event may have to be young.
    await database().sql`update processed_stripe_events
      set created_at = created_at - interval '6 days', processed_at = processed_at - interval '6 days'`;
    return sessionId;
  }

  // Stored as the end of the matter, "unpaid" would make the money's arrival pass unnoticed. C33
  test("of success, days later, grants once", async () => {
    const sessionId = await awaiting();
    await stripe().sessions.settle(sessionId, { deliver: false });
    await deliver(sessionId, "checkout.session.async_payment_succeeded");
    await drain();
    expect((await state()).orders[0]).toMatchObject({ state: "paid", checkoutSessionId: sessionId });
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });

  // C33
  test("of failure, days later, ends the order without credits, and a new attempt may pay it", async () => {
    const sessionId = await awaiting();
    await stripe().sessions.settle(sessionId, { fails: true, deliver: false });
    await deliver(sessionId, "checkout.session.async_payment_failed");
    await drain();
    expect((await state()).orders[0]).toMatchObject({ state: "payment_failed", paidAt: null });
    expect(await granted()).toEqual({ grants: 0, credits: 0n });

    const again = await stripe().sessions.create({ metadata: ORDER });
    await deliver(again.sessionId);
    await drain();
    expect((await state()).orders[0]).toMatchObject({ state: "paid", checkoutSessionId: again.sessionId });
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });

  // Buyers who were shown an error paid again and again, and all their debits arrived. C32
  test("that it is on its way is neither a failure nor credits, and a repeat of it changes nothing", async () => {
    const sessionId = await awaiting();
    const before = await state();
    expect(await redeliver(before.events[0]?.eventId ?? "")).toBe("redelivery");
    await deliver(sessionId, "checkout.session.completed");
    await drain();
    expect((await state()).orders).toEqual(before.orders);
    expect((await state()).events.map((event) => event.lastErrorCode)).toEqual([null]);
    expect(await granted()).toEqual({ grants: 0, credits: 0n });
  });
});
