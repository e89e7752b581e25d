import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import express from "express";
import pino from "pino";
import Stripe from "stripe";
import { afterEach, describe, expect, test } from "vitest";
import type { RefusalCode } from "#shared/outcomes.ts";
import { openDatabase } from "../db/client.ts";
import { eventDeliveries } from "../db/schema/event-deliveries.ts";
import { eventPayloads } from "../db/schema/event-payloads.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { createReceiver, type Receiver } from "../receiving/receiver.ts";
import type { WebhookSecret } from "../stripe/signing.ts";
import { useDatabase } from "../testing/use-database.ts";
import { stripeWebhook } from "./stripe-webhook.ts";

const database = useDatabase();
const SECRET = "whsec_test";
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** The webhook route in front of a global JSON parser, as the whole application has it. */
async function listening(
  overrides: { secrets?: WebhookSecret[]; receiver?: Receiver; livemode?: boolean } = {},
) {
  const refused: RefusalCode[] = [];
  const app = express();
  app.use(
    "/webhooks/stripe",
    stripeWebhook({
      receiver: createReceiver({
        db: database().db,
        accounts: [],
        attemptsMax: 8,
        onBringOnFailed: () => {},
        waitingMax: 100,
        onDue: () => {},
      }),
      secrets: [{ secret: SECRET, mode: null }],
      livemode: false,
      accounts: [],
      toleranceSeconds: 300,
      log: pino({ level: "silent" }),
      onDelivery: () => {},
      onRefused: (code) => refused.push(code),
      ...overrides,
    }),
  );
  app.use(express.json());
  const server = createServer(app).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`;
  return { url, refused };
}

const eventJson = (overrides: Record<string, unknown> = {}) => ({
  id: "evt_1",
  object: "event",
  type: "checkout.session.completed",
  livemode: false,
  data: { object: { id: "cs_1" } },
  ...overrides,
});
const sign = (payload: string, { secret = SECRET, ageSeconds = 0 } = {}) =>
  Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(Date.now() / 1000) - ageSeconds,
  });
const post = (url: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    body: body as BodyInit,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
  });
const postSigned = (url: string, body: string, headers: Record<string, string> = {}) =>
  post(url, body, { "stripe-signature": sign(body), ...headers });

async function storedRows(): Promise<number> {
  const { db } = database();
  return (await db.$count(events)) + (await db.$count(eventDeliveries)) + (await db.$count(eventPayloads));
}

describe("the webhook address", () => {
  // A JSON parser ahead of the route would hand over an object and break every signature. C01
  test("accepts a signed event whatever its white space, and keeps its bytes", async () => {
    const { url } = await listening();
    const body = `${JSON.stringify(eventJson(), null, 2)}\n`;
    const answer = await postSigned(url, body);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { received: true, verdict: "claimed", event: "evt_1" },
    ]);
    const [payload] = await database().db.select().from(eventPayloads);
    expect(Buffer.from(payload?.body ?? []).toString()).toBe(body);
  });

  test.for<
    [
      string,
      (body: string) => { body?: string | Uint8Array; headers?: Record<string, string> },
      number,
      RefusalCode,
    ]
  >([
    ["an unsigned body", () => ({}), 400, "signature_missing"],
    [
      "a body signed by a stranger",
      (body) => ({ headers: { "stripe-signature": sign(body, { secret: "whsec_no" }) } }),
      400,
      "signature_invalid",
    ],
    [
      "a signature that is too old",
      (body) => ({ headers: { "stripe-signature": sign(body, { ageSeconds: 400 }) } }),
      400,
      "signature_too_old",
    ],
    [
      "a signature from the future",
      (body) => ({ headers: { "stripe-signature": sign(body, { ageSeconds: -400 }) } }),
      400,
      "signature_in_future",
    ],
    [
      "a body with one space removed",
      (body) => ({ body: body.replace(" ", ""), headers: { "stripe-signature": sign(body) } }),
      400,
      "signature_invalid",
    ],
    [
      "an empty body",
      () => ({ body: "", headers: { "stripe-signature": sign(" ") } }),
      400,
      "signature_invalid",
    ],
    ["a body over 1 MiB", () => ({ body: "x".repeat(1024 * 1024 + 1) }), 413, "body_too_large"],
    [
      "a compressed bomb",
      () => ({ body: gzipSync(Buffer.alloc(20 * 1024 * 1024)), headers: { "content-encoding": "gzip" } }),
      413,
      "body_too_large",
    ],
    ["an unknown compression", () => ({ headers: { "content-encoding": "zstd9" } }), 400, "body_interrupted"],
  ])("refuses %s and stores nothing of it", async ([, make, status, code]) => {
    const { url, refused } = await listening();
    const body = JSON.stringify(eventJson(), null, 1);
    const { body: sent = body, headers = {} } = make(body);
    const answer = await post(url, sent, headers);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { code } });
    expect(refused).toEqual([code]);
    expect(await storedRows()).toBe(0);
  });

  test.for(["GET", "PUT", "DELETE", "PATCH", "HEAD"])(
    "answers %s with 405 and what it takes instead",
    async (method) => {
      const { url } = await listening();
      const answer = await fetch(url, { method });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    },
  );

  test.for(["null", "[]", '"x"', "123", "{}", "not json"])(
    "answers 200 to a signed %s and keeps it as unreadable",
    async (body) => {
      const { url } = await listening();
      const answer = await postSigned(url, body);
      expect([answer.status, await answer.json()]).toMatchObject([200, { verdict: "unreadable" }]);
      expect(await database().db.$count(events)).toBe(0);
      expect(await database().db.$count(eventDeliveries)).toBe(1);
    },
  );

  // Proxies rewrite content types; without this the body would be missing and the error misleading.
  test.for(["text/plain", "application/cloudevents+json", "application/json; charset=iso-8859-1"])(
    "does not mind the content type %s",
    async (type) => {
      const { url } = await listening();
      const answer = await postSigned(url, JSON.stringify(eventJson({ note: "Zoë 🎉" })), {
        "content-type": type,
      });
      expect(answer.status).toBe(200);
    },
  );

  // C80
  test.for([99, 101, 900])("accepts an event of %i kB", async (kilobytes) => {
    const { url } = await listening();
    const answer = await postSigned(url, JSON.stringify(eventJson({ note: "x".repeat(kilobytes * 1000) })));
    expect(answer.status).toBe(200);
  });

  test("accepts a body whose characters arrive in halves", async () => {
    const { url } = await listening();
    const body = JSON.stringify(eventJson({ note: "🎉" }));
    const bytes = Buffer.from(body);
    const half = bytes.indexOf(0xf0) + 2;
    const status = await new Promise((resolve, reject) => {
      const sending = httpRequest(
        url,
        { method: "POST", headers: { "stripe-signature": sign(body) } },
        (answer) => resolve(answer.statusCode),
      );
      sending.on("error", reject);
      sending.write(bytes.subarray(0, half), () => sending.end(bytes.subarray(half)));
    });
    expect(status).toBe(200);
  });

  test("refuses a body of the other mode than its secret is marked for", async () => {
    const { url } = await listening({ secrets: [{ secret: SECRET, mode: "live" }] });
    const answer = await postSigned(url, JSON.stringify(eventJson()));
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { code: "secret_of_other_mode" } },
    ]);
    expect(await storedRows()).toBe(0);
  });

  // A test event must never grant live credits, and a refusal would make Stripe retry it for days. C67
  test("answers 200 to a test event on a live installation and settles it as recorded", async () => {
    const { url } = await listening({ livemode: true });
    expect((await postSigned(url, JSON.stringify(eventJson()))).status).toBe(200);
    const [row] = await database().db.select().from(events);
    expect(row).toMatchObject({ status: "processed", outcome: "recorded", lastErrorCode: "wrong_mode" });
  });

  test("answers 503 when the database cannot be reached, so that Stripe sends it again", async () => {
    const nowhere = openDatabase({
      url: "postgres://nobody@127.0.0.1:1/none",
      connectionsMax: 1,
      applicationName: "test",
    });
    const receiver = createReceiver({
      db: nowhere.db,
      accounts: [],
      attemptsMax: 8,
      onBringOnFailed: () => {},
      waitingMax: 10,
      onDue: () => {},
    });
    const { url, refused } = await listening({ receiver });
    const answer = await postSigned(url, JSON.stringify(eventJson()));
    expect([answer.status, refused]).toEqual([503, ["database_unavailable"]]);
    expect(answer.headers.get("retry-after")).not.toBeNull();
  });

  test("answers ten parallel deliveries and a twin with 200 and one claim", async () => {
    const { url } = await listening();
    const body = JSON.stringify(eventJson());
    const twin = JSON.stringify(eventJson({ id: "evt_2" }));
    const answers = await Promise.all(
      [...Array.from({ length: 10 }, () => body), twin].map((one) => postSigned(url, one)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 11 }, () => 200));
    expect(await database().db.$count(events)).toBe(1);
    expect(await database().db.$count(eventDeliveries)).toBe(11);
  });
});
