import { PAID_ORDER_STATES, type OrderState } from "#shared/order-state.ts";

/**
 * Which state of an order may follow which. State comes from what Stripe says now, but several sessions may belong
 * to one order and events arrive in any order, so not everything Stripe says of one session is news for the order.
 * A state may always be confirmed. docs/state-machine.md draws this table, and a test compares the two.
 */
export const ORDER_TRANSITIONS: Record<OrderState, readonly OrderState[]> = {
  pending: ["awaiting_payment", "paid", "payment_failed", "expired"],
  awaiting_payment: ["paid", "payment_failed"],
  // A new session, or the same one at last: money that arrives is never refused.
  payment_failed: ["awaiting_payment", "paid", "expired"],
  expired: ["awaiting_payment", "paid", "payment_failed"],
  paid: ["partially_refunded", "refunded", "disputed"],
  partially_refunded: ["paid", "refunded", "disputed"],
  refunded: ["paid", "partially_refunded", "disputed"],
  disputed: ["paid", "partially_refunded", "refunded"],
};

export function isPaidState(state: OrderState): boolean {
  return (PAID_ORDER_STATES as readonly OrderState[]).includes(state);
}

/**
 * Whether an order moves to `to`. While a payment is on its way in one session, what becomes of another session
 * (it expired, its payment failed) is not the order's fate.
 */
export function mayOrderMove(
  from: OrderState,
  to: OrderState,
  { isSameSession }: { isSameSession: boolean },
): boolean {
  if (from === to) return true;
  if (from === "awaiting_payment" && to === "payment_failed" && !isSameSession) return false;
  return ORDER_TRANSITIONS[from].includes(to);
}
