import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, instant } from "../columns.ts";

/**
 * The raw bytes Stripe signed: evidence, never the truth. Written with the claim, read by the desk's viewer.
 * Bytes and not jsonb, which refuses NUL and lone surrogates that Stripe can send.
 *
 * Range-partitioned by month (a hand-written migration makes the table; this is its description), so that
 * retention drops partitions instead of deleting rows. One row per event id, the first arrival's; a twin that arrives
 * twice at the same instant may have two of the same.
 */
export const eventPayloads = pgTable(
  "event_payloads",
  {
    eventId: text().notNull(),
    receivedAt: instant().notNull().defaultNow(),
    body: bytes().notNull(),
  },
  (t) => [primaryKey({ columns: [t.eventId, t.receivedAt] })],
);
