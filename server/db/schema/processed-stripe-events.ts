import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { EVENT_STATUSES } from "../../../shared/event-status.ts";
import { instant, sqlList } from "../columns.ts";

/**
 * The claim: one row for each thing Stripe told us, written by receiving/accept.ts before the 2xx.
 * From then on only server/claims changes it.
 *
 * Invariant: the three lease columns are set together by takeDueEvents() and cleared together by
 * whatever ends the claim. A row refused by the check went around server/claims.
 *
 * Narrow on purpose: payloads live in event_payloads, so that lists and takes never read them.
 */
export const processedStripeEvents = pgTable(
  "processed_stripe_events",
  {
    eventId: text().primaryKey(), // Stripe's evt_ id. A redelivery collides here and changes nothing.
    eventType: text().notNull(), // A thin event's type stands here without its "v1." prefix if we handle it.
    objectId: text().notNull(), // The event's own id where the object has none (balance.available).
    status: text({ enum: EVENT_STATUSES }).notNull().default("processing"),
    createdAt: instant().notNull().defaultNow(), // Receipt, by the database's clock.
    once: boolean().notNull(), // One-shot type: a second event object for the same object is a twin.
    livemode: boolean().notNull(),
    account: text().notNull().default(""), // Connected account, '' if none: null would defeat the unique key.
    apiVersion: text(),
    occurredAt: instant(), // Stripe's `created`: whole seconds, never used to decide order.
    outcome: text(), // How it ended, a code of shared/outcomes.ts.
    attempt: integer().notNull().default(0), // Takes; only rises, so it names an attempt for ever.
    failures: integer().notNull().default(0), // Counts towards ATTEMPTS_MAX.
    dueAt: instant().notNull().defaultNow(), // 'infinity': taken under manual takeover, waits for an offer.
    claimToken: uuid(),
    claimedBy: text(),
    leaseUntil: instant(),
    rearmedAt: instant(), // A Resend brought it back from dead: one attempt, and not again within the hour.
    lastErrorCode: text(), // A code of shared/outcomes.ts; for `recorded`, the reason.
    lastError: text(),
    processedAt: instant(),
    orderId: text(), // Set when it settles; no foreign key, since it is evidence and not a dependency.
  },
  (t) => [
    // The second kind of duplicate: two event objects for one action. Repeating types are exempt,
    // or the second partial refund of a charge would vanish. See docs/decisions/0002.
    uniqueIndex("one_row_per_one_shot_action")
      .on(t.objectId, t.eventType, t.livemode, t.account)
      .where(sql`${t.once}`),
    check("status_is_known", sql`${t.status} in (${sql.raw(sqlList(EVENT_STATUSES))})`),
    check("lease_is_whole", sql`num_nonnulls(${t.claimToken}, ${t.claimedBy}, ${t.leaseUntil}) in (0, 3)`),
    check("only_processing_is_held", sql`${t.status} = 'processing' or ${t.claimToken} is null`),
    check("processed_has_outcome", sql`(${t.status} = 'processed') = (${t.outcome} is not null)`),
    check("processed_has_instant", sql`(${t.status} = 'processed') = (${t.processedAt} is not null)`),
    check("dead_has_error", sql`${t.status} <> 'dead' or ${t.lastErrorCode} is not null`),
    check("attempt_is_counted", sql`${t.attempt} >= 0 and ${t.failures} >= 0`),
    // Serves takeDueEvents() only. Partial, so the processed millions never slow the due few.
    index("processing_by_due").on(t.dueAt, t.eventId).where(sql`${t.status} = 'processing'`),
    // Serves the unfinished views, counts and the oldest age: cost follows the unfinished, not the history.
    index("unfinished_by_receipt").on(t.createdAt, t.eventId).where(sql`${t.status} <> 'processed'`),
    // Serves the view of all events, by age.
    index("events_by_receipt").on(t.createdAt, t.eventId),
    // Serves the list filtered by type, and the list of types by skip scan.
    index("events_by_type").on(t.eventType, t.createdAt, t.eventId),
    // Serve the search by id and the events of an order.
    index("events_by_object").on(t.objectId),
    index("events_by_order").on(t.orderId).where(sql`${t.orderId} is not null`),
    // Serves offerRecorded(): what an earlier version could not handle and this one can.
    index("recorded_by_type").on(t.eventType, t.eventId).where(sql`${t.outcome} = 'recorded'`),
  ],
);
