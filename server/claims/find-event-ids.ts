import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { FOUND_MAX, rowsWith, searchedId, unionOf } from "../db/id-search.ts";
import { customers } from "../db/schema/customers.ts";
import { eventDeliveries } from "../db/schema/event-deliveries.ts";
import { orders } from "../db/schema/orders.ts";
import { payments } from "../db/schema/payments.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";

/**
 * The events an id belongs to: the event's own, a twin's, its object's, its order's, or one of the order's session,
 * payment intent, charge, customer or user. Each way is a look-up in an index; the history's size does not matter.
 */
export async function findEventIds(db: Db, pasted: string): Promise<string[]> {
  const id = searchedId(pasted);
  if (id === null) return [];
  const rows = await db.execute<{ event_id: string }>(searchEventIds(id));
  return rows.map((row) => row.event_id);
}

/** The statement by itself, so that a test can ask the planner about it. */
export function searchEventIds(id: string): SQL {
  const orderIds = unionOf([
    rowsWith(orders.checkoutSessionId, { id, wanted: orders.orderId }),
    rowsWith(payments.paymentId, { id, wanted: payments.orderId }),
    rowsWith(payments.checkoutSessionId, { id, wanted: payments.orderId }),
    rowsWith(payments.chargeId, { id, wanted: payments.orderId }),
    sql`(select ${orders.orderId} from customer_ids join ${orders} using (customer_id) limit ${FOUND_MAX})`,
  ]);
  const eventIds = unionOf([
    rowsWith(events.eventId, { id, wanted: events.eventId }),
    rowsWith(events.objectId, { id, wanted: events.eventId }),
    rowsWith(events.orderId, { id, wanted: events.eventId }),
    rowsWith(eventDeliveries.eventId, { id, wanted: eventDeliveries.winnerEventId }),
    sql`(select ${events.eventId} from ${events} join order_ids using (order_id) limit ${FOUND_MAX})`,
  ]);
  // An unreadable delivery has no winner, and its null is no event.
  return sql`with customer_ids as (${rowsWith(customers.ref, { id, wanted: customers.customerId })}),
    order_ids as (${orderIds})
    select event_id from (${eventIds}) as found where event_id is not null limit ${FOUND_MAX}`;
}
