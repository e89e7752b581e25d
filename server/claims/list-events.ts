import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type EventFilters, type EventView, PAGE_SIZE } from "#shared/desk-inputs.ts";
import type { EventRow, Page } from "#shared/desk-views.ts";
import type { Db } from "../db/client.ts";
import { beginsWith } from "../db/id-search.ts";
import { microseconds, pageOf, parseCursor } from "../db/keyset.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { isStorable } from "../db/storable-text.ts";
import { findEventIds } from "./find-event-ids.ts";
import { eventRowColumns } from "./event-row.ts";
import { phaseIs } from "./phase.ts";

/**
 * A page of the events list, by age, from where `cursor` left off. Keyset paging: rows that arrive meanwhile neither
 * repeat a row nor hide one, and a late page costs what the first did. Ages are judged by the database's clock.
 */
export async function listEvents(
  db: Db,
  filters: EventFilters,
  cursor: string | undefined,
): Promise<Page<EventRow>> {
  const isOldestFirst = filters.sort === "oldest";
  const after = parseCursor(cursor);
  const beyond = isOldestFirst ? sql`>` : sql`<`;
  const found = filters.q ? await findEventIds(db, filters.q) : null;
  const rows = await db
    .select({
      ...eventRowColumns,
      at: microseconds(events.createdAt),
      now: sql<Date>`now()`.mapWith(events.createdAt),
    })
    .from(events)
    .where(
      and(
        isInView(filters.view),
        filters.type === undefined ? undefined : isOfType(filters.type),
        filters.olderThanSeconds === undefined
          ? undefined
          : sql`${events.createdAt} <= now() - make_interval(secs => ${filters.olderThanSeconds})`,
        found === null ? undefined : found.length === 0 ? sql`false` : inArray(events.eventId, found),
        after === null
          ? undefined
          : sql`(${events.createdAt}, ${events.eventId}) ${beyond} (${after.at}::timestamptz, ${after.id})`,
      ),
    )
    .orderBy(
      isOldestFirst ? asc(events.createdAt) : desc(events.createdAt),
      isOldestFirst ? asc(events.eventId) : desc(events.eventId),
    )
    .limit(PAGE_SIZE + 1);
  return await pageOf(db, rows, ({ at, eventId }) => ({ at, id: eventId }));
}

function isInView(view: EventView): SQL | undefined {
  switch (view) {
    case "all":
      return undefined;
    case "unfinished":
      return sql`${events.status} <> 'processed'`;
    case "processed":
      return phaseIs(view);
    case "queued":
    case "held":
    case "retrying":
    case "stale":
    case "dead":
      // Says twice what it says, in the words of the partial index that serves it.
      return and(sql`${events.status} <> 'processed'`, phaseIs(view));
  }
}

/** `checkout.session.*` means every type below it; anything else is the type itself. */
function isOfType(type: string): SQL {
  if (!isStorable(type)) return sql`false`;
  return type.endsWith(".*") ? beginsWith(events.eventType, type.slice(0, -1)) : eq(events.eventType, type);
}
