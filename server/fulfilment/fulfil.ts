import type { Claim } from "../claims/take.ts";
import type { Db } from "../db/client.ts";
import { isDatabaseError } from "../db/errors.ts";
import { limitTransaction } from "../db/limits.ts";
import { failPoint } from "../fail-points.ts";
import type { Failure } from "../claims/settle.ts";
import type { StripeReader } from "../stripe/checkout-session.ts";
import { DeadlineExceeded, stripeFailureOf } from "../stripe/errors.ts";
import { applyDecision, OrderMismatch, OrderMoved } from "./apply.ts";
import { type DecideOptions, decide, type EventEnd } from "./decide.ts";
import { readOrder } from "./read.ts";

/** Readings of one attempt. An order that moves this often is busy; the event waits for its next retry instead. */
const READINGS_MAX = 5;

export interface FulfilmentOptions extends Pick<DecideOptions, "app"> {
  db: Db;
  reader: StripeReader;
}

class SessionStillOpen extends Error {
  override name = "SessionStillOpen";
}

/**
 * Runs one attempt at a claimed event: read the order, decide, apply once. Every event about money comes through
 * here, so neither the order of arrival nor a stale read can matter. All handled types are sessions' today.
 *
 * Returns how the event was settled. Throws ClaimLost if a successor holds it, and anything else as a failure of
 * the attempt, to be told apart by classifyFailure(); nothing was written then.
 */
export async function fulfilEvent(
  { db, reader, app }: FulfilmentOptions,
  claim: Claim,
  { deadline }: { deadline: Date },
): Promise<EventEnd> {
  let orderIdHint = claim.orderIdHint;
  for (let readings = 1; ; readings++) {
    const reading = await readOrder(reader, {
      sessionId: claim.objectId,
      account: claim.account,
      orderIdHint,
      deadline,
    });
    failPoint("fulfilment.after_read");
    orderIdHint = reading.orderId;
    const decision = decide(reading.now, reading.before, { app, eventType: claim.eventType });
    if (decision.act === "wait") throw new SessionStillOpen(decision.message);
    if (Date.now() > deadline.getTime())
      throw new DeadlineExceeded("The order was read too late to be applied.");
    try {
      await db.transaction(async (tx) => {
        // No lock may be waited for beyond the deadline: whoever holds it may never come back.
        await limitTransaction(tx, { seconds: (deadline.getTime() - Date.now()) / 1000 });
        await applyDecision(tx, claim, { decision, reading });
        failPoint("fulfilment.before_apply_commit");
      });
      failPoint("fulfilment.after_apply_commit");
      return decision.end;
    } catch (error) {
      if (!(error instanceof OrderMoved) || readings >= READINGS_MAX) throw error;
      failPoint("fulfilment.before_reread");
    }
  }
}

export interface ClassifiedFailure extends Failure {
  /** Whether it uses up one of the event's tries. A rate limit does not: it says nothing about the event. */
  counts: boolean;
  /** Trying again changes nothing until a person acts. */
  isPermanent: boolean;
}

/** The one place that says what a failed attempt means for its event. */
export function classifyFailure(error: unknown): ClassifiedFailure {
  const stripe = stripeFailureOf(error);
  if (stripe) {
    return {
      ...stripe,
      counts: stripe.code !== "stripe_rate_limited",
      isPermanent: stripe.code === "stripe_refused",
    };
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const transient = (code: Failure["code"], said = message) => ({
    code,
    message: said,
    counts: true,
    isPermanent: false,
  });
  if (error instanceof OrderMismatch) {
    return { code: "order_mismatch", message: error.message, counts: true, isPermanent: true };
  }
  if (error instanceof SessionStillOpen) return transient("session_still_open", error.message);
  if (error instanceof OrderMoved) return transient("order_contended", error.message);
  // A statement can hold a person's words; the driver's message does not.
  if (isDatabaseError(error)) return transient("database_error", databaseMessageOf(error));
  return transient("handler_error");
}

function databaseMessageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
