import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text } from "drizzle-orm/pg-core";
import { ORDER_STATES, PAID_ORDER_STATES } from "../../../shared/order-state.ts";
import { instant, sqlList } from "../columns.ts";
import { customers } from "./customers.ts";

const int8 = () => bigint({ mode: "bigint" });

/**
 * One row per order, a cache of what Stripe last said of it. Written by fulfilment only, under the row's lock.
 *
 * `version` rises with every write. A reader notes it before asking Stripe; if it has moved by the time it
 * writes, what it read may be stale, so it writes nothing and reads again.
 */
export const orders = pgTable(
  "orders",
  {
    orderId: text().primaryKey(), // metadata.order_id, else the Checkout Session's id.
    account: text().notNull().default(""),
    checkoutSessionId: text(), // The session that decides the state: the granting one once there is one.
    version: int8().notNull().default(sql`0`),
    state: text({ enum: ORDER_STATES }).notNull().default("pending"),
    currency: text(), // The session's own currency, lower case; not the one the buyer was shown.
    amountSubtotal: int8(), // Minor units; Stripe may leave amounts null.
    amountTotal: int8(),
    presentmentAmount: int8(), // What the buyer saw under Adaptive Pricing, in its own currency.
    presentmentCurrency: text(),
    credits: int8(), // What the line items are worth; null while no price says so.
    customerId: int8().references(() => customers.customerId),
    createdAt: instant().notNull().defaultNow(),
    paidAt: instant(), // The charge's creation where there is a charge, else when we saw it paid.
  },
  (t) => [
    check("order_state_is_known", sql`${t.state} in (${sql.raw(sqlList(ORDER_STATES))})`),
    check("version_only_counts", sql`${t.version} >= 0`),
    check("credits_are_not_negative", sql`${t.credits} >= 0`),
    check("currency_is_lower_case", sql`${t.currency} = lower(${t.currency})`),
    check(
      "paid_has_instant",
      sql`${t.state} not in (${sql.raw(sqlList(PAID_ORDER_STATES))}) or ${t.paidAt} is not null`,
    ),
    // Serves the list by age, and with its state the filtered one.
    index("orders_by_age").on(t.createdAt, t.orderId),
    index("orders_by_state").on(t.state, t.createdAt, t.orderId),
    // Serves the search by session and by customer.
    index("orders_by_session").on(t.checkoutSessionId),
    index("orders_by_customer").on(t.customerId),
  ],
);
