import type { EventRow } from "#shared/desk-views.ts";
import { type Actor, OUTCOMES } from "#shared/outcomes.ts";
import { m } from "../../../messages/generated/messages.js";
import { PHASE_TONE } from "../../../ui/state-words.tsx";
import { nextStep } from "../next-step.ts";
import styles from "./event-problem.module.css";

const WHO: Record<Actor, () => string> = {
  nobody: m.actor_nobody,
  worker: m.actor_worker,
  ops: m.actor_ops,
  admin: m.actor_admin,
  developer: m.actor_developer,
  operator: m.actor_operator,
};

/** What went wrong, what it means, who acts and what they do. Draws nothing where nothing went wrong. */
export function EventProblem({ event }: { event: EventRow }) {
  const code = event.phase === "processed" ? null : event.errorCode;
  if (code === null) return null;
  const problem = OUTCOMES[code];
  const who = event.phase === "dead" && problem.actor === "worker" ? "ops" : problem.actor;

  return (
    <section className={styles.problem} data-tone={PHASE_TONE[event.phase]} aria-label={m.problem_label()}>
      <p className={styles.big}>{m.problem_sentence({ label: problem.label, meaning: problem.meaning })}</p>
      <p className={styles.next}>
        <strong>{m.problem_next({ who: WHO[who]() })}</strong> {nextStep(event)}
      </p>
      {event.error !== null && <code className={styles.raw}>{event.error}</code>}
    </section>
  );
}
