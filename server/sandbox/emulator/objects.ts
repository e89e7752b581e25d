/*
 * The objects of the emulated Stripe. Named fields are those the emulator decides by; the index signature holds
 * those it only gives back. Amounts are plain integers in the currency's minor unit, as in Stripe's own JSON.
 */
export type Metadata = Record<string, string>;

export interface StripeObject {
  id: string;
  object: string;
  created: number;
  [field: string]: unknown;
}

export interface Product extends StripeObject {
  object: "product";
  name: string;
  metadata: Metadata;
}

export interface Price extends StripeObject {
  object: "price";
  product: string;
  currency: string;
  unit_amount: number;
  metadata: Metadata;
}

export interface Customer extends StripeObject {
  object: "customer";
  email: string | null;
  metadata: Metadata;
}

export interface Coupon extends StripeObject {
  object: "coupon";
  percent_off: number | null;
  amount_off: number | null;
  currency: string | null;
}

/** Kept with the price's id, and answered with the price as it is by then, like Stripe's. */
export interface LineItem {
  id: string;
  object: "item";
  price: string;
  quantity: number;
  description: string;
  currency: string;
  amount_subtotal: number;
  amount_discount: number;
  amount_tax: number;
  amount_total: number;
}

export interface Charge extends StripeObject {
  object: "charge";
  status: "pending" | "succeeded" | "failed";
  paid: boolean;
  payment_intent: string;
}

export interface PaymentIntent extends StripeObject {
  object: "payment_intent";
  status: "processing" | "succeeded" | "requires_payment_method";
  latest_charge: string | null;
}

export interface Session extends StripeObject {
  object: "checkout.session";
  status: "open" | "complete" | "expired";
  payment_status: "paid" | "unpaid" | "no_payment_required";
  currency: string;
  amount_subtotal: number;
  amount_total: number;
  customer: string | null;
  customer_creation: "always" | "if_required" | null;
  customer_email: string | null;
  payment_intent: string | null;
  metadata: Metadata;
  /** What Stripe knows of a session and does not show in it. Taken out before anything is answered. */
  sandbox: {
    lineItems: LineItem[];
    paymentIntentMetadata: Metadata;
    /** Fields a test wants answered otherwise, whatever the session's state is. */
    overrides: Record<string, unknown>;
  };
}

export interface StripeEvent extends StripeObject {
  object: "event";
  type: string;
  account?: string;
  api_version: string;
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> };
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
}

/** Every kind of object the emulator keeps, by the name Stripe gives it. */
export interface StripeKinds {
  product: Product;
  price: Price;
  customer: Customer;
  coupon: Coupon;
  charge: Charge;
  payment_intent: PaymentIntent;
  "checkout.session": Session;
  event: StripeEvent;
}
export type Kind = keyof StripeKinds;
