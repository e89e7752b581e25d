import express from "express";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createStripe } from "../stripe/client.ts";
import { type Emulator, startEmulator } from "./emulator.ts";

const SECRET = "whsec_desk";
const stripe = createStripe({ secretKey: "sk_test_x", apiBase: null });

interface Arrived {
  id: string;
  type: string;
  objectId: string;
  signedAt: string;
  body: string;
}

/** An endpoint that verifies like a real one and answers with the next planned status, else 200. */
async function startEndpoint() {
  const arrived: Arrived[] = [];
  const answers: number[] = [];
  const app = express();
  app.post("/webhooks/stripe", express.text({ type: () => true, limit: "1mb" }), (request, response) => {
    const body = String(request.body);
    const signature = request.get("stripe-signature") ?? "";
    const event = stripe.webhooks.constructEvent(body, signature, SECRET);
    const objectId = "id" in event.data.object ? event.data.object.id : "";
    const signedAt = /^t=(\d+),/.exec(signature)?.[1] ?? "";
    arrived.push({ id: event.id, type: event.type, objectId, signedAt, body });
    response
      .status(answers.shift() ?? 200)
      .location("/elsewhere")
      .end();
  });
  app.all("/elsewhere", (_request, response) => {
    response.end();
  });
  const server = await new Promise<ReturnType<typeof app.listen>>((resolve) => {
    const listening = app.listen(0, "127.0.0.1", () => resolve(listening));
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}/webhooks/stripe`, arrived, answers, stop: () => server.close() };
}

describe("the emulator's webhooks", () => {
  let endpoint: Awaited<ReturnType<typeof startEndpoint>>;
  let emulator: Emulator;
  const types = () => endpoint.arrived.map((one) => one.type);
  const mainIds = () =>
    endpoint.arrived.filter((one) => one.type.startsWith("checkout.session.")).map((one) => one.id);

  beforeEach(async () => {
    endpoint = await startEndpoint();
    let seconds = 0;
    emulator = await startEmulator({
      // A second passes whenever somebody looks at the clock.
      now: () => Date.now() + 1000 * seconds++,
      webhook: { url: endpoint.url, secret: SECRET, firstRetryMs: 1, retryMsMax: 4, triesMax: 6 },
    });
  });
  afterEach(async () => {
    await emulator.stop();
    endpoint.stop();
  });

  test("tell a card payment with the events Stripe sends for it, each verified by the real client", async () => {
    const { sessionId } = await emulator.sessions.create({ state: "open" });
    await emulator.sessions.pay(sessionId);
    await emulator.idle();
    expect(types().toSorted()).toEqual([
      "charge.succeeded",
      "checkout.session.completed",
      "payment_intent.created",
      "payment_intent.succeeded",
    ]);
  });

  test("carry the session as it was, without line items, at the API version of the client", async () => {
    const { sessionId } = await emulator.sessions.create({ state: "open" });
    await emulator.sessions.pay(sessionId, { method: "bank_transfer" });
    await emulator.sessions.settle(sessionId);
    await emulator.idle();
    const completed = endpoint.arrived.find((one) => one.type === "checkout.session.completed");
    const event = JSON.parse(completed?.body ?? "");
    expect(event).toMatchObject({
      object: "event",
      api_version: "2026-10-28.endive",
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: { object: { id: sessionId, status: "complete", payment_status: "unpaid" } },
    });
    expect(event.data.object).not.toHaveProperty("line_items");
    expect(event.data.object).not.toHaveProperty("sandbox");
    expect(types()).toContain("checkout.session.async_payment_succeeded");

    const client = createStripe({ secretKey: emulator.secretKey, apiBase: new URL(emulator.apiBase) });
    expect(await client.events.retrieve(event.id)).toMatchObject({ id: event.id, pending_webhooks: 0 });
  });

  // Whoever keeps the signature of the first try fails every retry older than five minutes.
  test("come again, signed anew, until the endpoint answers 2xx", async () => {
    endpoint.answers.push(500, 404, 302, 503);
    const { sessionId } = await emulator.sessions.create({ state: "open" });
    await emulator.sessions.expire(sessionId);
    await emulator.idle();
    expect(new Set(mainIds()).size).toBe(1);
    expect(mainIds()).toHaveLength(5);
    expect(new Set(endpoint.arrived.map((one) => one.signedAt)).size).toBe(5);
  });

  test("stop coming when the endpoint never answers 2xx", async () => {
    endpoint.answers.push(...Array.from({ length: 20 }, () => 500));
    const { sessionId } = await emulator.sessions.create({ state: "open" });
    await emulator.sessions.expire(sessionId);
    await emulator.idle();
    expect(mainIds()).toHaveLength(6);
  });

  test("can arrive ten times at once with a twin: eleven deliveries under two ids", async () => {
    const { sessionId } = await emulator.sessions.create({ state: "open" });
    await emulator.sessions.pay(sessionId, { deliver: { times: 10, parallel: true, twin: true } });
    await emulator.idle();
    expect(mainIds()).toHaveLength(11);
    expect(new Set(mainIds()).size).toBe(2);
    expect(
      endpoint.arrived.every((one) => !one.type.startsWith("checkout") || one.objectId === sessionId),
    ).toBe(true);
  });

  test("can be kept back, while their events exist for who asks", async () => {
    const { sessionId } = await emulator.sessions.create({ state: "open" });
    await emulator.sessions.pay(sessionId, { deliver: false });
    await emulator.idle();
    expect(endpoint.arrived).toEqual([]);
  });

  test("name the connected account the session belongs to", async () => {
    await emulator.sessions.create({ state: "expired", account: "acct_berlin", deliver: {} });
    await emulator.idle();
    expect(JSON.parse(endpoint.arrived[0]?.body ?? "")).toMatchObject({ account: "acct_berlin" });
  });

  test("are caused by API requests too, which the event names", async () => {
    const client = createStripe({ secretKey: emulator.secretKey, apiBase: new URL(emulator.apiBase) });
    const customer = await client.customers.create(
      { email: "kim@example.test" },
      { idempotencyKey: "customer:7731" },
    );
    await emulator.idle();
    expect(JSON.parse(endpoint.arrived[0]?.body ?? "")).toMatchObject({
      type: "customer.created",
      request: { id: customer.lastResponse.requestId, idempotency_key: "customer:7731" },
    });
  });
});

describe("the emulator's control endpoints", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator();
  });
  afterEach(() => emulator.stop());
  const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${emulator.apiBase}/sandbox/sessions/${path}`, {
      method: "POST",
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  test("let a person pay, settle and expire sessions with curl, and say what can be done next", async () => {
    const { sessionId } = await emulator.sessions.create({ state: "open" });
    const asked = await fetch(`${emulator.apiBase}/sandbox/sessions/${sessionId}`);
    expect(await asked.json()).toMatchObject({ session: { status: "open" }, acts: expect.any(Array) });

    const paid = await post(`${sessionId}/pay`, { method: "bank_transfer" });
    expect(await paid.json()).toMatchObject({ session: { status: "complete", payment_status: "unpaid" } });
    const settled = await post(`${sessionId}/settle`);
    expect(await settled.json()).toMatchObject({ session: { payment_status: "paid" }, acts: [] });
    expect((await post(`${sessionId}/expire`)).status).toBe(400);

    const other = await emulator.sessions.create({ state: "open" });
    expect(await (await post(`${other.sessionId}/expire`)).json()).toMatchObject({
      session: { status: "expired" },
    });
  });

  test("refuse bodies they do not understand", async () => {
    const { sessionId } = await emulator.sessions.create({ state: "open" });
    expect((await post(`${sessionId}/pay`, { method: "gold" })).status).toBe(400);
    expect((await post(`${sessionId}/pay`, { deliver: { times: 1_000_000 } })).status).toBe(400);
    expect((await post("cs_test_none/pay")).status).toBe(404);
  });

  // Any web page that is open on this machine could otherwise play buyer.
  test("refuse a browser's requests", async () => {
    const { sessionId } = await emulator.sessions.create({ state: "open" });
    const refused = await post(`${sessionId}/pay`, undefined, { origin: "https://evil.example" });
    expect(refused.status).toBe(403);
  });
});
