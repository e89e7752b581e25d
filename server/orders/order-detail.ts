import type { OrderDetail } from "#shared/desk-views.ts";
import type { Db } from "../db/client.ts";
export async function readOrderDetail(_db: Db, _orderId: string): Promise<OrderDetail> {
  throw new Error("Not there yet.");
}
