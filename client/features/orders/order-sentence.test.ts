import { describe, expect, test } from "vitest";
import type { EventRow, OrderDetail } from "#shared/desk-views.ts";
import { m } from "../../messages/generated/messages.js";
import { sampleEvent } from "../events/sample-event.ts";
import { orderSentence } from "./order-sentence.ts";

const at = new Date("2026-03-01T12:00:00Z");

function detail(order: Partial<OrderDetail["order"]>, events: EventRow[] = []): OrderDetail {
  return {
    now: at,
    order: {
      orderId: "order_1",
      account: "",
      state: "paid",
      currency: "jpy",
      amountTotalMinor: 4900n,
      creditsExpected: 40n,
      customer: null,
      createdAt: at,
      paidAt: at,
      grantsExpected: 1,
      grantsActual: 1,
      creditsGranted: 40n,
      paymentCount: 1,
      checkoutSessionId: "cs_1",
      version: 1n,
      amountSubtotalMinor: 4900n,
      presentment: null,
      ...order,
    },
    payments: [],
    effects: [],
    events,
    balance: null,
  };
}

describe("the sentence about an order", () => {
  test("says that a paid order has its credits", () => {
    const sentence = orderSentence(detail({}));
    expect(sentence?.tone).toBe("ok");
    expect(sentence?.text.replaceAll("\u00a0", " ")).toBe("JPY 4,900 paid, 40 credits granted once.");
  });

  // C90
  test("says that a paid order lacks its grant, and what to do next: wait for a worker, or see to the dead event", () => {
    const lacking = { grantsActual: 0, creditsGranted: 0n };
    const waiting = orderSentence(detail(lacking, [sampleEvent({ phase: "retrying" })]));
    const stuck = orderSentence(detail(lacking, [sampleEvent({ phase: "dead", status: "dead" })]));
    expect([waiting?.tone, stuck?.tone]).toEqual(["dead", "dead"]);
    expect(waiting?.next).toBe(m.order_not_granted_next());
    expect(stuck?.next).toBe(m.order_not_granted_dead());
    expect(stuck?.next).not.toBe(waiting?.next);
  });

  test("raises an order that was granted twice", () => {
    expect(orderSentence(detail({ grantsActual: 2 }))?.text).toContain("2 times");
  });

  // C77
  test("raises a second payment although the grant is right", () => {
    const sentence = orderSentence(detail({ paymentCount: 2 }));
    expect(sentence?.tone).toBe("retry");
    expect(sentence?.next).toContain("Refund");
  });

  test("is silent about an order that is not paid", () => {
    const unpaid = {
      state: "awaiting_payment",
      grantsExpected: 0,
      grantsActual: 0,
      paymentCount: 0,
    } as const;
    expect(orderSentence(detail(unpaid))).toBeNull();
  });
});
