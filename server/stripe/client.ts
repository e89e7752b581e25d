import Stripe from "stripe";

/** The API version every read is made in, whatever version an event was rendered in. */
export const STRIPE_API_VERSION = Stripe.API_VERSION;

/** Longest wait for one answer of Stripe, in seconds. An attempt's deadline may shorten it. */
export const STRIPE_CALL_SECONDS_MAX = 10;

export interface StripeOptions {
  secretKey: string;
  /** Any Stripe-compatible address; null for Stripe's own. */
  apiBase: URL | null;
}

/** The one client of this process. Its retries are off: our own backoff knows what a failure means for an event. */
export function createStripe({ secretKey, apiBase }: StripeOptions): Stripe {
  return new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    timeout: STRIPE_CALL_SECONDS_MAX * 1000,
    maxNetworkRetries: 0,
    telemetry: false,
    appInfo: { name: "Einmal" },
    ...(apiBase && {
      host: apiBase.hostname,
      port: apiBase.port === "" ? (apiBase.protocol === "https:" ? 443 : 80) : Number(apiBase.port),
      protocol: apiBase.protocol === "https:" ? ("https" as const) : ("http" as const),
    }),
  });
}
