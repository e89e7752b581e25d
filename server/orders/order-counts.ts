import { sql } from "drizzle-orm";
import type { Books, OrderCounts } from "#shared/desk-views.ts";
import type { Db } from "../db/client.ts";
import { effects } from "../db/schema/effects.ts";
import { orders } from "../db/schema/orders.ts";
import { grantsExpected, isNotExactlyOne } from "./order-row.ts";

/** How many orders break the invariant of exactly one grant per paid order. */
export async function countOrders(db: Db): Promise<OrderCounts> {
  const [row] = await db
    .select({ notExactlyOne: sql<number>`count(*)::int` })
    .from(orders)
    .where(isNotExactlyOne);
  return { notExactlyOne: row?.notExactlyOne ?? 0 };
}

const waitsForCredits = sql`(${grantsExpected} = 1 and ${orders.credits} is null)`;

/**
 * All the books in a few numbers: paid orders, grants, and the orders where the two do not agree. Of the latter those are
 * counted apart whose price names no credits: nothing can be granted for them until a person acts.
 */
export async function countBooks(db: Db): Promise<Books> {
  const [row] = await db
    .select({
      ordersPaid: sql<number>`coalesce(sum(${grantsExpected}), 0)::int`,
      // In the same statement, so that no grant is committed between the two counts.
      grants: sql<number>`(select count(*)::int from ${effects} where ${effects.kind} = 'grant_credits')`,
      notExactlyOne: sql<number>`(count(*) filter (where ${isNotExactlyOne} and not ${waitsForCredits}))::int`,
      withoutCredits: sql<number>`(count(*) filter (where ${isNotExactlyOne} and ${waitsForCredits}))::int`,
    })
    .from(orders);
  if (!row) throw new Error("Bug! An aggregate without a row.");
  return row;
}
