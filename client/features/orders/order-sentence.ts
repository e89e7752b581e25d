import type { OrderDetail } from "#shared/desk-views.ts";
import { m } from "../../messages/generated/messages.js";
import { formatCount } from "../../ui/format-count.ts";
import { formatMoney } from "../../ui/format-money.ts";
import type { Tone } from "../../ui/status-badge.tsx";

export interface OrderSentence {
  tone: Tone;
  text: string;
  next?: string;
}

/**
 * What is wrong with an order, in one sentence, and what to do; or, for a paid order, that all is well.
 * Null for an order that is not paid yet: its state says it all.
 */
export function orderSentence({ order, events }: OrderDetail): OrderSentence | null {
  const paid =
    order.amountTotalMinor === null || order.currency === null
      ? m.order_an_amount()
      : formatMoney({ amountMinor: order.amountTotalMinor, currency: order.currency });

  if (order.grantsActual > order.grantsExpected) {
    return {
      tone: "dead",
      text: m.order_over_granted({ count: order.grantsActual }),
      next: m.order_over_granted_next(),
    };
  }
  if (order.grantsActual < order.grantsExpected) {
    const isDead = events.some((event) => event.phase === "dead");
    return {
      tone: "dead",
      text: m.order_not_granted({ paid }),
      next: isDead ? m.order_not_granted_dead() : m.order_not_granted_next(),
    };
  }
  if (order.paymentCount > 1) {
    return {
      tone: "retry",
      text: m.order_paid_twice({ count: order.paymentCount }),
      next: m.order_paid_twice_next(),
    };
  }
  if (order.grantsExpected === 0) return null;
  return {
    tone: "ok",
    text: m.order_well({
      paid,
      credits: m.count_credits({ count: order.creditsGranted, shown: formatCount(order.creditsGranted) }),
    }),
  };
}
