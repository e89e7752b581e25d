import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { FOUND_MAX, rowsWith, searchedId, unionOf } from "../db/id-search.ts";
import { customers } from "../db/schema/customers.ts";
import { orders } from "../db/schema/orders.ts";
import { payments } from "../db/schema/payments.ts";

/**
 * The orders an id belongs to: the order's own, its session's, a payment intent's or charge's, or the customer's. Each
 * way is a look-up in an index, so that the history's size does not matter.
 */
export async function findOrderIds(db: Db, pasted: string): Promise<string[]> {
  const id = searchedId(pasted);
  if (id === null) return [];
  const rows = await db.execute<{ order_id: string }>(searchOrderIds(id));
  return rows.map((row) => row.order_id);
}

/** The statement by itself, so that a test can ask the planner about it. */
export function searchOrderIds(id: string): SQL {
  const orderIds = unionOf([
    rowsWith(orders.orderId, { id, wanted: orders.orderId }),
    rowsWith(orders.checkoutSessionId, { id, wanted: orders.orderId }),
    rowsWith(payments.paymentId, { id, wanted: payments.orderId }),
    rowsWith(payments.checkoutSessionId, { id, wanted: payments.orderId }),
    rowsWith(payments.chargeId, { id, wanted: payments.orderId }),
    sql`(select ${orders.orderId} from customer_ids join ${orders} using (customer_id) limit ${FOUND_MAX})`,
  ]);
  return sql`with customer_ids as (${rowsWith(customers.ref, { id, wanted: customers.customerId })})
    select order_id from (${orderIds}) as found limit ${FOUND_MAX}`;
}
