import type { AttemptView, AuditView, DeliveryView, EffectView, EventDetail } from "#shared/desk-views.ts";
import { OUTCOMES } from "#shared/outcomes.ts";
import { m } from "../../../messages/generated/messages.js";
import { formatClock } from "../../../ui/format-instant.ts";
import { formatSignedCount } from "../../../ui/format-count.ts";
import { effectWord, roleWord } from "../../../ui/state-words.tsx";
import type { Tone } from "../../../ui/status-badge.tsx";
import { whySentence } from "../why-sentence.ts";

/** One thing on an event's time axis. `at` is null for what is still to come. */
export interface TimelineItem {
  key: string;
  at: Date | null;
  tone: Tone;
  title: string;
  text?: string;
  /** An id to read beside the title, such as a twin's own. */
  id?: string;
  /** What was folded into this item, newest last. */
  folded?: TimelineItem[];
}

/** Redeliveries in a row beyond this many are folded into one item: Stripe may send a hundred. */
const REDELIVERIES_SHOWN = 2;

/** The audit chain's name for a replay. */
const REPLAY_ACTION = "event.replay";

interface Place {
  zone: string;
  budgetSeconds: number;
}

/** Everything that happened to an event, in order of time, and what comes next. */
export function buildTimeline(detail: EventDetail, place: Place): TimelineItem[] {
  const happened = [
    ...detail.deliveries.map(deliveryItem),
    ...detail.attempts.flatMap((attempt) =>
      attemptItems(attempt, { ...place, heldUntil: detail.event.leaseUntil }),
    ),
    ...detail.effects.map(effectItem),
    ...detail.audit.map(auditItem),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());

  return [...foldRedeliveries(happened), ...comingItem(detail, place)];
}

type Happened = TimelineItem & { at: Date; isRedelivery?: boolean };

function deliveryItem(delivery: DeliveryView): Happened {
  const source = delivery.source === "backfill" ? m.axis_from_backfill() : signatureText(delivery);
  const base = { key: `delivery-${delivery.id}`, at: delivery.receivedAt, text: source };
  switch (delivery.verdict) {
    case "claimed":
      return { ...base, tone: "ok", title: m.axis_received() };
    case "redelivery":
      return { ...base, tone: "queued", title: m.axis_redelivery(), isRedelivery: true };
    case "rearmed":
      return { ...base, tone: "retry", title: m.axis_rearmed() };
    case "unreadable":
      return { ...base, tone: "dead", title: m.axis_unreadable() };
    case "twin": {
      const twin = { ...base, tone: "twin" as const, title: m.axis_twin(), text: m.axis_twin_text() };
      return delivery.eventId === null ? twin : { ...twin, id: delivery.eventId };
    }
  }
}

function signatureText({ receivedAt, signedAt }: DeliveryView): string {
  if (signedAt === null) return m.axis_from_webhook();
  const seconds = Math.max(0, Math.round((receivedAt.getTime() - signedAt.getTime()) / 1000));
  return m.axis_signature_age({ seconds });
}

function attemptItems(
  attempt: AttemptView,
  { zone, budgetSeconds, heldUntil }: Place & { heldUntil: Date | null },
): Happened[] {
  // The present holder's lease is on record; that of an earlier attempt was as long as the budget.
  const budgeted = new Date(attempt.startedAt.getTime() + budgetSeconds * 1000);
  const leaseUntil = attempt.endedAt === null ? (heldUntil ?? budgeted) : budgeted;
  const items: Happened[] = [
    {
      key: `attempt-${attempt.attempt}-start`,
      at: attempt.startedAt,
      tone: "held",
      title: m.axis_taken({ attempt: attempt.attempt, worker: attempt.worker }),
      text: m.axis_taken_text({ until: formatClock(leaseUntil, zone) }),
    },
  ];
  if (attempt.endedAt !== null && attempt.result !== null) items.push(attemptEnd(attempt, attempt.endedAt));
  if (attempt.refusedAt !== null) {
    items.push({
      key: `attempt-${attempt.attempt}-refused`,
      at: attempt.refusedAt,
      tone: "stale",
      title: m.axis_late_write({ worker: attempt.worker }),
      text: m.axis_late_write_text({ attempt: attempt.attempt }),
    });
  }
  return items;
}

function attemptEnd(attempt: AttemptView, at: Date): Happened {
  const key = `attempt-${attempt.attempt}-end`;
  const number = { attempt: attempt.attempt };
  const cause = attempt.errorCode === null ? undefined : OUTCOMES[attempt.errorCode];
  const text = attempt.error ?? cause?.meaning;
  const because = { ...number, label: cause?.label ?? m.replayed_unknown_error() };
  switch (attempt.result) {
    case "retry":
      return { key, at, tone: "retry", title: m.axis_retry(because), ...(text && { text }) };
    case "dead":
      return { key, at, tone: "dead", title: m.axis_dead(because), ...(text && { text }) };
    case "given_back":
      return { key, at, tone: "queued", title: m.axis_given_back(number), text: m.axis_given_back_text() };
    case "lost":
      return {
        key,
        at,
        tone: "stale",
        title: m.axis_lost(number),
        text: m.axis_lost_text({ worker: attempt.worker }),
      };
    case "processed":
    case null:
      return { key, at, tone: "ok", title: m.axis_settled(number) };
  }
}

function effectItem(effect: EffectView): Happened {
  const credits = effect.credits === null ? m.axis_effect_text() : formatCredits(effect.credits);
  return {
    key: `effect-${effect.effectId}`,
    at: effect.createdAt,
    tone: "ok",
    title: effectWord(effect.kind),
    text: credits,
    id: effect.effectId,
  };
}

function formatCredits(credits: bigint): string {
  return m.axis_effect_credits({
    count: credits < 0n ? -credits : credits,
    shown: formatSignedCount(credits),
  });
}

function auditItem(entry: AuditView): Happened {
  const actor = entry.actorName ?? m.axis_former_operator();
  const who = { actor, role: roleWord(entry.actorRole) };
  const act =
    entry.action === REPLAY_ACTION ? m.axis_act(who) : m.axis_act_other({ ...who, action: entry.action });
  const isRefused = entry.result === "refused";
  const refusal = entry.refusalCode === null ? "" : OUTCOMES[entry.refusalCode].label;
  const because = isRefused ? m.axis_refused({ refusal }) : "";
  const reason = entry.reason === null ? "" : m.axis_reason({ reason: entry.reason });
  return {
    key: `audit-${entry.sequence}`,
    at: entry.at,
    tone: isRefused ? "stale" : "held",
    title: isRefused ? m.axis_act_refused({ act }) : act,
    text: [because, reason, m.axis_audit_sequence({ sequence: entry.sequence })].filter(Boolean).join(" "),
  };
}

function foldRedeliveries(items: Happened[]): TimelineItem[] {
  const runs: Happened[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (item.isRedelivery && run?.at(0)?.isRedelivery) run.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run): TimelineItem[] => {
    const last = run.at(-1);
    if (last === undefined || run.length <= REDELIVERIES_SHOWN) return run;
    return [
      {
        key: `folded-${last.key}`,
        at: last.at,
        tone: "queued",
        title: m.axis_redeliveries({ count: run.length }),
        text: m.axis_redeliveries_text(),
        folded: run,
      },
    ];
  });
}

function comingItem(detail: EventDetail, place: Place): TimelineItem[] {
  const { event, now } = detail;
  if (event.phase === "processed") return [];
  const isForPerson = event.phase === "dead" || (event.phase === "stale" && event.dueAt === null);
  return [
    {
      key: "coming",
      at: null,
      tone: "queued",
      title: isForPerson ? m.axis_coming_person() : m.axis_coming_worker(),
      text: whySentence(event, { now, ...place }),
    },
  ];
}
