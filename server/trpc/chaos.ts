import { chaosChange } from "#shared/desk-inputs.ts";
import { changeChaos } from "../chaos/change.ts";
import { readChaos } from "../chaos/read.ts";
import { DomainError } from "../errors.ts";
import { router, signedInProcedure } from "./init.ts";

/** Outside a sandbox there is none of it. */
const sandboxProcedure = signedInProcedure.use(({ ctx, next }) => {
  if (ctx.chaos === null) throw new DomainError("only_in_sandbox");
  return next({ ctx: { ...ctx, chaos: ctx.chaos } });
});

export const chaosRouter = router({
  state: sandboxProcedure.query(({ ctx }) => readChaos(ctx.db, ctx.chaos)),

  /** Needs `run_chaos`, which changeChaos checks so that a refusal leaves its audit entry. */
  change: sandboxProcedure
    .input(chaosChange)
    .mutation(({ ctx, input }) => changeChaos(ctx.db, input, { chaos: ctx.chaos, operator: ctx.operator })),
});
