import type { OrderFilters } from "#shared/desk-inputs.ts";
import type { OrderRow, Page } from "#shared/desk-views.ts";
import type { Db } from "../db/client.ts";
export async function listOrders(
  _db: Db,
  _filters: OrderFilters & { cursor?: string | undefined },
): Promise<Page<OrderRow>> {
  throw new Error("Not there yet.");
}
