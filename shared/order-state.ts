/** The states of an order. Which may follow which is `server/orders/transitions.ts`. */
export const ORDER_STATES = [
  "pending",
  "awaiting_payment",
  "paid",
  "partially_refunded",
  "refunded",
  "disputed",
  "payment_failed",
  "expired",
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** States in which money has arrived, so that exactly one grant is expected. */
export const PAID_ORDER_STATES = [
  "paid",
  "partially_refunded",
  "refunded",
  "disputed",
] as const satisfies readonly OrderState[];

export const EFFECT_KINDS = ["grant_credits", "adjust_credits", "receipt_mail", "app_notice"] as const;
export type EffectKind = (typeof EFFECT_KINDS)[number];
