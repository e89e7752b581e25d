import { asc, desc, eq } from "drizzle-orm";
import type { EventRow } from "#shared/desk-views.ts";
import type { Db } from "../db/client.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { eventRowColumns } from "./event-row.ts";

const SHOWN_MAX = 100;

/** The newest events that belong to an order, in the order in which they came in. */
export async function listOrderEvents(db: Db, orderId: string): Promise<EventRow[]> {
  const newest = await db
    .select(eventRowColumns)
    .from(events)
    .where(eq(events.orderId, orderId))
    .orderBy(desc(events.createdAt), asc(events.eventId))
    .limit(SHOWN_MAX);
  return newest.toReversed();
}
