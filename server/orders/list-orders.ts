import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { OrderFilters, OrderView } from "#shared/desk-inputs.ts";
import { PAGE_SIZE } from "#shared/desk-inputs.ts";
import type { OrderRow, Page } from "#shared/desk-views.ts";
import type { Db } from "../db/client.ts";
import { microseconds, pageOf, parseCursor } from "../db/keyset.ts";
import { customers } from "../db/schema/customers.ts";
import { orders } from "../db/schema/orders.ts";
import { findOrderIds } from "./find-order-ids.ts";
import { isNotExactlyOne, orderRowColumns, withCustomer } from "./order-row.ts";

/** A page of the orders, newest first, from where `cursor` left off. One query, whatever the rows show. */
export async function listOrders(
  db: Db,
  filters: OrderFilters,
  cursor: string | undefined,
): Promise<Page<OrderRow>> {
  const after = parseCursor(cursor);
  const found = filters.q ? await findOrderIds(db, filters.q) : null;
  const rows = await db
    .select({
      ...orderRowColumns,
      at: microseconds(orders.createdAt),
      now: sql<Date>`now()`.mapWith(orders.createdAt),
    })
    .from(orders)
    .leftJoin(customers, eq(customers.customerId, orders.customerId))
    .where(
      and(
        isInView(filters.view),
        found === null ? undefined : found.length === 0 ? sql`false` : inArray(orders.orderId, found),
        after === null
          ? undefined
          : sql`(${orders.createdAt}, ${orders.orderId}) < (${after.at}::timestamptz, ${after.id})`,
      ),
    )
    .orderBy(desc(orders.createdAt), desc(orders.orderId))
    .limit(PAGE_SIZE + 1);
  return await pageOf(db, rows.map(withCustomer), ({ at, orderId }) => ({ at, id: orderId }));
}

function isInView(view: OrderView): SQL | undefined {
  if (view === "all") return undefined;
  if (view === "not_exactly_one") return isNotExactlyOne;
  return eq(orders.state, view);
}
