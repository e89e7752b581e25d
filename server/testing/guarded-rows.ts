/** A row by column names; what it leaves out has its default. */
export type Row = Record<string, unknown>;

const LATER = "2100-01-01T00:00:00Z";
const TOKEN = "00000000-0000-4000-8000-00000000000a";
export const EFFECT_1 = "00000000-0000-4000-8000-000000000001";
export const EFFECT_2 = "00000000-0000-4000-8000-000000000002";

/** One row of every table that leans on nothing else, and the few others they lean on. In the order to insert them. */
export const KEPT_ROWS: [table: string, row: Row][] = [
  ["user", { id: "u1", name: "Ada", email: "ada@example.test", role: "ops" }],
  ["account", { id: "a1", account_id: "u1", provider_id: "credential", user_id: "u1" }],
  ["session", { id: "s1", token: "t1", user_id: "u1", expires_at: LATER }],
  ["verification", { id: "v1", identifier: "i", value: "v", expires_at: LATER }],
  ["rate_limit", { id: "r1", key: "k1", count: 1, last_request: 1 }],
  ["operator_invitations", { token_hash: "\\x01", user_id: "u1", expires_at: LATER }],
  ["installation", { id: 1, mode: "sandbox", sign_in_secret: "s" }],
  ["customers", { customer_id: 1, account: "", kind: "user", ref: "user_1" }],
  ["orders", { order_id: "order_1", state: "paid", paid_at: LATER, customer_id: 1 }],
  ["orders", { order_id: "order_2" }],
  ["payments", { payment_id: "pi_1", order_id: "order_1", checkout_session_id: "cs_1", grants: true }],
  [
    "effects",
    { effect_id: EFFECT_1, order_id: "order_1", kind: "grant_credits", event_id: "evt_1", attempt: 1 },
  ],
  [
    "effects",
    {
      effect_id: EFFECT_2,
      order_id: "order_1",
      kind: "adjust_credits",
      subject: "1",
      event_id: "evt_2",
      attempt: 1,
    },
  ],
  ["credit_ledger", { entry_id: 1, customer_id: 1, order_id: "order_1", effect_id: EFFECT_1, delta: 40 }],
  ["catalog_items", { price_id: "price_1", credits: 40 }],
  ["processed_stripe_events", eventRow({ event_id: "evt_1", object_id: "cs_1" })],
  ["event_attempts", { event_id: "evt_1", attempt: 1, worker: "ada", claim_token: TOKEN }],
  [
    "event_deliveries",
    { delivery_id: 1, event_id: "evt_1", winner_event_id: "evt_1", verdict: "claimed", source: "webhook" },
  ],
  ["event_payloads", { event_id: "evt_1", received_at: LATER, body: "\\x7b7d" }],
  ["audit_entries", auditRow({ sequence: 1, request_id: TOKEN })],
  ["sandbox_objects", { id: "cs_1", object: "checkout.session", body: {} }],
  ["stripe_read_slots", { route: "sessions", next_at: LATER }],
];

export function eventRow(patch: Row): Row {
  return {
    event_id: "evt_9",
    event_type: "checkout.session.completed",
    object_id: "cs_9",
    status: "processing",
    once: true,
    livemode: false,
    ...patch,
  };
}

export function auditRow(patch: Row): Row {
  return {
    sequence: 9,
    at: LATER,
    actor_id: "u1",
    actor_role: "ops",
    action: "event.replay",
    target_kind: "event",
    target_id: "evt_1",
    result: "done",
    previous_hash: "\\x",
    hash: "\\x",
    ...patch,
  };
}
