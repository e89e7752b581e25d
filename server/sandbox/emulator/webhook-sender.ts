import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { Log } from "../../log.ts";
import { createStripe } from "../../stripe/client.ts";
import type { StripeEvent } from "./objects.ts";

/** Stripe gives an endpoint some seconds to answer; how many it does not say. */
const ANSWER_SECONDS_MAX = 10;

export interface SenderOptions {
  /** The endpoint. */
  url: string;
  /** What its signatures are made with. */
  secret: string;
  /** Wait before the second try; doubles from there. Stripe waits far longer than anybody watches a sandbox. */
  firstRetryMs?: number;
  retryMsMax?: number;
  triesMax?: number;
  /** Which types the endpoint asked for; all of them if absent. */
  isWanted?: (type: string) => boolean;
  log?: Log | undefined;
  /** Milliseconds since 1970: what signatures are stamped with. */
  now?: () => number;
  /** Called once for each event that was answered 2xx. */
  onDelivered?: (event: StripeEvent) => Promise<void>;
}

export interface WebhookSender {
  isWanted: (type: string) => boolean;
  /**
   * Delivers the event until it is answered 2xx, signed anew at each try, then gives up after `triesMax` tries.
   * Resolves with the number of tries and whether one of them succeeded. Never throws.
   */
  deliver: (event: StripeEvent) => Promise<{ tries: number; delivered: boolean }>;
  /** Resolves when nothing is on its way and nothing waits for a retry. */
  idle: () => Promise<void>;
  /** Breaks off what is on its way. Undelivered events stay pending. */
  stop: () => Promise<void>;
  /** Aborts when the sender stops; for waits before a delivery. */
  stopping: AbortSignal;
}

/** One try: signs with a timestamp of now, as Stripe does at every try, and says what the endpoint answered. */
async function postSigned(
  event: StripeEvent,
  { url, secret, atSeconds, signal }: { url: string; secret: string; atSeconds: number; signal: AbortSignal },
): Promise<number> {
  const payload = JSON.stringify(event, null, 2);
  const timeout = AbortSignal.timeout(ANSWER_SECONDS_MAX * 1000);
  const response = await fetch(url, {
    method: "POST",
    body: payload,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
      "stripe-signature": signatureOf(payload, { secret, atSeconds }),
    },
    // A redirect is a failure to Stripe, so it must not be followed here either.
    redirect: "manual",
    signal: AbortSignal.any([signal, timeout]),
  });
  await response.arrayBuffer();
  return response.status;
}

const signer = createStripe({ secretKey: "sk_test_signs_only", apiBase: null });

function signatureOf(payload: string, { secret, atSeconds }: { secret: string; atSeconds: number }): string {
  return signer.webhooks.generateTestHeaderString({ payload, secret, timestamp: atSeconds });
}

export function createSender(options: SenderOptions): WebhookSender {
  const { firstRetryMs = 1000, retryMsMax = 60_000, triesMax = 20, now = Date.now } = options;
  const stopped = new AbortController();
  // Every delivery and every wait listens for the end: many are no leak.
  setMaxListeners(0, stopped.signal);
  const onItsWay = new Set<Promise<unknown>>();

  async function attempt(event: StripeEvent): Promise<boolean> {
    try {
      const status = await postSigned(event, {
        url: options.url,
        secret: options.secret,
        atSeconds: Math.floor(now() / 1000),
        signal: stopped.signal,
      });
      if (status >= 200 && status < 300) return true;
      options.log?.debug({ eventId: event.id, status }, "Sandbox: the endpoint did not take an event.");
    } catch (error) {
      if (!stopped.signal.aborted)
        options.log?.debug({ eventId: event.id, err: error }, "Sandbox: the endpoint cannot be reached.");
    }
    return false;
  }

  async function deliver(event: StripeEvent): Promise<{ tries: number; delivered: boolean }> {
    for (let tries = 1; !stopped.signal.aborted; tries++) {
      if (await attempt(event)) {
        await options.onDelivered?.(event);
        return { tries, delivered: true };
      }
      if (tries >= triesMax) {
        options.log?.warn({ eventId: event.id, tries }, "Sandbox: gave up delivering an event.");
        return { tries, delivered: false };
      }
      const delayMs = Math.min(firstRetryMs * 2 ** (tries - 1), retryMsMax);
      await wait(delayMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
    return { tries: 0, delivered: false };
  }

  return {
    isWanted: options.isWanted ?? (() => true),
    deliver: (event) => {
      const delivery = deliver(event).finally(() => onItsWay.delete(delivery));
      onItsWay.add(delivery);
      return delivery;
    },
    idle: async () => {
      while (onItsWay.size > 0) await Promise.allSettled(onItsWay);
    },
    stop: async () => {
      stopped.abort();
      await Promise.allSettled(onItsWay);
    },
    stopping: stopped.signal,
  };
}
