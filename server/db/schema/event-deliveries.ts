import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text } from "drizzle-orm/pg-core";
import { DELIVERY_VERDICTS } from "../../../shared/event-status.ts";
import { bytes, instant, sqlList } from "../columns.ts";

/**
 * Every arrival whose signature was good, written by receiving/accept.ts in the claim's transaction.
 * Rows are added, and only a verdict turns from redelivery or twin to `rearmed`.
 *
 * `winner_event_id` is the event that carries the claim: the event itself, or for a twin the event that
 * came first. A twin is here, with its winner, never silently gone.
 */
export const eventDeliveries = pgTable(
  "event_deliveries",
  {
    deliveryId: bigint({ mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    eventId: text(), // Null if unreadable.
    winnerEventId: text(),
    verdict: text({ enum: DELIVERY_VERDICTS }).notNull(),
    source: text({ enum: ["webhook", "backfill"] })
      .notNull()
      .default("webhook"),
    receivedAt: instant().notNull().defaultNow(),
    signedAt: instant(), // The signature's timestamp: Stripe signs anew at each try.
    body: bytes(), // Only for what could not be read; events' bytes live in event_payloads.
  },
  (t) => [
    check("verdict_is_known", sql`${t.verdict} in (${sql.raw(sqlList(DELIVERY_VERDICTS))})`),
    check("source_is_known", sql`${t.source} in ('webhook', 'backfill')`),
    check("readable_has_winner", sql`(${t.verdict} = 'unreadable') = (${t.winnerEventId} is null)`),
    check("readable_has_event", sql`(${t.verdict} = 'unreadable') = (${t.eventId} is null)`),
    check("only_unreadable_keeps_body", sql`${t.body} is null or ${t.verdict} = 'unreadable'`),
    // Serves one event's time axis.
    index("deliveries_by_winner").on(t.winnerEventId, t.deliveryId),
    // Serves the search by a twin's id, and "was this id seen before".
    index("deliveries_by_event").on(t.eventId),
    // Serves the counts of the last day.
    index("deliveries_by_receipt").on(t.receivedAt),
  ],
);
