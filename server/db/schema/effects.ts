import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { EFFECT_KINDS } from "../../../shared/order-state.ts";
import { instant, sqlList } from "../columns.ts";
import { orders } from "./orders.ts";

/**
 * A business operation that may exist once per order: the promise of the product is this table's unique key.
 * Written by effects/create.ts in the transaction that settles the event; never changed (trigger).
 */
export const effects = pgTable(
  "effects",
  {
    effectId: uuid().primaryKey().defaultRandom(),
    orderId: text()
      .notNull()
      .references(() => orders.orderId),
    kind: text({ enum: EFFECT_KINDS }).notNull(),
    subject: text().notNull().default(""), // '' for the grant; the ordinal for adjustments.
    eventId: text().notNull(), // The event that brought it about, and the attempt that did it.
    attempt: integer().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check("effect_kind_is_known", sql`${t.kind} in (${sql.raw(sqlList(EFFECT_KINDS))})`),
    check("the_grant_has_no_subject", sql`${t.kind} <> 'grant_credits' or ${t.subject} = ''`),
    unique("one_effect_per_order_kind_subject").on(t.orderId, t.kind, t.subject),
    unique("effect_belongs_to_its_order").on(t.effectId, t.orderId), // Target of the ledger's foreign key.
    // Serves one event's effects.
    index("effects_by_event").on(t.eventId),
  ],
);
