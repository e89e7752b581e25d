import type { EventPhase } from "#shared/event-status.ts";
import type { EffectKind, OrderState } from "#shared/order-state.ts";
import type { Role } from "#shared/roles.ts";
import { m } from "../messages/generated/messages.js";
import { StatusBadge, type Tone } from "./status-badge.tsx";

/** The colour of each phase of an event. */
export const PHASE_TONE: Record<EventPhase, Tone> = {
  queued: "queued",
  held: "held",
  retrying: "retry",
  stale: "stale",
  dead: "dead",
  processed: "ok",
};

const PHASE_WORD: Record<EventPhase, () => string> = {
  queued: m.phase_queued,
  held: m.phase_held,
  retrying: m.phase_retrying,
  stale: m.phase_stale,
  dead: m.phase_dead,
  processed: m.phase_processed,
};

const STATE_TONE: Record<OrderState, Tone> = {
  pending: "queued",
  awaiting_payment: "held",
  paid: "ok",
  partially_refunded: "retry",
  refunded: "queued",
  disputed: "stale",
  payment_failed: "dead",
  expired: "queued",
};

const STATE_WORD: Record<OrderState, () => string> = {
  pending: m.state_pending,
  awaiting_payment: m.state_awaiting_payment,
  paid: m.state_paid,
  partially_refunded: m.state_partially_refunded,
  refunded: m.state_refunded,
  disputed: m.state_disputed,
  payment_failed: m.state_payment_failed,
  expired: m.state_expired,
};

const EFFECT_WORD: Record<EffectKind, () => string> = {
  grant_credits: m.effect_grant_credits,
  adjust_credits: m.effect_adjust_credits,
  receipt_mail: m.effect_receipt_mail,
  app_notice: m.effect_app_notice,
};

const ROLE_WORD: Record<Role, () => string> = {
  support: m.role_support,
  ops: m.role_ops,
  finance: m.role_finance,
  admin: m.role_admin,
};

export function phaseWord(phase: EventPhase): string {
  return PHASE_WORD[phase]();
}

export function stateWord(state: OrderState): string {
  return STATE_WORD[state]();
}

export function effectWord(kind: EffectKind): string {
  return EFFECT_WORD[kind]();
}

export function roleWord(role: Role): string {
  return ROLE_WORD[role]();
}

export function PhaseBadge({ phase }: { phase: EventPhase }) {
  return <StatusBadge tone={PHASE_TONE[phase]}>{phaseWord(phase)}</StatusBadge>;
}

export function OrderStateBadge({ state }: { state: OrderState }) {
  return <StatusBadge tone={STATE_TONE[state]}>{stateWord(state)}</StatusBadge>;
}
