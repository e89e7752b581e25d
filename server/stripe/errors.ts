import Stripe from "stripe";
import type { PermanentCode, TransientCode } from "#shared/outcomes.ts";

/** The attempt's time is used up. Nothing was written. */
export class DeadlineExceeded extends Error {
  override name = "DeadlineExceeded";
}

/** Our own rate limit would let the call start only after the attempt's deadline. It says nothing about the event. */
export class TurnTooLate extends Error {
  override name = "TurnTooLate";
}

/** Stripe answered, but with something that cannot be read as what was asked for. */
export class UnreadableAnswer extends Error {
  override name = "UnreadableAnswer";
}

export interface StripeFailure {
  code: TransientCode | PermanentCode;
  message: string;
}

/**
 * What an error of the Stripe client means for the event, or null if it is none. Decided by class and status as the
 * SDK documents them: a plain 429 is never retried by the SDK itself, and a 404 can mean "not visible yet".
 */
export function stripeFailureOf(error: unknown): StripeFailure | null {
  if (error instanceof UnreadableAnswer) return { code: "stripe_answer_unreadable", message: error.message };
  if (error instanceof TurnTooLate) return { code: "stripe_rate_limited", message: error.message };
  if (error instanceof DeadlineExceeded) return { code: "deadline_exceeded", message: error.message };
  if (!(error instanceof Stripe.errors.StripeError)) return null;
  return { code: codeOf(error), message: describe(error) };
}

function codeOf(error: InstanceType<typeof Stripe.errors.StripeError>): TransientCode | PermanentCode {
  if (error instanceof Stripe.errors.StripeConnectionError) return "stripe_unreachable";
  if (error instanceof Stripe.errors.StripeRateLimitError || error.statusCode === 429)
    return "stripe_rate_limited";
  if (error.statusCode === 401 || error.statusCode === 403) return "stripe_key_refused";
  if (error.statusCode === 404) return "stripe_object_not_found";
  if (
    error.statusCode !== undefined &&
    error.statusCode >= 400 &&
    error.statusCode < 500 &&
    error.statusCode !== 409
  ) {
    return "stripe_refused";
  }
  // 409 (a lock), 5xx, and an answer that is no JSON (a proxy's page) pass with time.
  return "stripe_error";
}

/** Stripe's words with the request id that its support asks for. Never a body, never a key. */
function describe(error: InstanceType<typeof Stripe.errors.StripeError>): string {
  const status = error.statusCode === undefined ? "" : `Stripe answered ${error.statusCode}: `;
  const requestId = error.requestId ? ` (request ${error.requestId})` : "";
  // Stripe repeats part of a refused key in its message.
  return `${status}${error.message.replaceAll(/\b[sr]k_(?:live|test)_\S+/g, "(key)")}${requestId}`;
}
