import { z } from "zod";
import type { OrderDetail } from "#shared/desk-views.ts";
import { cursor, orderFilters } from "#shared/desk-inputs.ts";
import { listOrderEvents } from "../claims/order-events.ts";
import { listOrders } from "../orders/list-orders.ts";
import { countOrders } from "../orders/order-counts.ts";
import { readOrderDetail } from "../orders/order-detail.ts";
import { id, router, signedInProcedure } from "./init.ts";

export const ordersRouter = router({
  counts: signedInProcedure.query(({ ctx }) => countOrders(ctx.db)),

  list: signedInProcedure
    .input(orderFilters.extend({ cursor }))
    .query(({ ctx, input }) => listOrders(ctx.db, input, input.cursor)),

  get: signedInProcedure
    .input(z.object({ orderId: id }))
    .query(async ({ ctx, input }): Promise<OrderDetail> => {
      const detail = await readOrderDetail(ctx.db, input.orderId);
      return { ...detail, events: await listOrderEvents(ctx.db, input.orderId) };
    }),
});
