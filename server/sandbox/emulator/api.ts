import { timingSafeEqual } from "node:crypto";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import type { Log } from "../../log.ts";
import { buyerRoutes } from "./buyer-routes.ts";
import { catalogRoutes } from "./catalog-routes.ts";
import { checkoutRoutes } from "./checkout-routes.ts";
import type { RequestControls } from "./controls.ts";
import { readRoutes } from "./read-routes.ts";
import { errorBody, StripeErrorAnswer } from "./stripe-error.ts";
import type { World } from "./world.ts";

const BODY_LIMIT = "1mb";

export interface ApiOptions {
  world: World;
  secretKey: string;
  controls: RequestControls;
  payAddress: (sessionId: string) => string;
  log?: Log | undefined;
}

/** Stripe's API as far as it is emulated, and the controls a buyer's hand needs, as one Express app. */
export function createApi({ world, secretKey, controls, payAddress, log }: ApiOptions): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("json spaces", 2);
  // Stripe's clients write lists and objects with brackets, in queries too.
  app.set("query parser", "extended");

  app.use("/v1", stamp(world), express.urlencoded({ extended: true, limit: BODY_LIMIT }));
  app.use("/v1", controls.middleware, authenticate(secretKey));
  app.use("/v1/checkout/sessions", checkoutRoutes(world, { payAddress }));
  app.use("/v1", catalogRoutes(world), readRoutes(world));
  app.use("/sandbox", buyerRoutes(world));
  app.use((request) => {
    const url = request.originalUrl.split("?")[0];
    throw new StripeErrorAnswer(`Unrecognized request URL (${request.method}: ${url}).`, { status: 404 });
  });
  app.use(answerErrors(log));
  return app;
}

/** The headers that Stripe's support asks for. */
function stamp(world: World): RequestHandler {
  return (request, response, next) => {
    response.set("Request-Id", world.newId("req", 14));
    const version = request.get("stripe-version");
    if (version) response.set("Stripe-Version", version);
    const account = request.get("stripe-account");
    if (account) response.set("Stripe-Account", account);
    next();
  };
}

function authenticate(secretKey: string): RequestHandler {
  return (request, _response, next) => {
    const key = keyOf(request.get("authorization"));
    if (key === null) {
      throw new StripeErrorAnswer(
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.",
        { status: 401 },
      );
    }
    if (!isSame(key, secretKey)) {
      throw new StripeErrorAnswer(`Invalid API Key provided: ${key.slice(0, 8)}****`, { status: 401 });
    }
    next();
  };
}

function keyOf(authorization: string | undefined): string | null {
  const [scheme, credentials] = authorization?.split(" ") ?? [];
  if (!credentials) return null;
  // curl -u sk_test_...: is Basic with an empty password.
  const isBasic = scheme?.toLowerCase() === "basic";
  return isBasic ? (Buffer.from(credentials, "base64").toString().split(":")[0] ?? null) : credentials;
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function answerErrors(log: Log | undefined): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof StripeErrorAnswer) {
      response.status(error.status).json(errorBody(error));
      return;
    }
    const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
    if (status >= 400 && status < 500) {
      response.status(status).json(errorBody(new StripeErrorAnswer("The request's body cannot be read.")));
      return;
    }
    log?.error({ err: error, path: request.path }, "Sandbox: the Stripe emulator failed.");
    response
      .status(500)
      .json(errorBody(new StripeErrorAnswer("An unknown error occurred.", { type: "api_error" })));
  };
}
