import { z } from "zod";
import { cursor, orderFilters } from "#shared/desk-inputs.ts";
import { listOrders } from "../orders/list-orders.ts";
import { countOrders } from "../orders/order-counts.ts";
import { readOrderDetail } from "../orders/order-detail.ts";
import { id, router, signedInProcedure } from "./init.ts";

export const ordersRouter = router({
  counts: signedInProcedure.query(({ ctx }) => countOrders(ctx.db)),

  list: signedInProcedure
    .input(orderFilters.extend({ cursor }))
    .query(({ ctx, input }) => listOrders(ctx.db, input)),

  get: signedInProcedure
    .input(z.object({ orderId: id }))
    .query(({ ctx, input }) => readOrderDetail(ctx.db, input.orderId)),
});
