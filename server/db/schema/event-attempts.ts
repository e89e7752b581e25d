import { sql } from "drizzle-orm";
import { check, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { ATTEMPT_RESULTS } from "../../../shared/event-status.ts";
import { instant, sqlList } from "../columns.ts";

/**
 * One row for each take of an event, opened by takeDueEvents() and closed by whoever ends the claim.
 * An attempt that never reported back is closed as `lost` by the take that follows it.
 */
export const eventAttempts = pgTable(
  "event_attempts",
  {
    eventId: text().notNull(),
    attempt: integer().notNull(),
    worker: text().notNull(),
    claimToken: uuid().notNull(),
    startedAt: instant().notNull().defaultNow(),
    endedAt: instant(),
    result: text({ enum: ATTEMPT_RESULTS }),
    errorCode: text(),
    error: text(),
    refusedAt: instant(), // A worker whose lease was lost tried to write after all, and was refused.
  },
  (t) => [
    primaryKey({ columns: [t.eventId, t.attempt] }),
    check("attempt_result_is_known", sql`${t.result} in (${sql.raw(sqlList(ATTEMPT_RESULTS))})`),
    check("attempt_end_is_whole", sql`(${t.endedAt} is null) = (${t.result} is null)`),
  ],
);
