import type { OrderState } from "#shared/order-state.ts";
import type { PermanentCode, SettledOutcome } from "#shared/outcomes.ts";
import type { HandledType } from "../claims/event-types.ts";
import { isPaidState, mayOrderMove } from "../orders/transitions.ts";
import type { PaymentRecord } from "../payments/record.ts";
import { type Beneficiary, beneficiaryOf, namesOrder, orderIdOf } from "./identity.ts";
import type { OrderBefore, PricedItem, StripeOrder } from "./read.ts";

export interface DecideOptions {
  /** The type of the event that asks. It never decides what the order becomes, only whether this can be the end. */
  eventType: HandledType;
  /** The metadata our sessions carry; null if every session of the account may be ours. */
  app: { key: string; value: string } | null;
}

/** What the order becomes. Null fields are what Stripe left open. */
export interface OrderTarget {
  state: OrderState;
  checkoutSessionId: string;
  currency: string | null;
  amountSubtotal: bigint | null;
  amountTotal: bigint | null;
  presentmentAmount: bigint | null;
  presentmentCurrency: string | null;
  credits: bigint | null;
  beneficiary: Beneficiary;
  /** Null: the instant of the write. */
  paidAt: Date | null;
}

/** A payment of the order that is decided on. */
export type PaymentTarget = Omit<PaymentRecord, "orderId">;

export type EventEnd =
  | { status: "processed"; outcome: SettledOutcome }
  | { status: "dead"; code: PermanentCode; message: string };

export type Decision =
  /** Nothing of ours: only the event is settled. */
  | { act: "ignore"; end: EventEnd }
  /** What Stripe says cannot be final: read it again later. */
  | { act: "wait"; message: string }
  | {
      act: "apply";
      orderId: string;
      /** Null: the order keeps its state, because this session does not decide it. */
      order: OrderTarget | null;
      payment: PaymentTarget | null;
      /** Credits to grant, once and for ever; null: none by this event. */
      grant: bigint | null;
      end: EventEnd;
    };

/**
 * Decides what an order's present state in Stripe means for it here. Pure: the same state and the same order always
 * make the same of it, whichever event asked and in whatever order events arrive. The event's type only says whether
 * what Stripe shows can be all of its news.
 */
export function decide(
  now: StripeOrder,
  before: OrderBefore | null,
  { app, eventType }: DecideOptions,
): Decision {
  const { session } = now;
  const credits = creditsOf(now.items);
  const isOurs =
    (namesOrder(session) || now.items.some((item) => item.credits !== null)) &&
    (app === null || session.metadata?.[app.key] === app.value);
  if (!isOurs) return { act: "ignore", end: { status: "processed", outcome: "not_ours" } };

  if (session.mode !== "payment") {
    return dies("unsupported_mode", `Session ${session.id} has mode ${session.mode ?? "null"}.`);
  }
  if (before !== null && before.account !== now.account) {
    return dies("order_mismatch", `Order ${orderIdOf(session)} belongs to another Stripe account.`);
  }
  switch (session.payment_status) {
    case "paid":
    case "no_payment_required":
      return decidePaid(now, before, credits);
    case "unpaid":
      return decideUnpaid(now, before, { credits, eventType });
    default:
      return dies(
        "unknown_payment_status",
        `Session ${session.id} has payment_status ${session.payment_status}.`,
      );
  }
}

function decidePaid(now: StripeOrder, before: OrderBefore | null, credits: bigint | null): Decision {
  const orderId = orderIdOf(now.session);
  const payment = paymentOf(now);
  if (before?.grantingPaymentId !== null && before?.grantingPaymentId !== undefined) {
    const isSame = before.grantingPaymentId === payment.paymentId;
    return {
      act: "apply",
      orderId,
      order: null,
      payment: { ...payment, grants: isSame },
      grant: null,
      end: { status: "processed", outcome: isSame ? "already_fulfilled" : "duplicate_payment" },
    };
  }
  const order = targetOf(now, { state: "paid", credits });
  if (credits === null) {
    // The order is kept as paid without a grant, so that the list of orders that are not at exactly one has it.
    const isUnreadable = now.items.some((item) => item.credits === "unreadable");
    const culprits = now.items.filter((item) => !isUnreadable || item.credits === "unreadable");
    const prices = culprits.map((item) => item.priceId ?? "an item without a price").join(", ");
    return {
      act: "apply",
      orderId,
      order: isBehind(before) ? null : order,
      payment: { ...payment, grants: false },
      grant: null,
      end: {
        status: "dead",
        code: "price_without_credits",
        message: `${isUnreadable ? "No whole number of credits is stated" : "No credits are known"} for ${prices || "any item"}.`,
      },
    };
  }
  return {
    act: "apply",
    orderId,
    order,
    payment: { ...payment, grants: true },
    grant: credits,
    end: { status: "processed", outcome: "fulfilled" },
  };
}

function decideUnpaid(
  now: StripeOrder,
  before: OrderBefore | null,
  { credits, eventType }: { credits: bigint | null; eventType: HandledType },
): Decision {
  const { session } = now;
  const target = unpaidState(now);
  // Nothing can be lost once a payment has granted, so a contradiction about another session need not wait.
  const isOpenStill = before === null || before.grantingPaymentId === null;
  if (target === null || (isOpenStill && contradicts(eventType, target))) {
    const state = session.status ?? "null";
    return {
      act: "wait",
      message: `Session ${session.id} is ${state} and unpaid, though ${eventType} says otherwise.`,
    };
  }
  const isSameSession = before?.checkoutSessionId === session.id || before?.checkoutSessionId === null;
  const moves = before === null || mayOrderMove(before.state, target, { isSameSession });
  return {
    act: "apply",
    orderId: orderIdOf(session),
    order: moves ? targetOf(now, { state: target, credits }) : null,
    payment: null,
    grant: null,
    end: { status: "processed", outcome: moves ? target : "superseded" },
  };
}

/** The payment's success or failure was the news, and Stripe does not show it yet. No later event would bring it. */
function contradicts(
  eventType: HandledType,
  target: "awaiting_payment" | "payment_failed" | "expired",
): boolean {
  if (eventType === "checkout.session.async_payment_succeeded") return true;
  return eventType === "checkout.session.async_payment_failed" && target === "awaiting_payment";
}

/** Null while the checkout still goes on. */
function unpaidState({ session }: StripeOrder): "awaiting_payment" | "payment_failed" | "expired" | null {
  if (session.status === "expired") return "expired";
  if (session.status !== "complete") return null;
  // After a delayed payment failed, Stripe asks its payment intent for another payment method.
  const status = session.payment_intent?.status;
  return status === "requires_payment_method" || status === "canceled"
    ? "payment_failed"
    : "awaiting_payment";
}

/** An order that money has reached keeps the payment that reached it first as the one it shows. */
function isBehind(before: OrderBefore | null): boolean {
  return before !== null && isPaidState(before.state);
}

function targetOf(
  now: StripeOrder,
  { state, credits }: { state: OrderState; credits: bigint | null },
): OrderTarget {
  const { session } = now;
  return {
    state,
    checkoutSessionId: session.id,
    currency: session.currency?.toLowerCase() ?? null,
    amountSubtotal: session.amount_subtotal ?? null,
    amountTotal: session.amount_total ?? null,
    presentmentAmount: session.presentment_details?.presentment_amount ?? null,
    presentmentCurrency: session.presentment_details?.presentment_currency.toLowerCase() ?? null,
    credits,
    beneficiary: beneficiaryOf(session),
    paidAt: isPaidState(state) ? paidAtOf(now) : null,
  };
}

function paymentOf(now: StripeOrder): Omit<PaymentTarget, "grants"> {
  const { session } = now;
  const intent = session.payment_intent ?? null;
  return {
    paymentId: intent?.id ?? session.id,
    checkoutSessionId: session.id,
    paymentIntentId: intent?.id ?? null,
    chargeId: intent?.latest_charge?.id ?? null,
    amount: intent?.amount_received ?? session.amount_total ?? null,
    currency: (intent?.currency ?? session.currency)?.toLowerCase() ?? null,
    paidAt: paidAtOf(now),
  };
}

/** Books go by payment time: the charge's, which can be days after the session's. */
function paidAtOf({ session }: StripeOrder): Date | null {
  const created = session.payment_intent?.latest_charge?.created ?? null;
  return created === null ? null : new Date(created * 1000);
}

/**
 * Credits of the whole order, from its items as Stripe has them now. An item that says nothing beside others that do (a
 * shipping fee) adds nothing. Null if no item says what it is worth, and also if one says it unreadably: a grant is made
 * once and for ever, so an order is never granted short.
 */
function creditsOf(items: readonly PricedItem[]): bigint | null {
  let sum: bigint | null = null;
  for (const { credits, quantity } of items) {
    if (credits === "unreadable") return null;
    if (credits !== null) sum = (sum ?? 0n) + BigInt(quantity) * credits;
  }
  return sum;
}

function dies(code: PermanentCode, message: string): Decision {
  return { act: "ignore", end: { status: "dead", code, message } };
}
