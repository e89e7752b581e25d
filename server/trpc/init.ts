import { initTRPC, TRPCError } from "@trpc/server";
import superjson from "superjson";
import { z } from "zod";
import type { RefusalCode } from "#shared/outcomes.ts";
import { hasPermission, type Permission } from "#shared/roles.ts";
import { isStorable } from "../db/storable-text.ts";
import { DomainError } from "../errors.ts";
import type { Context } from "./context.ts";

const t = initTRPC.context<Context>().create({
  transformer: superjson,
  // Otherwise stack traces go out whenever NODE_ENV is not "production".
  isDev: false,
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    message: messageFor(error),
    data: { ...shape.data, outcomeCode: error.cause instanceof DomainError ? error.cause.code : null },
  }),
});

/** What the client is told. A bug says nothing more than that it is one: its cause is in the log. */
function messageFor(error: TRPCError): string {
  if (error.code === "INTERNAL_SERVER_ERROR") return error.code;
  if (error.cause instanceof z.ZodError) return z.prettifyError(error.cause);
  return error.message;
}

/** How an outcome is said in tRPC's terms. The rest is a request that conflicts with how things are. */
const TRPC_CODES: { [C in RefusalCode]?: TRPCError["code"] } = {
  role_not_allowed: "FORBIDDEN",
  origin_not_trusted: "FORBIDDEN",
  only_in_sandbox: "NOT_FOUND",
  event_unknown: "NOT_FOUND",
  order_unknown: "NOT_FOUND",
  operator_unknown: "NOT_FOUND",
  invitation_invalid: "NOT_FOUND",
};

/** The one place where a DomainError becomes an answer. */
const procedure = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (result.ok || !(result.error.cause instanceof DomainError)) return result;
  const { cause } = result.error;
  throw new TRPCError({ code: TRPC_CODES[cause.code] ?? "CONFLICT", message: cause.message, cause });
});

/** A page elsewhere must not act with an operator's cookie. Browsers name the page's address and pages cannot forge it. */
const guardedProcedure = procedure.use(({ ctx, type, next }) => {
  if (type === "mutation" && !ctx.isFromTrustedOrigin) throw new DomainError("origin_not_trusted");
  return next();
});

export const router = t.router;

/** An id as somebody may have it in hand. Longer ones, and text that no row can hold, are nobody's. */
export const id = z.string().min(1).max(1000).refine(isStorable, "This is no id.");

/** For who is not signed in yet. */
export const publicProcedure = guardedProcedure;

/** For every signed-in operator. Comes before `.input()`, so that a stranger learns nothing of what is expected. */
export const signedInProcedure = guardedProcedure.use(({ ctx, next }) => {
  if (ctx.operator === null) throw new TRPCError({ code: "UNAUTHORIZED", message: "Sign in first." });
  return next({ ctx: { ...ctx, operator: ctx.operator } });
});

/**
 * For operators whose role holds the permission. Acts that leave an audit entry even when refused check it themselves,
 * where the entry is written.
 */
export function procedureFor(permission: Permission) {
  return signedInProcedure.use(({ ctx, next }) => {
    if (!hasPermission(ctx.operator.role, permission)) throw new DomainError("role_not_allowed");
    return next();
  });
}
