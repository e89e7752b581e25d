import type { ReplayResult } from "#shared/desk-views.ts";
import { OUTCOMES } from "#shared/outcomes.ts";
import { isForbidden, isUnanswered } from "../../../app/trpc.ts";
import { m } from "../../../messages/generated/messages.js";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import styles from "./replay-dialog.module.css";

/** Why the server turned a replay away. The dialog stays open and shows the picture as it is now. */
export function RefusalPanel({ refusal }: { refusal: ReplayResult["refusal"] }) {
  const outcome = OUTCOMES[refusal ?? "event_changed"];
  return (
    <section className={styles.panel} role="alert">
      <p>
        <StatusBadge tone="stale">{outcome.label}</StatusBadge>
      </p>
      <p className={styles.text}>
        {m.refused_text({ meaning: outcome.meaning, nextStep: outcome.nextStep })}
      </p>
    </section>
  );
}

/** No answer, or a fault: says whether it is safe to press again. */
export function FailurePanel({ error }: { error: unknown }) {
  return (
    <section className={styles.panel} role="alert">
      <p>
        <StatusBadge tone="dead">
          {isForbidden(error) ? OUTCOMES.role_not_allowed.label : m.replay_failed_title()}
        </StatusBadge>
      </p>
      <p className={styles.text}>{failureText(error)}</p>
    </section>
  );
}

function failureText(error: unknown): string {
  if (isForbidden(error)) {
    const { meaning, nextStep } = OUTCOMES.role_not_allowed;
    return m.refused_text({ meaning, nextStep });
  }
  return isUnanswered(error) ? m.replay_unanswered() : m.replay_failed_text();
}
