import { sql } from "drizzle-orm";
import { bigint, check, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

export const CUSTOMER_KINDS = ["user", "stripe_customer", "guest"] as const;

/**
 * Who is credited: the shop's user, else Stripe's customer, else the order itself (a guest). Written by
 * customers/find-or-create.ts when an order first needs one. Names, e-mails and amounts identify nobody.
 */
export const customers = pgTable(
  "customers",
  {
    customerId: bigint({ mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    account: text().notNull().default(""),
    kind: text({ enum: CUSTOMER_KINDS }).notNull(),
    ref: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check("customer_kind_is_known", sql`${t.kind} in ('user', 'stripe_customer', 'guest')`),
    uniqueIndex("one_customer_per_reference").on(t.ref, t.kind, t.account),
  ],
);
