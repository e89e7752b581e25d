import { z } from "zod";
import { cursor, eventFilters } from "#shared/desk-inputs.ts";
import { countEvents, listEventTypes } from "../claims/event-counts.ts";
import { readEventDetail } from "../claims/event-detail.ts";
import { listEvents } from "../claims/list-events.ts";
import { id, router, signedInProcedure } from "./init.ts";

export const eventsRouter = router({
  counts: signedInProcedure.query(({ ctx }) => countEvents(ctx.db)),

  /** Every type received so far, for the filter. */
  types: signedInProcedure.query(({ ctx }) => listEventTypes(ctx.db)),

  list: signedInProcedure
    .input(eventFilters.extend({ cursor }))
    .query(({ ctx, input }) => listEvents(ctx.db, input, input.cursor)),

  /** A twin's id leads to the event that carries its claim. */
  get: signedInProcedure
    .input(z.object({ eventId: id }))
    .query(({ ctx, input }) => readEventDetail(ctx.db, { ...input, role: ctx.operator.role })),
});
