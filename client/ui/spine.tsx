import styles from "./spine.module.css";

/** What one dot of a spine shows: passed, running now, waiting for another try, failed, or not reached. */
export type StepMark = "passed" | "running" | "waiting" | "overdue" | "failed" | "open";

export interface SpineStep {
  name: string;
  mark: StepMark;
}

interface SpineProps {
  steps: readonly SpineStep[];
  /** The same in words. */
  label: string;
}

/** How far something came, as dots in a row. */
export function Spine({ steps, label }: SpineProps) {
  return (
    <span className={styles.spine} title={label}>
      <span className="visually-hidden">{label}</span>
      {steps.map(({ name, mark }) => (
        <span key={name} className={styles.step} data-mark={mark} aria-hidden="true" />
      ))}
    </span>
  );
}
