import { sql } from "drizzle-orm";
import type { OrderCounts } from "#shared/desk-views.ts";
import type { Db } from "../db/client.ts";
import { orders } from "../db/schema/orders.ts";
import { isNotExactlyOne } from "./order-row.ts";

/** How many orders break the invariant of exactly one grant per paid order. */
export async function countOrders(db: Db): Promise<OrderCounts> {
  const [row] = await db
    .select({ notExactlyOne: sql<number>`count(*)::int` })
    .from(orders)
    .where(isNotExactlyOne);
  return { notExactlyOne: row?.notExactlyOne ?? 0 };
}
