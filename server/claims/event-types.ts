/** The event types that have an effect here. Every other type is recorded. */
export const HANDLED_TYPES = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
] as const;
export type HandledType = (typeof HANDLED_TYPES)[number];

export function isHandledType(eventType: string): eventType is HandledType {
  return (HANDLED_TYPES as readonly string[]).includes(eventType);
}

/**
 * Types that Stripe creates once for one object, so that a second event object is a twin and not news. An
 * allow-list: dropping a type that legitimately repeats (each partial refund is a `charge.refunded` of the same
 * charge) would lose money, while keeping a twin costs one look at an order that is already fulfilled.
 */
const ONE_SHOT_TYPES = new Set<string>([
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "payment_intent.created",
  "payment_intent.succeeded",
  "payment_intent.canceled",
  "charge.succeeded",
  "charge.failed",
  "refund.created",
  "charge.dispute.created",
  "payout.created",
  "payout.reconciliation_completed",
  "reporting.report_run.succeeded",
  "reporting.report_run.failed",
  "radar.early_fraud_warning.created",
]);

export function isOneShotType(eventType: string): boolean {
  return ONE_SHOT_TYPES.has(eventType);
}
