import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import type { Mode } from "#shared/desk-views.ts";
import { deskFiles, notFound } from "./http/desk-files.ts";
import { health, type ReadinessChecks } from "./http/health.ts";
import { securityHeaders } from "./http/security-headers.ts";
import type { Log } from "./log.ts";

export interface AppDeps {
  log: Log;
  checks: ReadinessChecks;
  metrics: RequestHandler;
  isHttps: boolean;
  trustedProxies: number | readonly string[] | null;
  /** What the `web` role serves; null in a process without it, which then only answers for its own health. */
  web: WebDeps | null;
}

export interface WebDeps {
  stripeWebhook: RequestHandler;
  /** Everything under /api/auth, with the path left whole. */
  auth: RequestHandler;
  /** Everything under /trpc, with the path stripped. */
  trpc: RequestHandler;
  boot: BootFacts;
  deskFolder: string;
}

/** What the desk may know before anybody signs in. */
export interface BootFacts {
  mode: Mode;
  version: string;
  /** The sandbox's made-up operators; no other mode may send them. */
  signIns?: readonly { email: string; password: string; role: string }[];
}

/** The HTTP side of one process, built from what it is given: nothing here is global. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable("x-powered-by");
  // An ETag would cost a hash of every answer; the desk's data is never the same twice and its files have names.
  app.set("etag", false);
  app.set("query parser", "simple");
  if (deps.trustedProxies !== null) {
    const proxies = deps.trustedProxies;
    app.set("trust proxy", typeof proxies === "number" ? proxies : [...proxies]);
  }
  app.use(securityHeaders({ isHttps: deps.isHttps }));
  app.use(health(deps.checks));
  app.get("/metrics", deps.metrics);
  if (deps.web) addWeb(app, deps.web);
  app.use(notFound);
  app.use(answerFailure(deps.log));
  return app;
}

function addWeb(app: Express, web: WebDeps): void {
  // Before anything that could read a body: the signature covers the bytes as they came.
  app.use("/webhooks/stripe", web.stripeWebhook);
  app.all("/api/auth/{*path}", web.auth);
  app.use("/trpc", web.trpc);
  app.get("/boot.json", (_request, response) => {
    response.set("cache-control", "no-store").json(web.boot);
  });
  app.use(["/api", "/trpc", "/webhooks"], notFound);
  app.use(deskFiles(web.deskFolder));
}

/** A fault of ours says nothing more than that: the cause is in the log, under the same moment. */
function answerFailure(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const status = clientFaultOf(error);
    if (status !== null) {
      response.status(status).json({ error: "bad_request" });
      return;
    }
    log.error({ err: error, method: request.method, path: request.path }, "a request failed");
    response.status(500).json({ error: "internal" });
  };
}

/** The 4xx that Express and its parts mark an error with, such as 400 for a path that cannot be decoded. */
function clientFaultOf(error: unknown): number | null {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return null;
  return error.status >= 400 && error.status < 500 ? error.status : null;
}
