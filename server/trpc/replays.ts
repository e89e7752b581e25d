import { z } from "zod";
import { replayRequest } from "#shared/desk-inputs.ts";
import { forecastReplay } from "../replays/forecast.ts";
import { requestReplay } from "../replays/request.ts";
import { id, router, signedInProcedure } from "./init.ts";

export const replaysRouter = router({
  /** Open to every operator: support may look at what a replay would do before asking for one. */
  forecast: signedInProcedure
    .input(z.object({ eventId: id }))
    .query(({ ctx, input }) => forecastReplay(ctx.db, { ...input, rules: ctx.rules })),

  /**
   * Offers an event to the workers again. The claim rules, the permission `replay_events` and the audit entry are
   * requestReplay's: an attempt that lacks the permission leaves an entry too, so it must get that far.
   */
  request: signedInProcedure
    .input(replayRequest.extend({ eventId: id }))
    .mutation(({ ctx, input }) =>
      requestReplay(ctx.db, input, { rules: ctx.rules, operator: ctx.operator, onDue: ctx.onDue }),
    ),
});
