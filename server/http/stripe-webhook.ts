import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from "express";
import type { Logger } from "pino";
import type { DeliveryVerdict } from "#shared/event-status.ts";
import { OUTCOMES, type RefusalCode } from "#shared/outcomes.ts";
import { isHandledType } from "../claims/event-types.ts";
import { failPoint } from "../fail-points.ts";
import type { Arrival } from "../receiving/accept.ts";
import { MicroBatchFull } from "../receiving/micro-batch.ts";
import { type ReadOptions, readEvent } from "../receiving/read-event.ts";
import type { Receiver } from "../receiving/receiver.ts";
import { verifySignature, type WebhookSecret } from "../stripe/signing.ts";

const BODY_BYTES_MAX = 1024 * 1024;

const STATUS_OF: Partial<Record<RefusalCode, number>> = {
  body_too_large: 413,
  method_not_allowed: 405,
  receiving_overloaded: 503,
  database_unavailable: 503,
};

export interface StripeWebhookOptions extends ReadOptions {
  receiver: Receiver;
  secrets: readonly WebhookSecret[];
  toleranceSeconds: number;
  log: Logger;
  onDelivery: (verdict: DeliveryVerdict) => void;
  onRefused: (code: RefusalCode) => void;
}

/**
 * `POST /webhooks/stripe`: verify, accept, answer; nothing is processed here. Must be mounted before any body
 * parser, since the signature covers the bytes.
 *
 * 2xx says that the delivery is durable. 4xx says it was never Stripe's (nothing is stored of an unverified body).
 * 5xx says it is not stored and Stripe should send it again.
 */
export function stripeWebhook(options: StripeWebhookOptions): Router {
  const router = Router();
  router.post(
    "/",
    refuseTooLong(options),
    express.raw({ type: () => true, limit: BODY_BYTES_MAX }),
    (request, response) => answerDelivery(request, response, options),
  );
  router.all("/", (request, response) => {
    response.set("Allow", "POST");
    refuse(request, response, { code: "method_not_allowed", options });
  });
  const bodyErrors: ErrorRequestHandler = (error: { status?: unknown }, request, response, next) => {
    // Refused already while it came in.
    if (response.headersSent) return;
    // What the body parser says of the request itself: too large, broken off, wrongly compressed.
    const code = error.status === 413 ? "body_too_large" : "body_interrupted";
    if (typeof error.status !== "number" || error.status >= 500) return next(error);
    refuse(request, response, { code, options });
  };
  router.use(bodyErrors);
  return router;
}

/**
 * Turns a body away at the byte that makes it too long, or at once if it says how long it is, and closes. The parser
 * would read all the rest off before it answers, for which whoever sends it may take as long as they like.
 */
function refuseTooLong(options: StripeWebhookOptions): RequestHandler {
  return (request, response, next) => {
    const refuseAndClose = () => {
      response.set("Connection", "close");
      refuse(request, response, { code: "body_too_large", options });
    };
    if (Number(request.get("content-length")) > BODY_BYTES_MAX) return refuseAndClose();
    let bytes = 0;
    request.on("data", function count(chunk: Buffer) {
      bytes += chunk.length;
      if (bytes <= BODY_BYTES_MAX) return;
      request.off("data", count);
      refuseAndClose();
    });
    next();
  };
}

async function answerDelivery(
  request: Request,
  response: Response,
  options: StripeWebhookOptions,
): Promise<void> {
  // Without a body the parser leaves nothing behind.
  const body: unknown = request.body;
  const bytes = body instanceof Uint8Array ? body : new Uint8Array();
  const verification = verifySignature(bytes, request.get("stripe-signature"), {
    secrets: options.secrets,
    toleranceSeconds: options.toleranceSeconds,
    now: new Date(),
  });
  if (!verification.ok) return refuse(request, response, { code: verification.code, options });

  const event = readEvent(bytes, options);
  const { mode } = verification.secret;
  if (event.kind === "event" && mode !== null && event.livemode !== (mode === "live")) {
    return refuse(request, response, { code: "secret_of_other_mode", options });
  }
  const arrival: Arrival = { event, body: bytes, signedAt: verification.signedAt, source: "webhook" };
  try {
    const { verdict, winnerEventId } = await options.receiver.accept(arrival);
    options.onDelivery(verdict);
    if (event.kind === "event" && event.settled?.reason === "wrong_mode" && isHandledType(event.eventType)) {
      options.log.error(
        { eventId: event.eventId, eventType: event.eventType, livemode: event.livemode },
        "A checkout event of the other mode was recorded and has no effect. Is the right key set?",
      );
    }
    if (verdict === "unreadable") {
      options.log.error({ bytes: bytes.length }, "A body signed with our webhook secret is no Stripe event.");
    }
    failPoint("receiving.before_answer");
    response.once("finish", () => failPoint("receiving.after_answer"));
    response.status(200).json({ received: true, verdict, event: winnerEventId });
  } catch (error) {
    const isFull = error instanceof MicroBatchFull;
    if (!isFull) options.log.error({ err: error }, "A verified delivery could not be stored.");
    response.set("Retry-After", "5");
    refuse(request, response, { code: isFull ? "receiving_overloaded" : "database_unavailable", options });
  }
}

/** Turns a request away with one log line, which says which check failed and never what the body held. */
function refuse(
  request: Request,
  response: Response,
  { code, options }: { code: RefusalCode; options: StripeWebhookOptions },
): void {
  const status = STATUS_OF[code] ?? 400;
  options.onRefused(code);
  options.log.warn(
    {
      code,
      status,
      bytes: request.get("content-length") ?? null,
      contentType: request.get("content-type") ?? null,
    },
    "A webhook request was refused.",
  );
  const { meaning, nextStep } = OUTCOMES[code];
  response.status(status).json({ error: { code, message: `${meaning} ${nextStep}` } });
}
