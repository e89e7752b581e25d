import { createStripe } from "#server/stripe/client.ts";

export const WEBHOOK_SECRET = "whsec_of_the_crash_matrix";

const signer = createStripe({ secretKey: "sk_test_signs_only", apiBase: null });

/** An event as Stripe would send it now: its bytes, and the signature over them. */
export function signEvent(event: object): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(event, null, 2);
  const signature = signer.webhooks.generateTestHeaderString({ payload: body, secret: WEBHOOK_SECRET });
  return { body, headers: { "content-type": "application/json", "stripe-signature": signature } };
}
