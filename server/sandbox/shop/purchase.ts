import { setTimeout as wait } from "node:timers/promises";
import type Stripe from "stripe";
import type { DeliverOptions } from "../emulator/world.ts";
import type { Emulator } from "../emulator.ts";
import type { Catalog } from "./packages.ts";
import type { PurchaseKind, PurchasePlan } from "./purchase-plan.ts";

/** Looks that Stripe answers with a 500. Retries wait 5, 15, 45 seconds and so on. */
const UNREADABLE_LOOKS = 2;
/** Some ten minutes of retries, so that the desk's first visitor still finds it. */
const LONG_UNREADABLE_LOOKS = 5;
/** Below the ten seconds after which a worker gives a call up. */
const SLOW_ANSWER_MS = 7000;
const OVERTAKEN_DELAY_MS = 1500;

export interface PurchaseContext {
  /** The real client: the shop talks to the emulator as it would to Stripe. */
  stripe: Stripe;
  emulator: Emulator;
  catalog: Catalog;
  /** Told of each session the shop opens, before anybody can pay it. */
  onSession: (sessionId: string) => void;
  /** Ends waits when the shop closes. */
  closing: AbortSignal;
}

/** What is left to happen to it: a bank's answer, or the end of an open session. */
export interface PurchaseEnd {
  transfers: { sessionId: string; fails: boolean }[];
  abandoned: string[];
}

const DELIVERY: Partial<Record<PurchaseKind, DeliverOptions>> = {
  redelivered: { times: 3 },
  crowded: { times: 4, parallel: true },
  twin: { twin: true },
  reversed: { reversed: true, delayMs: 400 },
};

/** Carries one purchase out, up to where it has to wait for somebody. */
export async function purchase(context: PurchaseContext, plan: PurchasePlan): Promise<PurchaseEnd> {
  const { emulator } = context;
  const sessionId = await openSession(context, plan);
  switch (plan.kind) {
    case "abandoned":
      return { transfers: [], abandoned: [sessionId] };
    case "transfer":
    case "failing_transfer":
      await emulator.sessions.pay(sessionId, { method: "bank_transfer" });
      return { transfers: [{ sessionId, fails: plan.kind === "failing_transfer" }], abandoned: [] };
    case "overtaken":
      await emulator.sessions.pay(sessionId, {
        method: "bank_transfer",
        deliver: { delayMs: OVERTAKEN_DELAY_MS },
      });
      await emulator.sessions.settle(sessionId);
      break;
    case "gift":
      await emulator.sessions.pay(sessionId, { method: "free" });
      break;
    case "paid_twice":
      await emulator.sessions.pay(sessionId);
      // The buyer had the page open in two tabs.
      await emulator.sessions.pay(await openSession(context, plan));
      break;
    case "unreadable":
    case "long_unreadable":
      emulator.controls.failNext({
        path: pathOf(sessionId),
        method: "GET",
        status: 500,
        times: plan.kind === "unreadable" ? UNREADABLE_LOOKS : LONG_UNREADABLE_LOOKS,
      });
      await emulator.sessions.pay(sessionId);
      break;
    case "slow":
      emulator.controls.delayNext({
        path: pathOf(sessionId),
        method: "GET",
        until: wait(SLOW_ANSWER_MS, undefined, { signal: context.closing }).catch(() => {}),
      });
      await emulator.sessions.pay(sessionId);
      break;
    case "card":
    case "redelivered":
    case "crowded":
    case "twin":
    case "reversed":
    case "without_credits":
      await emulator.sessions.pay(sessionId, { deliver: DELIVERY[plan.kind] ?? {} });
  }
  return { transfers: [], abandoned: [] };
}

async function openSession(
  { stripe, catalog, onSession }: PurchaseContext,
  plan: PurchasePlan,
): Promise<string> {
  const { buyer, orderId } = plan;
  const session = await stripe.checkout.sessions.create({
    mode: "payment",
    line_items: [{ price: catalog.priceIds[plan.packageKey], quantity: plan.quantity }],
    success_url: "https://shop.example.test/thanks?session={CHECKOUT_SESSION_ID}",
    cancel_url: "https://shop.example.test/basket",
    customer_email: buyer.email,
    customer_creation: buyer.isStripeCustomer ? "always" : "if_required",
    metadata: { order_id: orderId, ...(buyer.userId !== null && { user_id: buyer.userId }) },
    // Stripe does not copy a session's metadata to its payment.
    payment_intent_data: { metadata: { order_id: orderId } },
    ...(buyer.userId !== null && { client_reference_id: buyer.userId }),
    ...(plan.kind === "gift" && { discounts: [{ coupon: catalog.giftCouponId }] }),
  });
  onSession(session.id);
  return session.id;
}

function pathOf(sessionId: string): RegExp {
  return new RegExp(`^/v1/checkout/sessions/${sessionId}$`);
}
