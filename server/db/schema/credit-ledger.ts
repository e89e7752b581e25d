import { sql } from "drizzle-orm";
import { bigint, check, foreignKey, index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";
import { customers } from "./customers.ts";
import { effects } from "./effects.ts";

/**
 * Credits as added lines: a balance is a sum, and nothing else keeps one. Lines are never changed or removed
 * (trigger). Each belongs to one effect, so a line cannot be booked twice without the effect being made twice.
 */
export const creditLedger = pgTable(
  "credit_ledger",
  {
    entryId: bigint({ mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    customerId: bigint({ mode: "bigint" })
      .notNull()
      .references(() => customers.customerId),
    orderId: text().notNull(),
    effectId: uuid().notNull(),
    delta: bigint({ mode: "bigint" }).notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check("delta_is_a_change", sql`${t.delta} <> 0`),
    unique("one_ledger_line_per_effect").on(t.effectId),
    foreignKey({
      name: "ledger_line_belongs_to_its_effect",
      columns: [t.effectId, t.orderId],
      foreignColumns: [effects.effectId, effects.orderId],
    }),
    // Serves a customer's balance.
    index("ledger_by_customer").on(t.customerId),
    // Serves the credits of an order.
    index("ledger_by_order").on(t.orderId),
  ],
);
