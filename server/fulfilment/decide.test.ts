import { describe, expect, test } from "vitest";
import type { CheckoutSession } from "../stripe/checkout-session.ts";
import type { HandledType } from "../claims/event-types.ts";
import { decide, type Decision } from "./decide.ts";
import { beneficiaryOf } from "./identity.ts";
import type { OrderBefore, PricedItem, StripeOrder } from "./read.ts";

const session: CheckoutSession = {
  id: "cs_1",
  mode: "payment",
  status: "complete",
  payment_status: "paid",
  amount_subtotal: 1000n,
  amount_total: 1000n,
  currency: "usd",
  client_reference_id: null,
  customer: null,
  metadata: { order_id: "order_1", user_id: "user_1" },
  payment_link: null,
  payment_intent: {
    id: "pi_1",
    status: "succeeded",
    amount: 1000n,
    amount_received: 1000n,
    currency: "usd",
    latest_charge: { id: "ch_1", created: 1_796_000_000 },
  },
  presentment_details: null,
  lineItems: [],
};
const item: PricedItem = { priceId: "price_500", quantity: 1, credits: 500n };

interface Situation {
  session?: Partial<CheckoutSession>;
  items?: PricedItem[];
  account?: string;
  before?: Partial<OrderBefore>;
  app?: { key: string; value: string };
  eventType?: HandledType;
}

function decided(situation: Situation = {}): Decision {
  const now: StripeOrder = {
    account: situation.account ?? "",
    session: { ...session, ...situation.session },
    items: situation.items ?? [item],
  };
  const before: OrderBefore | null = situation.before
    ? {
        version: 1n,
        account: "",
        state: "pending",
        checkoutSessionId: "cs_1",
        grantingPaymentId: null,
        ...situation.before,
      }
    : null;
  return decide(now, before, {
    app: situation.app ?? null,
    eventType: situation.eventType ?? "checkout.session.completed",
  });
}

function applied(situation: Situation = {}) {
  const decision = decided(situation);
  if (decision.act !== "apply") throw new Error(`Not applied: ${decision.act}`);
  return decision;
}

describe("a paid session", () => {
  test("grants what its line items are worth, to the user the shop named", () => {
    expect(applied()).toMatchObject({
      orderId: "order_1",
      order: {
        state: "paid",
        currency: "usd",
        amountTotal: 1000n,
        credits: 500n,
        paidAt: new Date(1_796_000_000_000),
      },
      payment: { paymentId: "pi_1", chargeId: "ch_1", amount: 1000n, grants: true },
      grant: 500n,
      end: { status: "processed", outcome: "fulfilled" },
    });
  });

  test("grants by quantity, and an item that says nothing adds nothing beside one that does", () => {
    const items = [
      { ...item, quantity: 3 },
      { priceId: "price_40", quantity: 2, credits: 40n },
      { priceId: "shipping", quantity: 1, credits: null },
    ];
    expect(applied({ items }).grant).toBe(1580n);
  });

  // There is no payment intent and no charge when nothing was due. C54
  test("of which nothing was due grants too, under the session's own id", () => {
    const free = { payment_status: "no_payment_required", payment_intent: null, amount_total: 0n };
    expect(applied({ session: free })).toMatchObject({
      payment: {
        paymentId: "cs_1",
        paymentIntentId: null,
        chargeId: null,
        amount: 0n,
        grants: true,
        paidAt: null,
      },
      grant: 500n,
    });
  });

  test("whose amounts Stripe left open grants all the same, since the payment status decides", () => {
    const open = { amount_total: null, amount_subtotal: null, currency: null, payment_intent: null };
    expect(applied({ session: open })).toMatchObject({
      order: { amountTotal: null, currency: null },
      payment: { amount: null },
      grant: 500n,
    });
  });

  test("worth zero credits has its grant, of zero", () => {
    expect(applied({ items: [{ ...item, credits: 0n }] })).toMatchObject({
      grant: 0n,
      end: { outcome: "fulfilled" },
    });
  });

  test("whose order its own payment has granted changes nothing", () => {
    const before = { state: "paid", grantingPaymentId: "pi_1" } as const;
    expect(applied({ before })).toMatchObject({
      order: null,
      grant: null,
      end: { outcome: "already_fulfilled" },
    });
  });

  // Two tabs, two payments: the second is money without goods and must not be dropped without a word. C77
  test("whose order another payment has granted is a duplicate payment and grants nothing", () => {
    const before = { state: "paid", grantingPaymentId: "pi_0", checkoutSessionId: "cs_0" } as const;
    expect(applied({ before })).toMatchObject({
      order: null,
      payment: { paymentId: "pi_1", grants: false },
      grant: null,
      end: { outcome: "duplicate_payment" },
    });
  });

  test.for(["pending", "awaiting_payment", "payment_failed", "expired"] as const)(
    "pays an order that was %s",
    (state) => {
      expect(applied({ before: { state } })).toMatchObject({ order: { state: "paid" }, grant: 500n });
    },
  );

  test("without known credits dies, and its order stands as paid without a grant", () => {
    const decision = applied({ items: [{ ...item, credits: null }] });
    expect(decision).toMatchObject({
      order: { state: "paid", credits: null },
      payment: { grants: false },
      grant: null,
      end: { status: "dead", code: "price_without_credits" },
    });
  });

  // A grant is made once and for ever, so an order must never be granted short.
  test("of which one price states its credits unreadably dies, even beside one that states them well", () => {
    const items = [item, { priceId: "price_1000", quantity: 1, credits: "unreadable" as const }];
    const decision = applied({ items, session: { metadata: null } });
    expect(decision).toMatchObject({ grant: null, end: { code: "price_without_credits" } });
    expect(decision.end).toHaveProperty("message", "No whole number of credits is stated for price_1000.");
  });

  test("of an order id that belongs to another Stripe account dies and touches nothing", () => {
    expect(decided({ account: "acct_1", before: {} })).toMatchObject({
      act: "ignore",
      end: { code: "order_mismatch" },
    });
  });

  test.for(["subscription", "setup", null, "something_new"])(
    "of mode %s is never taken for a one-off payment",
    (mode) => {
      expect(decided({ session: { mode } })).toMatchObject({
        act: "ignore",
        end: { status: "dead", code: "unsupported_mode" },
      });
    },
  );
});

describe("a session that is not paid", () => {
  const unpaid = {
    payment_status: "unpaid",
    payment_intent: { ...session.payment_intent, id: "pi_1", status: "processing" },
  };

  // Not an error and not the end: the money is on its way, for days. C32, C33
  test("and complete awaits its payment without credits", () => {
    expect(applied({ session: unpaid })).toMatchObject({
      order: { state: "awaiting_payment", paidAt: null },
      payment: null,
      grant: null,
      end: { outcome: "awaiting_payment" },
    });
  });

  test.for(["requires_payment_method", "canceled"])("whose payment intent is %s has failed", (status) => {
    const failed = { ...unpaid, payment_intent: { ...unpaid.payment_intent, status } };
    expect(applied({ session: failed })).toMatchObject({ order: { state: "payment_failed" }, grant: null });
  });

  // It is the last event of this payment: settled now, the money would never be noticed.
  test("although its event says that the payment arrived is read again later", () => {
    expect(decided({ session: unpaid, eventType: "checkout.session.async_payment_succeeded" })).toMatchObject(
      { act: "wait" },
    );
    expect(decided({ session: unpaid, eventType: "checkout.session.async_payment_failed" })).toMatchObject({
      act: "wait",
    });
    const granted = { state: "paid", grantingPaymentId: "pi_0", checkoutSessionId: "cs_0" } as const;
    expect(
      decided({ session: unpaid, before: granted, eventType: "checkout.session.async_payment_succeeded" }),
    ).toMatchObject({
      act: "apply",
      end: { outcome: "superseded" },
    });
  });

  test("and expired ends the order that waited for it", () => {
    const expired = { ...unpaid, status: "expired", payment_intent: null };
    expect(applied({ session: expired, before: { state: "pending" } })).toMatchObject({
      order: { state: "expired" },
    });
  });

  test("and still open is read again later", () => {
    expect(decided({ session: { ...unpaid, status: "open" } })).toMatchObject({ act: "wait" });
    expect(decided({ session: { ...unpaid, status: "something_new" } })).toMatchObject({ act: "wait" });
  });

  test.for(["expired", "complete"])("and %s never moves a paid order", (status) => {
    const before = { state: "paid", grantingPaymentId: "pi_0", checkoutSessionId: "cs_0" } as const;
    expect(applied({ session: { ...unpaid, status }, before })).toMatchObject({
      order: null,
      grant: null,
      end: { outcome: "superseded" },
    });
  });

  test("does not fail an order whose other session awaits its payment", () => {
    const failed = {
      ...unpaid,
      payment_intent: { ...unpaid.payment_intent, status: "requires_payment_method" },
    };
    const before = { state: "awaiting_payment", checkoutSessionId: "cs_0" } as const;
    expect(applied({ session: failed, before })).toMatchObject({
      order: null,
      end: { outcome: "superseded" },
    });
    expect(applied({ session: failed, before: { ...before, checkoutSessionId: "cs_1" } })).toMatchObject({
      order: { state: "payment_failed" },
    });
  });
});

describe("a session of unknown standing", () => {
  // Enums are open: a value this version does not know must neither crash nor be read as paid.
  test.for(["partially_paid", ""])("with payment status %s is neither paid nor unpaid", (payment_status) => {
    expect(decided({ session: { payment_status } })).toMatchObject({
      act: "ignore",
      end: { status: "dead", code: "unknown_payment_status" },
    });
  });

  test("is not ours without an order id and without credits, whatever its mode", () => {
    const foreign = { metadata: {}, mode: "subscription" };
    expect(decided({ session: foreign, items: [{ ...item, credits: null }] })).toMatchObject({
      act: "ignore",
      end: { outcome: "not_ours" },
    });
    expect(decided({ session: { metadata: null }, items: [] })).toMatchObject({
      end: { outcome: "not_ours" },
    });
  });

  test("is ours by its price alone, as an order of its own", () => {
    expect(applied({ session: { metadata: null } })).toMatchObject({ orderId: "cs_1", grant: 500n });
  });

  test("of another application on the account is not ours", () => {
    const app = { key: "app", value: "credits" };
    expect(decided({ app })).toMatchObject({ end: { outcome: "not_ours" } });
    expect(applied({ app, session: { metadata: { app: "credits" } } })).toMatchObject({ grant: 500n });
  });
});

describe("the beneficiary", () => {
  const of = (overrides: Partial<CheckoutSession>) => {
    const { kind, ref } = beneficiaryOf({ ...session, metadata: { order_id: "order_1" }, ...overrides });
    return `${kind} ${ref}`;
  };
  test.for<[string, Partial<CheckoutSession>, string]>([
    [
      "the user in the metadata",
      { metadata: { user_id: " user_1 " }, client_reference_id: "other", customer: "cus_1" },
      "user user_1",
    ],
    ["the client reference", { client_reference_id: "user_2", customer: "cus_1" }, "user user_2"],
    [
      "not a client reference that a buyer could set",
      { client_reference_id: "user_2", payment_link: "plink_1", customer: "cus_1" },
      "stripe_customer cus_1",
    ],
    ["not a client reference that is the order", { client_reference_id: "order_1" }, "guest order_1"],
    ["Stripe's customer", { customer: "cus_1" }, "stripe_customer cus_1"],
    ["the order itself for a guest", {}, "guest order_1"],
    ["the session for a guest without an order id", { metadata: null }, "guest cs_1"],
    [
      "nobody named by a NUL or by blanks",
      { metadata: { user_id: "a\u0000b" }, client_reference_id: "  " },
      "guest cs_1",
    ],
  ])("is %s", ([, overrides, expected]) => {
    expect(of(overrides)).toBe(expected);
  });
});
