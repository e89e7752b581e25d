import type { ReactNode } from "react";
import styles from "./status-badge.module.css";

/** The colours that mean a state. Each is always shown together with a word. */
export type Tone = "ok" | "held" | "queued" | "retry" | "stale" | "dead" | "twin";

interface StatusBadgeProps {
  tone: Tone;
  children: ReactNode;
  /** Without its dot the badge is a count or a mark rather than a state. */
  withDot?: boolean;
  title?: string;
}

/** A state as a word and a dot. */
export function StatusBadge({ tone, children, withDot = true, title }: StatusBadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone} title={title}>
      {withDot && <span className={styles.dot} aria-hidden="true" />}
      {children}
    </span>
  );
}
