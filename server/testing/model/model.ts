import type { DeliveryVerdict } from "#shared/event-status.ts";

/** What the buyer and the bank have done to a checkout session so far: what Stripe would say of it. */
export type SessionState = "open" | "unpaid" | "paid" | "failed" | "expired";

export interface ModelSession {
  name: string;
  sessionId: string;
  orderId: string;
  /** What its price is worth once somebody says so readably. */
  credits: bigint;
  priceId: string;
  state: SessionState;
}

/** An event object that Stripe has made and sends until it is acknowledged, and after that whenever it likes. */
export interface SentEvent {
  eventId: string;
  type: string;
  session: ModelSession;
  body: Uint8Array;
  isAcknowledged: boolean;
}

/**
 * The whole truth in the small: what happened in Stripe, what was answered 2xx, and who holds which event. The real thing
 * is compared with it after every step.
 */
export interface Model {
  sessions: ModelSession[];
  sent: SentEvent[];
  /** Object and type -> the event that carries its claim. */
  winners: Map<string, string>;
  /** Event -> the token of whoever took it last and was not settled since. */
  holders: Map<string, string>;
  /** What was done so far, in sentences. */
  journal: string[];
  steps: number;
  stepsMax: number;
}

export const keyOf = ({ session, type }: Pick<SentEvent, "session" | "type">) =>
  `${session.sessionId} ${type}`;

/** What the door must say to these arrivals of one batch, in order. `rearmable`: dead events that a Resend may bring back. */
export function predictVerdicts(
  model: Model,
  batch: readonly SentEvent[],
  rearmable: ReadonlySet<string>,
): DeliveryVerdict[] {
  const winners = new Map(model.winners);
  const left = new Set(rearmable);
  return batch.map((event) => {
    const winner = winners.get(keyOf(event));
    if (winner === undefined) {
      winners.set(keyOf(event), event.eventId);
      return "claimed";
    }
    if (left.delete(winner)) return "rearmed";
    return winner === event.eventId ? "redelivery" : "twin";
  });
}

/** Notes that an event was answered 2xx: from now on it must never be lost. */
export function acknowledge(model: Model, event: SentEvent, verdict: DeliveryVerdict): void {
  event.isAcknowledged = true;
  if (verdict === "claimed") model.winners.set(keyOf(event), event.eventId);
}

export const isPaid = (model: Model, orderId: string) =>
  model.sessions.some((session) => session.orderId === orderId && session.state === "paid");
