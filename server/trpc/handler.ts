import { createExpressMiddleware } from "@trpc/server/adapters/express";
import type { RequestHandler } from "express";
import { causeOf } from "../db/errors.ts";
import { DomainError } from "../errors.ts";
import { createContext, type DeskDeps } from "./context.ts";
import { appRouter } from "./router.ts";

const BODY_BYTES_MAX = 1024 * 1024;
/** More calls in one request than a page makes at once serve only to make the server work. */
const BATCH_MAX = 20;

/** The desk's procedures, to be mounted at /trpc with the path stripped. */
export function createTrpcHandler(deps: DeskDeps): RequestHandler {
  return createExpressMiddleware({
    router: appRouter,
    createContext: ({ req, res }) => createContext(deps, { req, res }),
    // A query may come as POST, so that a one-time token stands in a body and never in an address.
    allowMethodOverride: true,
    maxBodySize: BODY_BYTES_MAX,
    maxBatchSize: BATCH_MAX,
    responseMeta: () => ({ headers: { "cache-control": "no-store" } }),
    onError: ({ error, path, ctx }) => {
      const fields = { procedure: path, operatorId: ctx?.operator?.id };
      if (error.code === "INTERNAL_SERVER_ERROR") {
        deps.log.error({ ...fields, err: causeOf(error.cause ?? error) }, "a procedure failed");
      } else if (error.cause instanceof DomainError) {
        deps.log.info({ ...fields, code: error.cause.code }, "a procedure refused");
      }
    },
  });
}
