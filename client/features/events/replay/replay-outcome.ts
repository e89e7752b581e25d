import type { AttemptView, EventDetail } from "#shared/desk-views.ts";
import { nextStepWhenDead, OUTCOMES } from "#shared/outcomes.ts";
import { m } from "../../../messages/generated/messages.js";
import { formatWait } from "../../../ui/format-age.ts";
import { formatCount } from "../../../ui/format-count.ts";
import type { Tone } from "../../../ui/status-badge.tsx";

/** What became of a replay so far. Watching ends once `isFinal`. */
export interface ReplayOutcome {
  tone: Tone;
  title: string;
  text: string;
  isFinal: boolean;
}

/**
 * What the attempts after `attemptBefore` came to. A worker may give the event back untouched, so the one
 * that counts is the newest that was really made.
 */
export function replayOutcome(detail: EventDetail, attemptBefore: number): ReplayOutcome {
  const attempt = detail.attempts
    .filter((made) => made.attempt > attemptBefore && made.result !== "given_back")
    .toSorted((a, b) => b.attempt - a.attempt)
    .at(0);

  if (attempt === undefined) {
    return { tone: "queued", title: m.replayed_queued(), text: m.replayed_queued_text(), isFinal: false };
  }
  if (attempt.result === null) {
    return {
      tone: "held",
      title: m.replayed_running({ attempt: attempt.attempt }),
      text: m.replayed_running_text({ worker: attempt.worker }),
      isFinal: false,
    };
  }
  return attempt.result === "processed" ? processed(detail, attempt) : failed(detail, attempt);
}

function processed(detail: EventDetail, attempt: AttemptView): ReplayOutcome {
  const grant = detail.effects.find(
    (effect) =>
      effect.attempt === attempt.attempt && effect.kind === "grant_credits" && effect.credits !== null,
  );
  if (grant?.credits !== undefined && grant.credits !== null) {
    return {
      tone: "ok",
      title: m.replayed_granted({ count: grant.credits, shown: formatCount(grant.credits) }),
      text: m.replayed_granted_text({ attempt: attempt.attempt }),
      isFinal: true,
    };
  }
  const outcome = detail.event.outcome;
  return {
    // Settled in good order, but green would say that the customer got something.
    tone: outcome === "already_fulfilled" ? "ok" : "queued",
    title: outcome === null ? m.why_processed() : OUTCOMES[outcome].label,
    text: outcome === null ? m.replayed_no_effect() : OUTCOMES[outcome].meaning,
    isFinal: true,
  };
}

function failed(detail: EventDetail, attempt: AttemptView): ReplayOutcome {
  const code = attempt.errorCode ?? detail.event.errorCode;
  const label = code === null ? m.replayed_unknown_error() : OUTCOMES[code].label;
  if (attempt.result === "dead") {
    return {
      tone: "dead",
      title: m.replayed_dead({ attempt: attempt.attempt, label }),
      text: code === null ? m.why_dead() : nextStepWhenDead(code),
      isFinal: true,
    };
  }
  const { dueAt } = detail.event;
  const wait = dueAt === null ? null : formatWait(dueAt, detail.now);
  return {
    tone: attempt.result === "lost" ? "stale" : "retry",
    title: m.replayed_failed({ attempt: attempt.attempt, label }),
    text: wait === null ? m.why_next_due() : m.why_next_try({ wait }),
    isFinal: true,
  };
}
