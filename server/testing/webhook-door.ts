import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import pino from "pino";
import Stripe from "stripe";
import { afterEach } from "vitest";
import type { RefusalCode } from "#shared/outcomes.ts";
import { stripeWebhook, type StripeWebhookOptions } from "../http/stripe-webhook.ts";
import { createReceiver } from "../receiving/receiver.ts";
import type { TestDatabase } from "./use-database.ts";

const DOOR_SECRET = "whsec_door";

export interface WebhookDoor {
  /** Posts an event as Stripe does: signed, by the door's own secret unless another is named. */
  post: (event: object, options?: { secret?: string }) => Promise<{ status: number; body: unknown }>;
  /** Posts any bytes at all, rightly signed. */
  postBytes: (body: Uint8Array | string) => Promise<{ status: number; body: unknown }>;
  /** For a test that writes to the socket by itself. */
  url: string;
  headersOf: (payload: Uint8Array | string) => Record<string, string>;
  refused: RefusalCode[];
}

/** The webhook address behind a real HTTP server, until the test is over. */
export function useWebhookDoor(
  database: () => TestDatabase,
): (overrides?: Partial<StripeWebhookOptions>) => Promise<WebhookDoor> {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
  return async (overrides = {}) => {
    const refused: RefusalCode[] = [];
    const app = express();
    app.use(
      "/webhooks/stripe",
      stripeWebhook({
        receiver: createReceiver({
          db: database().db,
          accounts: overrides.accounts ?? [],
          attemptsMax: 8,
          onBringOnFailed: () => {},
          waitingMax: 2000,
          onDue: () => {},
        }),
        secrets: [{ secret: DOOR_SECRET, mode: null }],
        livemode: false,
        accounts: [],
        toleranceSeconds: 300,
        log: pino({ level: "silent" }),
        onDelivery: () => {},
        onRefused: (code) => refused.push(code),
        ...overrides,
      }),
    );
    const server = app.listen(0, "127.0.0.1");
    servers.push(server);
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`;
    return {
      post: (event, { secret = DOOR_SECRET } = {}) => postSigned(url, JSON.stringify(event), secret),
      postBytes: (body) => postSigned(url, body, DOOR_SECRET),
      url,
      headersOf: (payload) => headersOf(payload, DOOR_SECRET),
      refused,
    };
  };
}

function headersOf(body: Uint8Array | string, secret: string): Record<string, string> {
  // The SDK signs text, and checks what it decodes the bytes to.
  const payload = typeof body === "string" ? body : new TextDecoder().decode(body);
  return {
    "content-type": "application/json; charset=utf-8",
    "stripe-signature": Stripe.webhooks.generateTestHeaderString({ payload, secret }),
  };
}

async function postSigned(
  url: string,
  payload: Uint8Array | string,
  secret: string,
): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url, {
    method: "POST",
    body: Buffer.from(payload),
    headers: headersOf(payload, secret),
  });
  return { status: answer.status, body: await answer.json() };
}
