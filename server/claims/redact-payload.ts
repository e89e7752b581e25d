import type { PayloadNode } from "#shared/desk-views.ts";
import { hasPermission, type Role } from "#shared/roles.ts";

/**
 * What of a payload may be seen: an allow-list, so that a field Stripe adds tomorrow is hidden until somebody has
 * thought about it. Names, e-mail and postal addresses, phone numbers, and addresses that let somebody act for the
 * customer (receipt and session links, client secrets) are on no list and for no role.
 */

/** Parts that are looked into. Everything inside any other part is hidden whole. */
const OPEN_PARTS = new Set([
  ...["data", "object", "previous_attributes", "request", "related_object", "metadata"],
  ...["line_items", "price", "product", "payment_intent", "latest_charge", "charge", "charges", "refunds"],
  ...["customer", "balance_transaction", "invoice", "last_payment_error", "total_details", "shipping_cost"],
  ...[
    "currency_conversion",
    "presentment_details",
    "payment_method_details",
    "outcome",
    "status_transitions",
  ],
]);

/** Fields that every operator may see, in whichever open part they stand. */
const SHOWN = new Set([
  ...["id", "object", "type", "api_version", "livemode", "created", "pending_webhooks", "account", "context"],
  ...["customer", "payment_intent", "charge", "latest_charge", "invoice", "subscription", "setup_intent"],
  ...["payment_link", "payment_method", "balance_transaction", "price", "product", "refund", "dispute"],
  ...["client_reference_id", "application", "on_behalf_of", "transfer", "transfer_group"],
  ...["status", "payment_status", "mode", "reason", "currency", "submit_type", "ui_mode", "locale"],
  ...["payment_method_types", "capture_method", "confirmation_method", "billing_scheme", "tax_behavior"],
  ...["failure_code", "decline_code", "code", "network_status", "cancellation_reason", "pending_reason"],
  ...["amount", "amount_total", "amount_subtotal", "unit_amount", "quantity", "has_more"],
  ...["paid", "captured", "refunded", "disputed", "active", "attempted", "is_charge_refundable"],
  ...["expires_at", "canceled_at", "paid_at", "arrival_date", "available_on"],
]);

/** How an amount is made up: for who works with money (`read_payment_fields`). */
const SHOWN_TO_FINANCE = new Set([
  ...["amount_captured", "amount_refunded", "amount_received", "amount_capturable", "amount_discount"],
  ...[
    "amount_shipping",
    "amount_tax",
    "amount_remaining",
    "amount_due",
    "amount_paid",
    "application_fee_amount",
  ],
  ...[
    "fee",
    "net",
    "fx_rate",
    "exchange_rate",
    "source_currency",
    "presentment_amount",
    "presentment_currency",
  ],
  ...["unit_amount_decimal", "automatic", "risk_level", "seller_message"],
]);

/** Metadata is the shop's own and may hold anything; these keys are ours. */
const SHOWN_METADATA = new Set(["order_id", "user_id", "credits"]);

const TEXT_LENGTH_MAX = 255;
const DEPTH_MAX = 12;
const HIDDEN: PayloadNode = { kind: "hidden" };

/** The payload as an operator of the role may see it, or null if the bytes are no JSON. */
export function redactPayload(body: Uint8Array, role: Role): PayloadNode | null {
  const parsed = parse(body);
  if (!parsed) return null;
  const seesAmounts = hasPermission(role, "read_payment_fields");
  const isShown = (name: string) => SHOWN.has(name) || (seesAmounts && SHOWN_TO_FINANCE.has(name));
  return redact(parsed.value, { name: "data", depth: 0, isShown });
}

interface Place {
  /** The field's name; for the items of a list, the list's. */
  name: string;
  depth: number;
  isShown: (name: string) => boolean;
}

function redact(value: unknown, place: Place): PayloadNode {
  const { name, depth, isShown } = place;
  if (Array.isArray(value)) {
    if (depth > DEPTH_MAX || !(OPEN_PARTS.has(name) || isShown(name))) return HIDDEN;
    return { kind: "list", items: value.map((item) => redact(item, { ...place, depth: depth + 1 })) };
  }
  if (typeof value === "object" && value !== null) {
    if (depth > DEPTH_MAX || !OPEN_PARTS.has(name)) return HIDDEN;
    const inner = {
      depth: depth + 1,
      isShown: name === "metadata" ? (key: string) => SHOWN_METADATA.has(key) : isShown,
    };
    const entries = Object.entries(value).map(([key, field]): [string, PayloadNode] => [
      shownKey(key),
      // Whatever a shop nests below a key of its metadata is not ours to know.
      name === "metadata" && typeof field === "object" ? HIDDEN : redact(field, { ...inner, name: key }),
    ]);
    return { kind: "object", entries };
  }
  return isShown(name) && isHarmless(value) ? { kind: "value", value } : HIDDEN;
}

/** Shops put what they like into fields that are meant for ids. An e-mail address is none. */
function isHarmless(value: unknown): value is string | number | boolean | null {
  if (typeof value === "string") return !value.includes("@") && value.length <= TEXT_LENGTH_MAX;
  return value === null || typeof value === "number" || typeof value === "boolean";
}

function shownKey(key: string): string {
  return /^[\w.:-]{1,100}$/.test(key) ? key : "…";
}

const LONG_NUMBER = /\d{16}/;
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function parse(body: Uint8Array): { value: unknown } | null {
  // The decoder that receiving reads with, so that both see the same.
  const text = new TextDecoder().decode(body);
  try {
    return { value: JSON.parse(LONG_NUMBER.test(text) ? withExactNumbers(text) : text) };
  } catch {
    return null;
  }
}

/** Whole numbers that a JavaScript number would round are kept as the text that stands there. */
function withExactNumbers(json: string): string {
  return json.replace(TEXT_OR_NUMBER, (token) =>
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}
