import { sql } from "drizzle-orm";
import { bigint, check, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/** Price id -> credits. Goes before the price's and the product's metadata. Read by fulfilment. */
export const catalogItems = pgTable(
  "catalog_items",
  {
    priceId: text().primaryKey(),
    credits: bigint({ mode: "bigint" }).notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [check("catalog_credits_are_not_negative", sql`${t.credits} >= 0`)],
);
