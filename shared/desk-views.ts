import type { ChaosSettings, ChaosTally } from "./chaos.ts";
import type { AttemptResult, DeliveryVerdict, EventPhase, EventStatus } from "./event-status.ts";
import type { EffectKind, OrderState } from "./order-state.ts";
import type { OutcomeCode } from "./outcomes.ts";
import type { Role } from "./roles.ts";

/**
 * What the desk reads: the shapes the tRPC procedures return. Dates are instants (UTC), `amountMinor` is
 * in the currency's minor unit. `now` is the database's clock, so that ages do not depend on the browser's.
 */
export type Mode = "sandbox" | "test" | "live";

export interface DeskContext {
  operator: { id: string; name: string; email: string; role: Role };
  mode: Mode;
  timezone: string;
  budgetSeconds: number;
  takeover: "automatic" | "manual";
  /** Our Stripe API version; an event of another version gets a note. */
  stripeApiVersion: string;
}

export interface EventCounts {
  now: Date;
  phases: Record<Exclude<EventPhase, "processed">, number>;
  oldestUnfinishedAt: Date | null;
  /** Since 24 hours ago. */
  lastDay: { claimed: number; redeliveries: number; twins: number; unreadable: number };
  lastReceivedAt: Date | null;
}

export interface EventRow {
  eventId: string;
  eventType: string;
  objectId: string;
  orderId: string | null;
  account: string;
  status: EventStatus;
  phase: EventPhase;
  createdAt: Date;
  processedAt: Date | null;
  attempt: number;
  failures: number;
  claimedBy: string | null;
  /** When the present holder took it; null while nobody holds it. */
  takenAt: Date | null;
  leaseUntil: Date | null;
  /** When a worker may next take it; null when only a person can bring it on (manual takeover, not yet offered). */
  dueAt: Date | null;
  outcome: OutcomeCode | null;
  errorCode: OutcomeCode | null;
  error: string | null;
}

export interface Page<Row> {
  now: Date;
  rows: Row[];
  nextCursor: string | null;
}

export interface DeliveryView {
  id: string;
  /** The id this arrival carried; differs from the event's for a twin, null when unreadable. */
  eventId: string | null;
  verdict: DeliveryVerdict;
  source: "webhook" | "backfill";
  receivedAt: Date;
  signedAt: Date | null;
}

export interface AttemptView {
  attempt: number;
  worker: string;
  startedAt: Date;
  endedAt: Date | null;
  result: AttemptResult | null;
  errorCode: OutcomeCode | null;
  error: string | null;
  /** Set when a worker that had lost its lease tried to write after all and was refused. */
  refusedAt: Date | null;
}

export interface EffectView {
  effectId: string;
  orderId: string;
  kind: EffectKind;
  subject: string;
  eventId: string;
  attempt: number;
  /** The change it booked in the credit ledger; null when it booked none. */
  credits: bigint | null;
  createdAt: Date;
}

export interface AuditView {
  sequence: bigint;
  at: Date;
  actorId: string;
  /** Looked up when shown, since the chain keeps ids only; null when that operator no longer exists. */
  actorName: string | null;
  actorRole: Role;
  action: string;
  result: "done" | "refused";
  /** Set when refused. */
  refusalCode: OutcomeCode | null;
  reason: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  hash: string;
}

/** A redacted payload as a tree the viewer draws: hidden leaves keep their place but not their value. */
export type PayloadNode =
  | { kind: "value"; value: string | number | boolean | null }
  | { kind: "hidden" }
  | { kind: "list"; items: PayloadNode[] }
  | { kind: "object"; entries: [key: string, node: PayloadNode][] };

export interface EventDetail {
  now: Date;
  event: EventRow & { apiVersion: string | null; occurredAt: Date | null; livemode: boolean; once: boolean };
  deliveries: DeliveryView[];
  /** All deliveries of this claim, even when the list above holds only the newest hundred. */
  deliveryCount: number;
  attempts: AttemptView[];
  effects: EffectView[];
  audit: AuditView[];
  /** null when the payload was dropped by retention or is no JSON. */
  payload: PayloadNode | null;
  payloadBytes: number | null;
}

export interface OrderRow {
  orderId: string;
  account: string;
  state: OrderState;
  currency: string | null;
  amountTotalMinor: bigint | null;
  creditsExpected: bigint | null;
  customer: { kind: "user" | "stripe_customer" | "guest"; ref: string } | null;
  createdAt: Date;
  paidAt: Date | null;
  /** 1 for a paid order, else 0: what `grantsActual` must equal. */
  grantsExpected: number;
  grantsActual: number;
  creditsGranted: bigint;
  paymentCount: number;
}

export interface PaymentView {
  paymentId: string;
  checkoutSessionId: string;
  paymentIntentId: string | null;
  chargeId: string | null;
  amountMinor: bigint | null;
  currency: string | null;
  grants: boolean;
  paidAt: Date | null;
  createdAt: Date;
}

export interface OrderDetail {
  now: Date;
  order: OrderRow & {
    checkoutSessionId: string | null;
    version: bigint;
    amountSubtotalMinor: bigint | null;
    presentment: { amountMinor: bigint; currency: string } | null;
  };
  payments: PaymentView[];
  effects: EffectView[];
  events: EventRow[];
  /** Sum of this customer's ledger over all orders; null when the order has no customer yet. */
  balance: bigint | null;
}

export interface OrderCounts {
  notExactlyOne: number;
}

/** What a replay would do now: the words the outcome will use. Computed by the claim rules themselves. */
export interface ReplayForecast {
  now: Date;
  attempt: number;
  phase: EventPhase;
  /** `offer`: a worker takes it. `rearm`: a dead event gets its tries back. `refuse` and `nothing` change nothing. */
  act: "offer" | "take_over" | "rearm" | "refuse" | "nothing";
  refusal: "event_held" | "event_settled" | null;
  heldBy: string | null;
  leaseUntil: Date | null;
  orderId: string | null;
  /** As it was last read from Stripe; null while no event of the order has been applied. */
  orderState: OrderState | null;
  /** The order's effects that exist already, which no replay repeats. */
  existingEffects: { kind: EffectKind; createdAt: Date }[];
  /** What the replay may still have to do for the order. */
  missingEffects: EffectKind[];
  creditsExpected: bigint | null;
  amountTotalMinor: bigint | null;
  currency: string | null;
}

export interface ReplayResult {
  /** `replayed`: done now. `repeated`: this request id had been carried out before. Refusals change nothing. */
  result: "replayed" | "repeated" | "refused";
  refusal: "event_held" | "event_settled" | "event_changed" | null;
  act: ReplayForecast["act"];
  /** The attempt the operator saw; the outcome is the next attempt's. */
  attempt: number;
  /** The forecast as of now when refused, so that the dialog can show what changed. */
  forecast: ReplayForecast | null;
}

/** Chaos in a sandbox: what is on, what it did, and what became of the books meanwhile. */
export interface ChaosView extends ChaosSettings {
  now: Date;
  /** False where the database is one that Einmal did not start itself. */
  mayKillDatabase: boolean;
  /** The present run of chaos or the last one; null if there was none since the process started. */
  run: {
    startedAt: Date;
    /** When it ends by itself, or when it ended. */
    endsAt: Date;
    isOn: boolean;
    tally: ChaosTally;
    /** What arrived at the door since it started. */
    deliveries: EventCounts["lastDay"];
    /** Events that a worker took from another that had died. */
    takenOver: number;
  } | null;
  /** Of all orders there are, not of this run's alone. */
  books: Books & { unfinished: number; oldestUnfinishedAt: Date | null };
}

export interface Books {
  ordersPaid: number;
  grants: number;
  /** Orders whose grants are not what their state calls for, without the following. */
  notExactlyOne: number;
  /** Paid, but the price names no credits, so that a person must act first. */
  withoutCredits: number;
}

export interface OperatorView {
  id: string;
  name: string;
  email: string;
  role: Role;
  createdAt: Date;
  /** False until the one-time link has been used. */
  hasSignedUp: boolean;
  invitationExpiresAt: Date | null;
}
