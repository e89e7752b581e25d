import { toNodeHandler } from "better-auth/node";
import express, { type Request, type RequestHandler, Router } from "express";
import { OUTCOMES } from "#shared/outcomes.ts";

/** Where better-auth looks for the client's address. Set here for each request, whatever the client sent. */
export const CLIENT_ADDRESS_HEADER = "x-einmal-client-address";

/** What the desk uses. better-auth has many more endpoints; what nobody needs stays shut. */
const OPEN_PATHS = new Set(["/sign-in/email", "/sign-out", "/get-session"]);
const PREFIX = "/api/auth";
const BODY_LIMIT = "16kb";
const ORIGIN_REFUSED = `${OUTCOMES.origin_not_trusted.meaning} ${OUTCOMES.origin_not_trusted.nextStep}`;

export interface AuthHandlerOptions {
  /** better-auth itself. */
  handle: (request: globalThis.Request) => Promise<globalThis.Response>;
  isTrustedOrigin: (origin: string) => boolean;
}

/** Everything under /api/auth: few paths, our own pages, small JSON bodies, and an address that cannot be made up. */
export function authHandler({ handle, isTrustedOrigin }: AuthHandlerOptions): Router {
  const router = Router();
  const answer = toNodeHandler(handle);
  router.use(onlyOpenPaths, onlyOwnPages(isTrustedOrigin), onlyJson, express.json({ limit: BODY_LIMIT }));
  router.use(async (request, response) => {
    setClientAddress(request);
    response.set("cache-control", "no-store");
    await answer(request, response);
  });
  return router;
}

const onlyOpenPaths: RequestHandler = (request, response, next) => {
  const path = new URL(request.originalUrl, "http://localhost").pathname;
  if (path.startsWith(PREFIX) && OPEN_PATHS.has(path.slice(PREFIX.length))) next();
  else response.status(404).json({ error: "not_found" });
};

/** Signing a visitor of another page in, or out, is an act like any other: browsers name the page it comes from. */
function onlyOwnPages(isTrustedOrigin: (origin: string) => boolean): RequestHandler {
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined || isTrustedOrigin(origin)) next();
    else response.status(403).json({ error: "origin_not_trusted", message: ORIGIN_REFUSED });
  };
}

/** A form can be posted here by any page on the web without asking; JSON cannot. */
const onlyJson: RequestHandler = (request, response, next) => {
  if (request.method !== "POST" || request.is("application/json")) next();
  else response.status(415).json({ error: "json_expected" });
};

/** Express has looked through the trusted proxies already (`trust proxy`). */
function setClientAddress(request: Request): void {
  delete request.headers[CLIENT_ADDRESS_HEADER];
  if (request.ip !== undefined) request.headers[CLIENT_ADDRESS_HEADER] = request.ip;
}
