import { rmSync } from "node:fs";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../free-port.ts";
import { type Emulator, startEmulator } from "../sandbox/emulator.ts";
import { startedEinmal } from "../testing/einmal-process.ts";
import { makeOwnFolder, openOwnDatabase } from "../testing/own-folder.ts";

const SECRET = "whsec_of_this_test";
/** The shortest handler budget that is allowed, in seconds. */
const BUDGET = "20";

let folder = "";
let port = 0;
let stripe: Emulator;

beforeAll(async () => {
  folder = makeOwnFolder();
  port = await freePort();
  stripe = await startEmulator();
});
afterAll(async () => {
  await stripe.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = () =>
  startedEinmal({
    EINMAL_FOLDER: folder,
    PORT: String(port),
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_API_BASE: stripe.apiBase,
    STRIPE_WEBHOOK_SECRET: SECRET,
    HANDLER_BUDGET_SECONDS: BUDGET,
  });

async function deliver(event: object): Promise<number> {
  const payload = JSON.stringify(event);
  const answer = await fetch(`http://127.0.0.1:${port}/webhooks/stripe`, {
    method: "POST",
    body: payload,
    headers: { "stripe-signature": Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET }) },
  });
  return answer.status;
}

// A deploy, the out-of-memory killer, a power cut: between the claim and its settling nobody can say goodbye. C26
test("a process killed while it holds an event loses nothing: after the budget another one grants, once", {
  timeout: 120_000,
}, async () => {
  const { sessionId } = await stripe.sessions.create({
    metadata: { order_id: "order_1", user_id: "user_1" },
  });
  const event = await stripe.eventOf(sessionId, { type: "checkout.session.completed" });
  const path = /^\/v1\/checkout\/sessions\/[^/]+$/;
  stripe.controls.delayNext({ path, until: new Promise(() => {}) });

  const killed = await start();
  expect(await deliver(event)).toBe(200);
  await expect.poll(() => stripe.controls.requests.length, { timeout: 30_000, interval: 20 }).toBe(1);
  killed.kill("SIGKILL");
  await killed.ended;

  const successor = await start();
  // Stripe tries again meanwhile, because it cannot know.
  expect(await deliver(event)).toBe(200);
  const sql = openOwnDatabase(folder);
  await expect
    .poll(async () => (await sql`select status from processed_stripe_events`)[0]?.status, {
      timeout: 60_000,
      interval: 200,
    })
    .toBe("processed");
  const attempts = await sql`select attempt, result from event_attempts order by attempt`;
  const ledger = await sql`select order_id, delta::int from credit_ledger`;
  const deliveries = await sql`select verdict from event_deliveries order by delivery_id`;
  await sql.end();
  successor.kill("SIGTERM");
  expect(await successor.ended).toEqual({ code: 0, signal: null });

  expect([...attempts]).toEqual([
    { attempt: 1, result: "lost" },
    { attempt: 2, result: "processed" },
  ]);
  expect([...ledger]).toEqual([{ order_id: "order_1", delta: 40 }]);
  expect(deliveries.map((delivery) => delivery.verdict)).toEqual(["claimed", "redelivery"]);
});
