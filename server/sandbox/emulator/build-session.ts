import type { LineItem, Metadata, Session } from "./objects.ts";

/** Stripe lets an open session live this long unless told otherwise. */
const SESSION_LIFE_SECONDS = 24 * 60 * 60;

export interface SessionGiven {
  lineItems: LineItem[];
  currency: string;
  metadata: Metadata;
  paymentIntentMetadata: Metadata;
  customer: string | null;
  customerCreation: "always" | "if_required" | null;
  customerEmail: string | null;
  clientReferenceId: string | null;
  couponId: string | null;
  successUrl: string | null;
  cancelUrl: string | null;
  expiresAt: number | null;
}

/** Features of Checkout that the sandbox's shop does not use, as Stripe shows them then. */
const UNUSED = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allow_promotion_codes: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  invoice: null,
  invoice_creation: null,
  locale: null,
  origin_context: null,
  payment_link: null,
  payment_method_configuration_details: null,
  payment_method_options: {},
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  subscription: null,
  wallet_options: null,
};

/** A session as Stripe answers right after it was made: open, unpaid, without a payment intent. */
export function buildSession(
  stamp: { id: string; created: number; payAddress: string },
  given: SessionGiven,
): Session {
  const sum = (pick: (item: LineItem) => number) =>
    given.lineItems.reduce((total, item) => total + pick(item), 0);
  return {
    id: stamp.id,
    object: "checkout.session",
    ...structuredClone(UNUSED),
    amount_subtotal: sum((item) => item.amount_subtotal),
    amount_total: sum((item) => item.amount_total),
    cancel_url: given.cancelUrl,
    client_reference_id: given.clientReferenceId,
    created: stamp.created,
    currency: given.currency,
    customer: given.customer,
    customer_creation: given.customer === null ? (given.customerCreation ?? "if_required") : null,
    customer_details: null,
    customer_email: given.customerEmail,
    discounts: given.couponId === null ? [] : [{ coupon: given.couponId, promotion_code: null }],
    expires_at: given.expiresAt ?? stamp.created + SESSION_LIFE_SECONDS,
    livemode: false,
    metadata: given.metadata,
    mode: "payment",
    payment_intent: null,
    payment_method_collection: "if_required",
    payment_method_types: ["card", "sepa_debit"],
    payment_status: "unpaid",
    status: "open",
    success_url: given.successUrl,
    total_details: {
      amount_discount: sum((item) => item.amount_discount),
      amount_shipping: 0,
      amount_tax: 0,
    },
    ui_mode: "hosted_page",
    url: stamp.payAddress,
    sandbox: {
      lineItems: given.lineItems,
      paymentIntentMetadata: given.paymentIntentMetadata,
      overrides: {},
    },
  };
}

/** What Checkout learnt of the buyer when the session was completed. */
export function buyerDetails(email: string | null): Record<string, unknown> {
  return {
    address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
    business_name: null,
    email,
    individual_name: null,
    name: null,
    phone: null,
    tax_exempt: "none",
    tax_ids: [],
  };
}

/** A session as an event carries it: without line items, and without what Stripe does not show. */
export function shownSession(session: Session): Record<string, unknown> {
  const { sandbox, ...shown } = session;
  return { ...shown, ...sandbox.overrides };
}
