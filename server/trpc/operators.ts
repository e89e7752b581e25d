import { z } from "zod";
import { invitationAcceptance, operatorInvite } from "#shared/desk-inputs.ts";
import type { DeskContext } from "#shared/desk-views.ts";
import { acceptInvitation, readInvitation } from "../auth/accept-invitation.ts";
import { inviteOperator, reissueInvitation } from "../auth/invite.ts";
import { listOperators } from "../auth/operators.ts";
import { id, procedureFor, publicProcedure, router, signedInProcedure } from "./init.ts";

export const operatorsRouter = router({
  /** Who is asking, and what this installation is. */
  me: signedInProcedure.query(({ ctx }): DeskContext => ({ operator: ctx.operator, ...ctx.installation })),

  list: procedureFor("manage_operators").query(({ ctx }) => listOperators(ctx.db)),

  /** Needs `manage_operators`, which inviteOperator checks so that a refusal leaves its audit entry. */
  invite: signedInProcedure
    .input(operatorInvite)
    .mutation(({ ctx, input }) =>
      inviteOperator(ctx.db, { ...input, by: ctx.operator, deskUrl: ctx.deskUrl }),
    ),

  /** Needs `manage_operators`, as above. */
  reissueInvitation: signedInProcedure
    .input(z.object({ operatorId: id }))
    .mutation(({ ctx, input }) =>
      reissueInvitation(ctx.db, { ...input, by: ctx.operator, deskUrl: ctx.deskUrl }),
    ),

  /** What a one-time link is for, before it is used. Whoever has the link may know. */
  invitation: publicProcedure
    .input(z.object({ token: z.string().min(1).max(200) }))
    .query(({ ctx, input }) => readInvitation(ctx.db, input.token)),

  acceptInvitation: publicProcedure
    .input(invitationAcceptance)
    .mutation(({ ctx, input }) => acceptInvitation(ctx.db, input)),
});
