import type { EventRow } from "#shared/desk-views.ts";
import { OUTCOMES } from "#shared/outcomes.ts";
import { m } from "../../messages/generated/messages.js";
import { formatAge, formatWait } from "../../ui/format-age.ts";
import { formatClock } from "../../ui/format-instant.ts";
import { nextStep } from "./next-step.ts";

/** What a sentence about an event needs besides the event. */
export interface Telling {
  now: Date;
  zone: string;
}

/** Why an event is where it is, in one or two sentences: what happened, and what comes next. */
export function whySentence(row: EventRow, { now, zone }: Telling): string {
  switch (row.phase) {
    case "queued":
      return m.why_queued();
    case "held":
      return whyHeld(row, { now, zone });
    case "stale":
      return whyStale(row, now);
    case "retrying":
      return whyRetrying(row, now);
    case "dead":
      return whyDead(row);
    case "processed":
      return row.outcome === null ? m.why_processed() : OUTCOMES[row.outcome].label;
  }
}

function whyHeld(row: EventRow, { now, zone }: Telling): string {
  if (row.claimedBy === null || row.takenAt === null || row.leaseUntil === null) return m.why_held_unnamed();
  return m.why_held({
    worker: row.claimedBy,
    age: formatAge(row.takenAt, now),
    until: formatClock(row.leaseUntil, zone),
  });
}

function whyStale(row: EventRow, now: Date): string {
  if (row.claimedBy === null || row.takenAt === null || row.leaseUntil === null) return m.why_stale_unnamed();
  const lost = m.why_stale({
    worker: row.claimedBy,
    taken: formatAge(row.takenAt, now),
    ended: formatAge(row.leaseUntil, now),
  });
  // No due time: takeover is manual here and nobody has offered the event yet.
  return row.dueAt === null ? `${lost} ${m.why_stale_manual()}` : lost;
}

function whyRetrying(row: EventRow, now: Date): string {
  const wait = row.dueAt === null ? null : formatWait(row.dueAt, now);
  const next = wait === null ? m.why_next_due() : m.why_next_try({ wait });
  return row.errorCode === null ? next : `${m.sentence({ text: OUTCOMES[row.errorCode].label })} ${next}`;
}

function whyDead(row: EventRow): string {
  const next = nextStep(row);
  if (row.errorCode === null || next === null) return m.why_dead();
  return m.why_dead_code({ label: OUTCOMES[row.errorCode].label, nextStep: next });
}
