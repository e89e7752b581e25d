import express, { type Request, type RequestHandler, Router } from "express";
import { z } from "zod";
import { expireSession, paySession, sessionOrFail, settleSession } from "./checkout.ts";
import { shownSession } from "./build-session.ts";
import type { Session } from "./objects.ts";
import { StripeErrorAnswer } from "./stripe-error.ts";
import { byBuyer, type World } from "./world.ts";

const DELIVERIES_MAX = 100;
const DELAY_MS_MAX = 600_000;

const deliver = z
  .union([
    z.literal(false),
    z.literal(true).transform(() => ({})),
    z.strictObject({
      times: z.int().min(1).max(DELIVERIES_MAX).default(1),
      parallel: z.boolean().default(false),
      twin: z.boolean().default(false),
      reversed: z.boolean().default(false),
      delayMs: z.int().min(0).max(DELAY_MS_MAX).default(0),
    }),
  ])
  .default({ times: 1, parallel: false, twin: false, reversed: false, delayMs: 0 });
const account = z.string().max(255).default("");
const payBody = z.strictObject({
  method: z.enum(["card", "bank_transfer", "free"]).default("card"),
  email: z.email().optional(),
  account,
  deliver,
});
const settleBody = z.strictObject({ fails: z.boolean().default(false), account, deliver });
const expireBody = z.strictObject({ account, deliver });

/**
 * `/sandbox/sessions/:id`: what a buyer does in Stripe's Checkout page, and what banks and time do. For people with
 * curl and for programs; the sandbox has no pages.
 */
export function buyerRoutes(world: World): Router {
  const routes = Router();
  routes.use(refuseBrowsers, express.json());
  routes.get("/sessions/:id", async (request, response) => {
    const asked = typeof request.query.account === "string" ? request.query.account : "";
    const session = await sessionOrFail(world, request.params.id, asked);
    response.json({ session: shownSession(session), acts: actsOf(session) });
  });
  routes.post("/sessions/:id/pay", async (request, response) => {
    const given = readBody(payBody, request);
    const session = await paySession(
      world,
      { sessionId: request.params.id, method: given.method, email: given.email },
      byBuyer(given.account, given.deliver),
    );
    response.json({ session: shownSession(session), acts: actsOf(session) });
  });
  routes.post("/sessions/:id/settle", async (request, response) => {
    const given = readBody(settleBody, request);
    const session = await settleSession(
      world,
      { sessionId: request.params.id, fails: given.fails },
      byBuyer(given.account, given.deliver),
    );
    response.json({ session: shownSession(session), acts: actsOf(session) });
  });
  routes.post("/sessions/:id/expire", async (request, response) => {
    const given = readBody(expireBody, request);
    const session = await expireSession(
      world,
      { sessionId: request.params.id },
      byBuyer(given.account, given.deliver),
    );
    response.json({ session: shownSession(session), acts: actsOf(session) });
  });
  return routes;
}

/** What can happen to the session next, as requests. */
function actsOf(session: Session): string[] {
  const path = `/sandbox/sessions/${session.id}`;
  if (session.status === "open") {
    const methods = session.amount_total === 0 ? ["free"] : ["card", "bank_transfer"];
    return [...methods.map((method) => `POST ${path}/pay {"method":"${method}"}`), `POST ${path}/expire`];
  }
  const isProcessing = session.status === "complete" && session.payment_status === "unpaid";
  return isProcessing ? [`POST ${path}/settle`, `POST ${path}/settle {"fails":true}`] : [];
}

/**
 * Any page a person has open could post to 127.0.0.1. A browser always says where such a post comes from, and a
 * name that was made to point here shows in Host.
 */
const refuseBrowsers: RequestHandler = (request, _response, next) => {
  const isLocal = request.hostname === "127.0.0.1" || request.hostname === "localhost";
  if (request.get("origin") === undefined && isLocal) return next();
  throw new StripeErrorAnswer("The sandbox's controls take requests from this machine's programs only.", {
    status: 403,
  });
};

function readBody<Schema extends z.ZodType>(schema: Schema, request: Request): z.output<Schema> {
  const result = schema.safeParse(request.body ?? {});
  if (result.success) return result.data;
  throw new StripeErrorAnswer(`The body cannot be read: ${z.prettifyError(result.error)}`);
}
