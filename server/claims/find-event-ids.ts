import { sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { FOUND_MAX, isIdOrBeginning, searchedId } from "../db/id-search.ts";
import { eventDeliveries } from "../db/schema/event-deliveries.ts";
import { orders } from "../db/schema/orders.ts";
import { payments } from "../db/schema/payments.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";

/**
 * The events an id belongs to: the event's own, a twin's, its object's, its order's, or one of the order's session,
 * payment intent or charge. Each way is a look-up in an index; the history's size does not matter.
 */
export async function findEventIds(db: Db, pasted: string): Promise<string[]> {
  const id = searchedId(pasted);
  if (id === null) return [];
  const rows = await db.execute<{ event_id: string }>(sql`
    with order_ids as (
      select ${orders.orderId} from ${orders} where ${isIdOrBeginning(orders.checkoutSessionId, id)}
      union select ${payments.orderId} from ${payments} where ${isIdOrBeginning(payments.paymentId, id)}
      union select ${payments.orderId} from ${payments} where ${isIdOrBeginning(payments.checkoutSessionId, id)}
      union select ${payments.orderId} from ${payments} where ${isIdOrBeginning(payments.chargeId, id)}
      limit ${FOUND_MAX})
    select event_id from (
      select ${events.eventId} from ${events} where ${isIdOrBeginning(events.eventId, id)}
      union select ${events.eventId} from ${events} where ${isIdOrBeginning(events.objectId, id)}
      union select ${events.eventId} from ${events} where ${isIdOrBeginning(events.orderId, id)}
      union select ${events.eventId} from ${events} join order_ids using (order_id)
      union select ${eventDeliveries.winnerEventId} from ${eventDeliveries}
        where ${isIdOrBeginning(eventDeliveries.eventId, id)} and ${eventDeliveries.winnerEventId} is not null
    ) as found limit ${FOUND_MAX}`);
  return rows.map((row) => row.event_id);
}
