import type { TransactionSql } from "postgres";
import { beforeEach, describe, expect, test } from "vitest";
import { auditRow, EFFECT_1, EFFECT_2, eventRow, KEPT_ROWS, type Row } from "../testing/guarded-rows.ts";
import { useDatabase } from "../testing/use-database.ts";
import { constraintOf } from "./errors.ts";

const database = useDatabase();

/** What each guard refuses: an insert, or a statement. Without the guard, and only without it, the same is accepted. */
type Refused = [guard: string, table: string, what: Row | string];

const order = (patch: Row): Row => ({ order_id: "order_9", ...patch });
const payment = (patch: Row): Row => ({
  payment_id: "pi_9",
  order_id: "order_2",
  checkout_session_id: "cs_9",
  grants: true,
  ...patch,
});
const effect = (patch: Row): Row => ({
  order_id: "order_2",
  kind: "grant_credits",
  event_id: "evt_9",
  attempt: 1,
  ...patch,
});
const line = (patch: Row): Row => ({
  entry_id: 9,
  customer_id: 1,
  order_id: "order_1",
  effect_id: EFFECT_2,
  delta: 40,
  ...patch,
});
const delivery = (patch: Row): Row => ({
  delivery_id: 9,
  event_id: "evt_9",
  winner_event_id: "evt_1",
  verdict: "twin",
  source: "webhook",
  ...patch,
});
const attempt = (patch: Row): Row => ({
  event_id: "evt_1",
  attempt: 2,
  worker: "ada",
  claim_token: EFFECT_1,
  ...patch,
});
const operator = (patch: Row): Row => ({
  id: "u9",
  name: "Bo",
  email: "bo@example.test",
  role: "ops",
  ...patch,
});
const LATER = "2100-01-01T00:00:00Z";

const CLAIM: Refused[] = [
  ["processed_stripe_events_pkey", "processed_stripe_events", eventRow({ event_id: "evt_1" })],
  ["one_row_per_one_shot_action", "processed_stripe_events", eventRow({ object_id: "cs_1" })],
  ["status_is_known", "processed_stripe_events", eventRow({ status: "done" })],
  ["lease_is_whole", "processed_stripe_events", eventRow({ claimed_by: "ada" })],
  [
    "only_processing_is_held",
    "processed_stripe_events",
    eventRow({
      status: "dead",
      last_error_code: "worker_lost",
      claim_token: EFFECT_1,
      claimed_by: "ada",
      lease_until: LATER,
    }),
  ],
  [
    "processed_has_outcome",
    "processed_stripe_events",
    eventRow({ status: "processed", processed_at: LATER }),
  ],
  [
    "processed_has_instant",
    "processed_stripe_events",
    eventRow({ status: "processed", outcome: "fulfilled" }),
  ],
  ["dead_has_error", "processed_stripe_events", eventRow({ status: "dead" })],
  ["attempt_is_counted", "processed_stripe_events", eventRow({ failures: -1 })],
  ["event_attempts_event_id_attempt_pk", "event_attempts", attempt({ attempt: 1 })],
  ["attempt_end_is_whole", "event_attempts", attempt({ result: "processed" })],
  ["attempt_result_is_known", "event_attempts", attempt({ result: "fine", ended_at: LATER })],
  ["event_deliveries_pkey", "event_deliveries", delivery({ delivery_id: 1 })],
  ["verdict_is_known", "event_deliveries", delivery({ verdict: "good" })],
  ["source_is_known", "event_deliveries", delivery({ source: "guess" })],
  ["readable_has_winner", "event_deliveries", delivery({ winner_event_id: null })],
  ["readable_has_event", "event_deliveries", delivery({ event_id: null })],
  ["only_unreadable_keeps_body", "event_deliveries", delivery({ body: "\\x00" })],
  [
    "event_payloads_event_id_received_at_pk",
    "event_payloads",
    { event_id: "evt_1", received_at: LATER, body: "\\x00" },
  ],
];

const MONEY: Refused[] = [
  ["orders_pkey", "orders", order({ order_id: "order_1" })],
  ["order_state_is_known", "orders", order({ state: "lost" })],
  ["version_only_counts", "orders", order({ version: -1 })],
  ["credits_are_not_negative", "orders", order({ credits: -1 })],
  ["currency_is_lower_case", "orders", order({ currency: "EUR" })],
  ["paid_has_instant", "orders", order({ state: "paid" })],
  ["orders_customer_id_customers_customer_id_fk", "orders", order({ customer_id: 9 })],
  ["payments_pkey", "payments", payment({ payment_id: "pi_1" })],
  ["one_granting_payment_per_order", "payments", payment({ order_id: "order_1" })],
  ["payment_is_not_negative", "payments", payment({ amount: -1 })],
  ["payments_order_id_orders_order_id_fk", "payments", payment({ order_id: "order_9" })],
  ["effects_pkey", "effects", effect({ effect_id: EFFECT_1 })],
  ["one_effect_per_order_kind_subject", "effects", effect({ order_id: "order_1" })],
  ["effect_kind_is_known", "effects", effect({ kind: "gift" })],
  ["the_grant_has_no_subject", "effects", effect({ subject: "again" })],
  ["effects_order_id_orders_order_id_fk", "effects", effect({ order_id: "order_9" })],
  ["credit_ledger_pkey", "credit_ledger", line({ entry_id: 1 })],
  ["one_ledger_line_per_effect", "credit_ledger", line({ effect_id: EFFECT_1 })],
  ["ledger_line_belongs_to_its_effect", "credit_ledger", line({ order_id: "order_2" })],
  ["delta_is_a_change", "credit_ledger", line({ delta: 0 })],
  ["credit_ledger_customer_id_customers_customer_id_fk", "credit_ledger", line({ customer_id: 9 })],
  ["customers_pkey", "customers", { customer_id: 1, account: "", kind: "user", ref: "user_9" }],
  ["one_customer_per_reference", "customers", { customer_id: 9, account: "", kind: "user", ref: "user_1" }],
  ["customer_kind_is_known", "customers", { customer_id: 9, account: "", kind: "friend", ref: "user_9" }],
  ["catalog_items_pkey", "catalog_items", { price_id: "price_1", credits: 1 }],
  ["catalog_credits_are_not_negative", "catalog_items", { price_id: "price_9", credits: -1 }],
];

const DESK: Refused[] = [
  ["audit_entries_pkey", "audit_entries", auditRow({ sequence: 1 })],
  ["one_act_per_request", "audit_entries", auditRow({ request_id: "00000000-0000-4000-8000-00000000000a" })],
  ["actor_role_is_known", "audit_entries", auditRow({ actor_role: "owner" })],
  ["refusal_has_code", "audit_entries", auditRow({ result: "refused" })],
  ["audit_chain_head_pkey", "audit_chain_head", { id: 1, entries: 0, hash: "\\x" }],
  ["there_is_one_head", "audit_chain_head", { id: 2, entries: 0, hash: "\\x" }],
  ["installation_pkey", "installation", { id: 1, mode: "live", sign_in_secret: "s" }],
  ["there_is_one_installation", "installation", { id: 2, mode: "live", sign_in_secret: "s" }],
  ["mode_is_known", "installation", "update installation set mode = 'production'"],
  ["user_pkey", "user", operator({ id: "u1" })],
  ["one_operator_per_email", "user", operator({ email: "ada@example.test" })],
  ["operator_email_is_lower_case", "user", operator({ email: "Bo@example.test" })],
  ["operator_role_is_known", "user", operator({ role: "owner" })],
  ["account_pkey", "account", { id: "a1", account_id: "u1", provider_id: "other", user_id: "u1" }],
  [
    "one_account_per_operator_and_provider",
    "account",
    { id: "a9", account_id: "u1", provider_id: "credential", user_id: "u1" },
  ],
  [
    "account_user_id_user_id_fk",
    "account",
    { id: "a9", account_id: "u9", provider_id: "credential", user_id: "u9" },
  ],
  ["session_pkey", "session", { id: "s1", token: "t9", user_id: "u1", expires_at: LATER }],
  ["one_session_per_token", "session", { id: "s9", token: "t1", user_id: "u1", expires_at: LATER }],
  ["session_user_id_user_id_fk", "session", { id: "s9", token: "t9", user_id: "u9", expires_at: LATER }],
  ["verification_pkey", "verification", { id: "v1", identifier: "i", value: "v", expires_at: LATER }],
  ["rate_limit_pkey", "rate_limit", { id: "r1", key: "k9", count: 1, last_request: 1 }],
  ["one_count_per_key", "rate_limit", { id: "r9", key: "k1", count: 1, last_request: 1 }],
  ["operator_invitations_pkey", "operator_invitations", { token_hash: "\\x01", expires_at: LATER }],
  ["one_open_invitation", "operator_invitations", { token_hash: "\\x09", user_id: "u1", expires_at: LATER }],
  [
    "operator_invitations_user_id_user_id_fk",
    "operator_invitations",
    { token_hash: "\\x09", user_id: "u9", expires_at: LATER },
  ],
  [
    "sandbox_objects_account_object_id_pk",
    "sandbox_objects",
    { id: "cs_1", object: "checkout.session", body: {} },
  ],
  ["stripe_read_slots_pkey", "stripe_read_slots", { route: "sessions", next_at: LATER }],
];

const REFUSED = [...CLAIM, ...MONEY, ...DESK];

const APPEND_ONLY = [
  ["credit_ledger_is_append_only", "credit_ledger", "update credit_ledger set delta = 41"],
  ["credit_ledger_is_append_only", "credit_ledger", "delete from credit_ledger"],
  ["credit_ledger_is_append_only", "credit_ledger", "truncate credit_ledger"],
  [
    "effects_are_append_only",
    "effects",
    `update effects set kind = 'app_notice' where effect_id = '${EFFECT_2}'`,
  ],
  ["effects_are_append_only", "effects", `delete from effects where effect_id = '${EFFECT_2}'`],
  ["audit_entries_are_append_only", "audit_entries", "update audit_entries set reason = 'another'"],
  ["audit_entries_are_append_only", "audit_entries", "delete from audit_entries"],
  ["audit_entries_are_append_only", "audit_entries", "truncate audit_entries"],
] as const;

/** Follows from the primary key, so nothing can break it alone: the ledger's foreign key needs it to point at. */
const IMPLIED = ["effect_belongs_to_its_order"];

class RolledBack extends Error {}

/** Runs in a transaction that is undone. Null if everything was accepted, else the error. */
async function tryOut(work: (tx: TransactionSql) => Promise<unknown>): Promise<unknown> {
  return await database()
    .sql.begin(async (tx) => {
      await work(tx);
      throw new RolledBack();
    })
    .then(
      () => null,
      (error: unknown) => (error instanceof RolledBack ? null : error),
    );
}

async function put(tx: TransactionSql, table: string, what: Row | string): Promise<void> {
  if (typeof what === "string") {
    await tx.unsafe(what);
    return;
  }
  const columns = tx(Object.keys(what));
  await tx`insert into ${tx(table)} (${columns}) overriding system value
    select ${columns} from jsonb_populate_record(null::${tx(table)}, ${JSON.stringify(what)}::text::jsonb)`;
}

async function removeGuard(tx: TransactionSql, table: string, guard: string): Promise<void> {
  const [constraint] = await tx`select from pg_constraint where conname = ${guard}`;
  if (constraint) await tx`alter table ${tx(table)} drop constraint ${tx(guard)} cascade`;
  else await tx`drop index ${tx(guard)}`;
}

beforeEach(async () => {
  await database().sql.begin(async (tx) => {
    for (const [table, row] of KEPT_ROWS) await put(tx, table, row);
  });
});

describe("the database itself refuses", () => {
  test.for(REFUSED)("what breaks %s, in %s, and nothing else would", async ([guard, table, what]) => {
    // A partition reports its own key's name.
    const named = guard === "event_payloads_event_id_received_at_pk" ? "event_payloads_default_pkey" : guard;
    expect(constraintOf(await tryOut((tx) => put(tx, table, what)))).toBe(named);

    const withoutGuard = await tryOut(async (tx) => {
      await removeGuard(tx, table, guard);
      await put(tx, table, what);
    });
    expect(withoutGuard).toBeNull();
  });

  test.for(APPEND_ONLY)(
    "to rewrite what is on record, by %s: %s: %s",
    async ([trigger, table, statement]) => {
      expect(String(await tryOut((tx) => tx.unsafe(statement)))).toContain("append-only");

      const withoutGuard = await tryOut(async (tx) => {
        await tx`drop trigger ${tx(trigger)} on ${tx(table)}`;
        await tx.unsafe(statement);
      });
      expect(withoutGuard).toBeNull();
    },
  );

  test("by no key, check or trigger that is not tried out here", async () => {
    const { sql } = database();
    const rows = await sql<{ name: string }[]>`
      select conname as name from pg_constraint join pg_class on pg_class.oid = conrelid
        where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'p', 'u') and not relispartition
      union select relname from pg_index join pg_class on pg_class.oid = indexrelid
        where indisunique and relnamespace = 'public'::regnamespace and not relispartition
      union select tgname from pg_trigger join pg_class on pg_class.oid = tgrelid
        where not tgisinternal and relnamespace = 'public'::regnamespace`;
    const tried = new Set([...IMPLIED, ...[...REFUSED, ...APPEND_ONLY].map(([guard]) => guard)]);
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...tried].toSorted());
  });
});
