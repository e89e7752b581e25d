import { EventEmitter, once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createStripe } from "../stripe/client.ts";
import { type Emulator, startEmulator } from "./emulator.ts";

const SESSION = /^\/v1\/checkout\/sessions\/[^/]+$/;

describe("the emulator, told to misbehave", () => {
  let emulator: Emulator;
  let sessionId: string;
  const stripe = () => createStripe({ secretKey: emulator.secretKey, apiBase: new URL(emulator.apiBase) });
  const read = () => stripe().checkout.sessions.retrieve(sessionId, { expand: ["line_items"] });

  beforeEach(async () => {
    emulator = await startEmulator();
    ({ sessionId } = await emulator.sessions.create());
  });
  afterEach(() => emulator.stop());

  test("fails as often as it was told, then answers", async () => {
    emulator.controls.failNext({ path: SESSION, status: 500, times: 2 });
    await expect(read()).rejects.toMatchObject({ type: "StripeAPIError", statusCode: 500 });
    await expect(read()).rejects.toMatchObject({ statusCode: 500 });
    expect(await read()).toMatchObject({ id: sessionId });
  });

  test("fails only the route it was told, and in the shape Stripe gives each status", async () => {
    emulator.controls.failNext({ path: /\/line_items$/, status: 429 });
    expect(await read()).toMatchObject({ id: sessionId });
    await expect(stripe().checkout.sessions.listLineItems(sessionId)).rejects.toMatchObject({
      type: "StripeRateLimitError",
      code: "rate_limit",
    });
    emulator.controls.failNext({ path: SESSION, status: 200, body: "<html>a proxy's page</html>" });
    await expect(read()).rejects.toThrow("Invalid JSON");
  });

  test("breaks the connection without an answer", async () => {
    // The client itself asks once more after a reset, even with its retries off.
    emulator.controls.failNext({ path: SESSION, status: "reset", times: 2 });
    await expect(read()).rejects.toMatchObject({ type: "StripeConnectionError" });
    expect(emulator.controls.requests.filter((request) => SESSION.test(request.path))).toHaveLength(2);
    expect(await read()).toMatchObject({ id: sessionId });
  });

  test("holds an answer back until it is let go", async () => {
    const gate = new EventEmitter();
    emulator.controls.delayNext({ path: SESSION, until: once(gate, "open") });
    const held = read();
    expect(await read()).toMatchObject({ id: sessionId });
    gate.emit("open");
    expect(await held).toMatchObject({ id: sessionId });
  });

  test("answers once with a changed body", async () => {
    emulator.controls.answerNext({ path: SESSION, change: (body) => ({ ...body, line_items: null }) });
    expect(await read()).toMatchObject({ line_items: null });
    expect(await read()).toMatchObject({ line_items: { object: "list" } });
  });

  test("shows a session's fields as a test wants them, over what is true", async () => {
    await emulator.controls.mutateSession(sessionId, { payment_status: "half_paid", mode: "setup" });
    expect(await read()).toMatchObject({ payment_status: "half_paid", mode: "setup", status: "complete" });
    const event = await emulator.eventOf(sessionId, { type: "checkout.session.completed" });
    expect(event.data.object).toMatchObject({ payment_status: "half_paid" });
  });

  test("records what it was asked, with the account", async () => {
    await stripe()
      .checkout.sessions.retrieve(sessionId, { expand: ["customer"] }, { stripeAccount: "acct_1" })
      .catch(() => {});
    expect(emulator.controls.requests).toEqual([
      {
        method: "GET",
        path: `/v1/checkout/sessions/${sessionId}`,
        query: { expand: ["customer"] },
        body: {},
        account: "acct_1",
        idempotencyKey: null,
        apiVersion: "2026-10-28.endive",
      },
    ]);
  });

  test.for([
    [{ state: "open" }, "open", "unpaid", false],
    [{ state: "paid", currency: "jpy" }, "complete", "paid", true],
    [{ state: "unpaid" }, "complete", "unpaid", true],
    [{ state: "settled" }, "complete", "paid", true],
    [{ state: "failed" }, "complete", "unpaid", true],
    [{ state: "free" }, "complete", "no_payment_required", false],
    [{ state: "expired" }, "expired", "unpaid", false],
  ] as const)("makes a session of %o with one call", async ([options, status, paymentStatus, hasCharge]) => {
    const made = await emulator.sessions.create(options);
    expect(made.chargeId !== null).toBe(hasCharge);
    expect(await stripe().checkout.sessions.retrieve(made.sessionId)).toMatchObject({
      status,
      payment_status: paymentStatus,
      payment_intent: made.paymentIntentId,
    });
  });

  test("shows what the buyer paid in, and who sent them", async () => {
    const made = await emulator.sessions.create({
      presentment: { amount: 5390, currency: "usd" },
      paymentLink: "plink_1",
      clientReferenceId: "user_7731",
    });
    expect(await stripe().checkout.sessions.retrieve(made.sessionId)).toMatchObject({
      presentment_details: { presentment_amount: 5390, presentment_currency: "usd" },
      payment_link: "plink_1",
      client_reference_id: "user_7731",
    });
  });
});
