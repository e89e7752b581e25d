import { pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/**
 * The rate limit towards Stripe, shared by all processes: one row per API route, holding the instant at which
 * the next request may start. Written by stripe/rate-limit.ts; losing it costs nothing.
 */
export const stripeReadSlots = pgTable("stripe_read_slots", {
  route: text().primaryKey(),
  nextAt: instant().notNull(),
});
