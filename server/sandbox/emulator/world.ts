import type { ObjectStore } from "./object-store.ts";
import type { StripeEvent } from "./objects.ts";

/** Something that happened to an object, told as an event of this type with the object as it is now. */
export interface Occurrence {
  type: string;
  object: Record<string, unknown>;
  previousAttributes?: Record<string, unknown>;
}

/** How the events of one act reach the endpoint: Stripe's habits, each on demand. */
export interface DeliverOptions {
  /** Deliveries of the act's main event, its last one: the same id each time. */
  times?: number;
  /** Start these deliveries at the same time instead of one after the other. */
  parallel?: boolean;
  /** A second event object, with an id of its own, for the main event's action. */
  twin?: boolean;
  /** Send the act's events in the reverse of the order in which they happened. */
  reversed?: boolean;
  /** Hold everything back this long. */
  delayMs?: number;
}

/** Who did it, and how its events are sent. */
export interface Origin {
  account: string;
  /** The API request's ids; null when the buyer or time did it. */
  requestId: string | null;
  idempotencyKey: string | null;
  /** False: the events exist, but the endpoint is not told. */
  deliver: DeliverOptions | false;
}

/** What every act of the emulated Stripe needs. */
export interface World {
  store: ObjectStore;
  /** Whole seconds, as Stripe counts. */
  nowSeconds: () => number;
  newId: (prefix: string, length?: number) => string;
  /** Records what happened as events and has them sent. Resolves when they are recorded, in the same order. */
  emit: (occurrences: readonly Occurrence[], origin: Origin) => Promise<StripeEvent[]>;
  /** Runs an act that reads and writes objects alone, so that two acts on one session cannot both succeed. */
  inTurn: <Result>(act: () => Promise<Result>) => Promise<Result>;
}

/** What a buyer does, or time: no API request stands behind it. */
export function byBuyer(account: string, deliver: DeliverOptions | false): Origin {
  return { account, requestId: null, idempotencyKey: null, deliver };
}

/** Runs acts one after the other, in the order in which they were asked for. One that fails stops none. */
export function createTurns(): World["inTurn"] {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const turn = last.then(act);
    last = turn.catch(() => {});
    return turn;
  };
}
