import { Loader } from "@mantine/core";
import type { EventDetail } from "#shared/desk-views.ts";
import { m } from "../../../messages/generated/messages.js";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { type ReplayOutcome, replayOutcome } from "./replay-outcome.ts";
import styles from "./replay-dialog.module.css";

interface OutcomePanelProps {
  detail: EventDetail | undefined;
  attemptBefore: number;
  /** The same request had been carried out before: its outcome is shown, nothing was done twice. */
  isRepeated: boolean;
}

/** What the server did, from the moment it accepted the replay to the result of the next attempt. */
export function OutcomePanel({ detail, attemptBefore, isRepeated }: OutcomePanelProps) {
  const outcome: ReplayOutcome = detail
    ? replayOutcome(detail, attemptBefore)
    : { tone: "queued", title: m.replayed_queued(), text: m.replayed_queued_text(), isFinal: false };

  return (
    <section className={styles.panel} aria-live="polite" aria-label={m.outcome_title()}>
      <div className={styles.outcome}>
        <h3>{m.outcome_title()}</h3>
        {!outcome.isFinal && <Loader size={12} color="var(--ink-3)" aria-hidden="true" />}
      </div>
      <p>
        <StatusBadge tone={outcome.tone}>{outcome.title}</StatusBadge>
      </p>
      <p className={styles.text}>{outcome.text}</p>
      {isRepeated && <p className={styles.text}>{m.replayed_repeated()}</p>}
    </section>
  );
}
