import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { ROLES } from "../../../shared/roles.ts";
import { bytes, instant, sqlList } from "../columns.ts";

/**
 * Who did what to what, why: human acts only, ids only (so that erasing a person never touches it). Written by
 * audit/append.ts in the act's transaction, a refused act in one of its own. Append-only by trigger.
 *
 * Each row's hash covers the row and the hash before it; `audit_chain_head` holds the newest.
 */
export const auditEntries = pgTable(
  "audit_entries",
  {
    sequence: bigint({ mode: "bigint" }).primaryKey(), // Gapless: given out under the head's lock.
    at: instant().notNull(),
    actorId: text().notNull(),
    actorRole: text({ enum: ROLES }).notNull(),
    action: text().notNull(), // noun.verb, as in event.replay
    targetKind: text().notNull(),
    targetId: text().notNull(),
    result: text({ enum: ["done", "refused"] }).notNull(),
    refusalCode: text(),
    reason: text(),
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
    requestId: uuid(),
    previousHash: bytes().notNull(),
    hash: bytes().notNull(),
  },
  (t) => [
    check("actor_role_is_known", sql`${t.actorRole} in (${sql.raw(sqlList(ROLES))})`),
    check("refusal_has_code", sql`(${t.result} = 'refused') = (${t.refusalCode} is not null)`),
    // One act per request: a double click finds the entry of the first.
    uniqueIndex("one_act_per_request").on(t.requestId).where(sql`${t.result} = 'done'`),
    index("audit_by_target").on(t.targetKind, t.targetId, t.sequence),
  ],
);

/** Count and hash of the newest audit entry, in one row whose lock orders all writers. Taken last of all locks. */
export const auditChainHead = pgTable(
  "audit_chain_head",
  {
    id: integer().primaryKey().default(1),
    entries: bigint({ mode: "bigint" }).notNull(),
    hash: bytes().notNull(),
  },
  (t) => [check("there_is_one_head", sql`${t.id} = 1`)],
);
