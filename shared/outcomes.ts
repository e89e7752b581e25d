/**
 * Every outcome and error code the product can show, in one table: what it means, who acts, and what
 * to do next. The desk, the docs and the tests read it; nothing else may invent a code.
 *
 * Kinds:
 * - `outcome`: an event ended here (`processed_stripe_events.outcome`).
 * - `reason`: why a `recorded` outcome has no effect.
 * - `transient`: an attempt failed and a worker will try again.
 * - `permanent`: trying again changes nothing until a person acts; the event goes `dead` at once.
 * - `refusal`: a request was turned away (webhook door or an operator's act).
 */
export type OutcomeKind = "outcome" | "reason" | "transient" | "permanent" | "refusal";
export type Actor = "nobody" | "worker" | "ops" | "admin" | "developer" | "operator";

interface OutcomeEntry {
  kind: OutcomeKind;
  label: string;
  meaning: string;
  actor: Actor;
  nextStep: string;
  /** For what workers try again by themselves: what to do once all tries are used up and they no longer do. */
  nextStepWhenDead?: string;
}

const NOTHING_TO_DO = "Nothing to do.";

export const OUTCOMES = {
  fulfilled: {
    kind: "outcome",
    label: "Credits granted",
    meaning: "The order is paid and its credits were granted by this event.",
    actor: "nobody",
    nextStep: NOTHING_TO_DO,
  },
  already_fulfilled: {
    kind: "outcome",
    label: "Already granted",
    meaning: "The order's credits had been granted before; this event changed nothing.",
    actor: "nobody",
    nextStep: NOTHING_TO_DO,
  },
  awaiting_payment: {
    kind: "outcome",
    label: "Awaiting payment",
    meaning: "Checkout is complete, but the money has not arrived yet (bank transfer or debit).",
    actor: "nobody",
    nextStep: "Wait: Stripe reports the payment's success or failure, which can take days.",
  },
  payment_failed: {
    kind: "outcome",
    label: "Payment failed",
    meaning: "The delayed payment failed. No credits were granted.",
    actor: "nobody",
    nextStep: "The customer may order again.",
  },
  expired: {
    kind: "outcome",
    label: "Session expired",
    meaning: "The customer left the checkout without paying and the session expired.",
    actor: "nobody",
    nextStep: "The customer may order again.",
  },
  duplicate_payment: {
    kind: "outcome",
    label: "Duplicate payment",
    meaning: "This is a second payment for an order that another payment already granted. It grants nothing.",
    actor: "operator",
    nextStep: "Refund the second payment in Stripe, or agree with the customer what it is for.",
  },
  superseded: {
    kind: "outcome",
    label: "Superseded",
    meaning: "Another checkout session of the same order decides its state; this one changed nothing.",
    actor: "nobody",
    nextStep: NOTHING_TO_DO,
  },
  recorded: {
    kind: "outcome",
    label: "Recorded",
    meaning: "The event is kept as evidence. Nothing acts on it.",
    actor: "nobody",
    nextStep: NOTHING_TO_DO,
  },
  not_ours: {
    kind: "outcome",
    label: "Not ours",
    meaning:
      "The session carries no order id, sells no price with credits, or belongs to another application on this Stripe account.",
    actor: "nobody",
    nextStep:
      "If it should have granted credits, set metadata.order_id on the session or credits on the price in Stripe, then replay.",
  },
  malformed: {
    kind: "outcome",
    label: "Malformed",
    meaning: "Stripe signed it, but an id in it is missing or unusable, so no object can be read for it.",
    actor: "developer",
    nextStep: "Open the payload. If it came from Stripe, report it to Stripe support with the event id.",
  },

  wrong_mode: {
    kind: "reason",
    label: "Wrong mode",
    meaning: "A test-mode event reached a live installation, or the reverse. It never has an effect.",
    actor: "developer",
    nextStep: "Point that mode's webhook endpoint at its own installation.",
  },
  account_not_served: {
    kind: "reason",
    label: "Account not served",
    meaning: "The event belongs to a connected account that STRIPE_ACCOUNTS does not name.",
    actor: "developer",
    nextStep:
      "Add the account to STRIPE_ACCOUNTS if its orders should be fulfilled here; the event is then offered again.",
  },
  unreadable: {
    kind: "reason",
    label: "Unreadable",
    meaning: "The body was signed with our secret but is no Stripe event. It is kept as it came.",
    actor: "developer",
    nextStep: "Check what sends it: only Stripe should know this webhook secret.",
  },

  stripe_unreachable: {
    kind: "transient",
    label: "Stripe unreachable",
    meaning: "The connection to Stripe failed or timed out while reading the order.",
    actor: "worker",
    nextStep: "A worker tries again by itself.",
    nextStepWhenDead:
      "Look at status.stripe.com and at this host's way out. Once Stripe answers again, replay.",
  },
  stripe_error: {
    kind: "transient",
    label: "Stripe error",
    meaning: "Stripe answered with a server error while the order was read.",
    actor: "worker",
    nextStep: "A worker tries again by itself.",
    nextStepWhenDead: "Look at status.stripe.com. Once Stripe answers again, replay.",
  },
  stripe_rate_limited: {
    kind: "transient",
    label: "Rate limited",
    meaning: "Stripe, or our own limit towards it, asked us to slow down. This does not count as a failure.",
    actor: "worker",
    nextStep: "A worker tries again by itself.",
    nextStepWhenDead: "Replay it.",
  },
  stripe_object_not_found: {
    kind: "transient",
    label: "Not found in Stripe",
    meaning: "Stripe does not know the session (yet). New objects can take a moment to be visible.",
    actor: "worker",
    nextStep: "A worker tries again by itself.",
    nextStepWhenDead: "Check that STRIPE_SECRET_KEY belongs to the account that sent the event, then replay.",
  },
  stripe_key_refused: {
    kind: "transient",
    label: "Stripe key refused",
    meaning: "Stripe refused our secret key, or the key may not read Checkout Sessions.",
    actor: "admin",
    nextStep: "Check STRIPE_SECRET_KEY and its permissions, restart, then replay.",
  },
  stripe_answer_unreadable: {
    kind: "transient",
    label: "Answer unreadable",
    meaning: "Stripe's answer lacked something needed to fulfil the order.",
    actor: "worker",
    nextStep: "A worker tries again by itself.",
    nextStepWhenDead: "Report the error below, update Einmal once it is mended, then replay.",
  },
  session_still_open: {
    kind: "transient",
    label: "Stripe does not show it yet",
    meaning: "The event says how the checkout ended, but Stripe does not show it yet.",
    actor: "worker",
    nextStep: "A worker tries again by itself.",
    nextStepWhenDead: "Look at the session in Stripe. Once its checkout has ended there, replay.",
  },
  deadline_exceeded: {
    kind: "transient",
    label: "Ran out of time",
    meaning: "Reading the order took longer than one attempt may take.",
    actor: "worker",
    nextStep: "A worker tries again by itself.",
    nextStepWhenDead: "Find out why Stripe or the database is slow, then replay.",
  },
  order_contended: {
    kind: "transient",
    label: "Order kept changing",
    meaning: "Other events changed the order each time this one had read it, so nothing was written.",
    actor: "worker",
    nextStep: "A worker tries again by itself.",
    nextStepWhenDead: "Replay it once the order's other events are settled.",
  },
  database_error: {
    kind: "transient",
    label: "Database error",
    meaning: "The database refused the write. Nothing of this attempt was kept.",
    actor: "worker",
    nextStep: "A worker tries again by itself.",
    nextStepWhenDead: "Look at the error and the database's log, mend the cause, then replay.",
  },
  handler_error: {
    kind: "transient",
    label: "Unexpected error",
    meaning: "The handler failed in a way nobody foresaw. Nothing of this attempt was kept.",
    actor: "developer",
    nextStep: "Look in the server's log for the event id, fix the cause, then replay.",
  },
  worker_lost: {
    kind: "transient",
    label: "Worker lost",
    meaning: "Workers took the event and never reported back, as often as is allowed.",
    actor: "developer",
    nextStep: "Find out why the process dies at this event (memory, deploys), then replay.",
  },

  price_without_credits: {
    kind: "permanent",
    label: "Price without credits",
    meaning: "The order is paid, but no price in it says how many credits it is worth.",
    actor: "admin",
    nextStep: "Set metadata credits on the price or product in Stripe, then replay.",
  },
  order_mismatch: {
    kind: "permanent",
    label: "Order mismatch",
    meaning:
      "The session contradicts the order of the same id, so paying it out could credit the wrong party.",
    actor: "admin",
    nextStep: "Compare the session's metadata with the order. Correct it in Stripe, then replay.",
  },
  unknown_payment_status: {
    kind: "permanent",
    label: "Unknown payment status",
    meaning: "Stripe answered with a payment status this version does not know. It is not taken for paid.",
    actor: "developer",
    nextStep: "Update Einmal to a version that knows the value, then replay.",
  },
  unsupported_mode: {
    kind: "permanent",
    label: "Unsupported checkout mode",
    meaning: "The order was sold by a session that is not a one-off payment.",
    actor: "developer",
    nextStep: "Create the Checkout Session with mode=payment. Settle this order with the customer by hand.",
  },
  stripe_refused: {
    kind: "permanent",
    label: "Stripe refused the request",
    meaning: "Stripe refused to answer the request as it was asked.",
    actor: "developer",
    nextStep: "Read the error, correct the cause, then replay.",
  },

  signature_missing: {
    kind: "refusal",
    label: "Signature missing",
    meaning: "The request carries no Stripe-Signature header.",
    actor: "developer",
    nextStep: "Only Stripe should post here. Check that a proxy does not drop the header.",
  },
  signature_invalid: {
    kind: "refusal",
    label: "Signature invalid",
    meaning: "No configured webhook secret made this signature, or the body was changed on its way.",
    actor: "developer",
    nextStep:
      "Copy the endpoint's signing secret into STRIPE_WEBHOOK_SECRET. Proxies must not rewrite the body.",
  },
  signature_too_old: {
    kind: "refusal",
    label: "Signature too old",
    meaning: "The signature was made longer ago than the tolerance allows.",
    actor: "developer",
    nextStep: "Check this host's clock. Stripe signs anew at every retry.",
  },
  signature_in_future: {
    kind: "refusal",
    label: "Signature from the future",
    meaning: "The signature is stamped further in the future than the tolerance allows.",
    actor: "developer",
    nextStep: "Check this host's clock.",
  },
  secret_of_other_mode: {
    kind: "refusal",
    label: "Secret of the other mode",
    meaning: "The secret that made the signature is marked for the other mode than the event's.",
    actor: "developer",
    nextStep: "Check the live: and test: marks in STRIPE_WEBHOOK_SECRET.",
  },
  body_too_large: {
    kind: "refusal",
    label: "Body too large",
    meaning: "The body exceeds 1 MiB.",
    actor: "developer",
    nextStep: "Stripe's events are far smaller. Check what sends it.",
  },
  body_interrupted: {
    kind: "refusal",
    label: "Body not readable",
    meaning: "The body broke off or could not be decoded.",
    actor: "nobody",
    nextStep: "Stripe sends it again.",
  },
  method_not_allowed: {
    kind: "refusal",
    label: "Method not allowed",
    meaning: "The webhook address takes POST only.",
    actor: "developer",
    nextStep: "Send POST.",
  },
  receiving_overloaded: {
    kind: "refusal",
    label: "Overloaded",
    meaning: "More deliveries wait to be stored than this process accepts.",
    actor: "nobody",
    nextStep: "Stripe sends it again.",
  },
  database_unavailable: {
    kind: "refusal",
    label: "Database unavailable",
    meaning: "The delivery could not be stored, so it was not acknowledged.",
    actor: "admin",
    nextStep: "Stripe sends it again. Check the database.",
  },

  event_held: {
    kind: "refusal",
    label: "Held by a worker",
    meaning: "A worker holds the event and its lease is still running.",
    actor: "nobody",
    nextStep: "Wait until the worker finishes or its lease ends.",
  },
  event_changed: {
    kind: "refusal",
    label: "Changed meanwhile",
    meaning: "The event has moved on since you looked at it.",
    actor: "operator",
    nextStep: "Look at what changed, then decide again.",
  },
  event_settled: {
    kind: "refusal",
    label: "Nothing to do",
    meaning: "The event is already processed; processing it again would change nothing.",
    actor: "nobody",
    nextStep: NOTHING_TO_DO,
  },
  event_unknown: {
    kind: "refusal",
    label: "Event unknown",
    meaning: "No event with this id was ever received here.",
    actor: "operator",
    nextStep: "Check the id.",
  },
  order_unknown: {
    kind: "refusal",
    label: "Order unknown",
    meaning: "No order with this id exists here.",
    actor: "operator",
    nextStep: "Check the id.",
  },
  reason_too_short: {
    kind: "refusal",
    label: "Reason too short",
    meaning: "The reason is too short to explain the act to whoever reads it later.",
    actor: "operator",
    nextStep: "Write at least ten characters.",
  },
  role_not_allowed: {
    kind: "refusal",
    label: "Not allowed",
    meaning: "Your role may not do this.",
    actor: "operator",
    nextStep: "Ask an operator whose role allows it.",
  },
  only_in_sandbox: {
    kind: "refusal",
    label: "Only in a sandbox",
    meaning: "This breaks things on purpose, which only a sandbox may: here the orders are real.",
    actor: "operator",
    nextStep: "Start Einmal without a STRIPE_SECRET_KEY, on a database of its own, and try it there.",
  },
  database_not_ours: {
    kind: "refusal",
    label: "Not our database",
    meaning: "Einmal did not start this PostgreSQL, so it neither kills it nor starts it again.",
    actor: "operator",
    nextStep:
      "Restart it yourself, or start a sandbox without DATABASE_URL: that brings a database of its own.",
  },
  operator_exists: {
    kind: "refusal",
    label: "Operator exists",
    meaning: "An operator with this e-mail address already exists.",
    actor: "operator",
    nextStep: "Use another address.",
  },
  operator_unknown: {
    kind: "refusal",
    label: "Operator unknown",
    meaning: "No operator with this id exists.",
    actor: "operator",
    nextStep: "Load the list of operators again.",
  },
  operator_signed_up: {
    kind: "refusal",
    label: "Already signed up",
    meaning: "This operator has used their one-time link and has a password.",
    actor: "nobody",
    nextStep: NOTHING_TO_DO,
  },
  origin_not_trusted: {
    kind: "refusal",
    label: "Address not trusted",
    meaning: "The request came from a page at an address that is not this desk's.",
    actor: "admin",
    nextStep: "Open the desk at the address in EINMAL_URL, or correct EINMAL_URL.",
  },
  invitation_invalid: {
    kind: "refusal",
    label: "Link not valid",
    meaning: "This one-time link was used already, has expired, or was never issued.",
    actor: "operator",
    nextStep: "Ask an admin for a new link.",
  },
} as const satisfies Record<string, OutcomeEntry>;

export type OutcomeCode = keyof typeof OUTCOMES;
type CodeOf<K extends OutcomeKind> = {
  [C in OutcomeCode]: (typeof OUTCOMES)[C]["kind"] extends K ? C : never;
}[OutcomeCode];

/** How an event that is `processed` ended. */
export type SettledOutcome = CodeOf<"outcome">;
export type RecordedReason = CodeOf<"reason">;
export type TransientCode = CodeOf<"transient">;
export type PermanentCode = CodeOf<"permanent">;
export type RefusalCode = CodeOf<"refusal">;

export function isOutcomeCode(code: string): code is OutcomeCode {
  return Object.hasOwn(OUTCOMES, code);
}

/** What to do about an event that died of this: no worker tries it again, whatever the code's usual next step says. */
export function nextStepWhenDead(code: OutcomeCode): string {
  const outcome = OUTCOMES[code];
  return "nextStepWhenDead" in outcome ? outcome.nextStepWhenDead : outcome.nextStep;
}
