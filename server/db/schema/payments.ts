import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";
import { orders } from "./orders.ts";

/**
 * Every payment of an order, written by fulfilment under the order's lock. Exactly one grants; any other is
 * money without goods and shown as a duplicate payment.
 */
export const payments = pgTable(
  "payments",
  {
    paymentId: text().primaryKey(), // The payment intent's id; the session's where nothing was due (100 % off).
    orderId: text()
      .notNull()
      .references(() => orders.orderId),
    checkoutSessionId: text().notNull(),
    paymentIntentId: text(),
    chargeId: text(),
    amount: bigint({ mode: "bigint" }), // Minor units.
    currency: text(),
    grants: boolean().notNull(),
    paidAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check("payment_is_not_negative", sql`${t.amount} >= 0`),
    uniqueIndex("one_granting_payment_per_order").on(t.orderId).where(sql`${t.grants}`),
    index("payments_by_order").on(t.orderId),
    // Serve the search by session and charge.
    index("payments_by_session").on(t.checkoutSessionId),
    index("payments_by_charge").on(t.chargeId).where(sql`${t.chargeId} is not null`),
  ],
);
