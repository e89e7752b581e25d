import type { Charge, PaymentIntent, Session } from "./objects.ts";

/** How a buyer pays: at once, or by a debit that takes days. */
export type PaymentMethod = "card" | "bank_transfer";

/** Stripe's name for the way of payment. A transfer stands for every delayed method. */
export function methodType(method: PaymentMethod): "card" | "sepa_debit" {
  return method === "card" ? "card" : "sepa_debit";
}

export interface PaymentStamp {
  paymentIntentId: string;
  chargeId: string;
  created: number;
  method: PaymentMethod;
  email: string | null;
}

/** The payment intent that Checkout makes when the buyer submits: it does not exist before. */
export function buildPaymentIntent(session: Session, stamp: PaymentStamp): PaymentIntent {
  const isSettled = stamp.method === "card";
  return {
    id: stamp.paymentIntentId,
    object: "payment_intent",
    amount: session.amount_total,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: isSettled ? session.amount_total : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: null,
    confirmation_method: "automatic",
    created: stamp.created,
    currency: session.currency,
    customer: session.customer,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: stamp.chargeId,
    livemode: false,
    metadata: session.sandbox.paymentIntentMetadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: [methodType(stamp.method)],
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: isSettled ? "succeeded" : "processing",
    transfer_data: null,
    transfer_group: null,
  };
}

/** The charge of a payment. A debit's is there from the start, pending until the bank answers. */
export function buildCharge(session: Session, stamp: PaymentStamp): Charge {
  const isSettled = stamp.method === "card";
  const type = methodType(stamp.method);
  return {
    id: stamp.chargeId,
    object: "charge",
    amount: session.amount_total,
    amount_captured: isSettled ? session.amount_total : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    // Captures are asynchronous by default: fee and net become known later.
    balance_transaction: null,
    billing_details: { address: null, email: stamp.email, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: "SANDBOX SHOP",
    captured: isSettled,
    created: stamp.created,
    currency: session.currency,
    customer: session.customer,
    description: null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: session.sandbox.paymentIntentMetadata,
    on_behalf_of: null,
    outcome: isSettled ? { network_status: "approved_by_network", reason: null, type: "authorized" } : null,
    paid: isSettled,
    payment_intent: stamp.paymentIntentId,
    payment_method: null,
    payment_method_details:
      type === "card"
        ? { type, card: { brand: "visa", last4: "4242", exp_month: 8, exp_year: 2030, funding: "credit" } }
        : { type, sepa_debit: { bank_code: "37040044", country: "DE", last4: "3000" } },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: isSettled ? "succeeded" : "pending",
    transfer_data: null,
    transfer_group: null,
  };
}

/** The payment after the money arrived. */
export function succeeded(intent: PaymentIntent, charge: Charge): [PaymentIntent, Charge] {
  return [
    { ...intent, status: "succeeded", amount_received: intent.amount },
    { ...charge, status: "succeeded", paid: true, captured: true, amount_captured: charge.amount },
  ];
}

/** The payment after the bank refused. */
export function failed(intent: PaymentIntent, charge: Charge): [PaymentIntent, Charge] {
  const refusal = { code: "insufficient_funds", message: "The customer's account has insufficient funds." };
  return [
    {
      ...intent,
      status: "requires_payment_method",
      last_payment_error: {
        charge: charge.id,
        code: "payment_intent_payment_attempt_failed",
        decline_code: refusal.code,
        message: refusal.message,
        type: "card_error",
      },
    },
    { ...charge, status: "failed", failure_code: refusal.code, failure_message: refusal.message },
  ];
}
