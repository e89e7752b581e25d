import { sql } from "drizzle-orm";
import { check, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/**
 * One row, written at the first start. A start in another mode refuses: test credits must never turn live,
 * and a lost key must never open the sandbox on a real database.
 */
export const installation = pgTable(
  "installation",
  {
    id: integer().primaryKey().default(1),
    mode: text({ enum: ["sandbox", "test", "live"] }).notNull(),
    signInSecret: text().notNull(), // Used when EINMAL_SECRET is unset (never in production).
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check("there_is_one_installation", sql`${t.id} = 1`),
    check("mode_is_known", sql`${t.mode} in ('sandbox', 'test', 'live')`),
  ],
);
