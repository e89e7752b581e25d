import type { ReactNode } from "react";
import styles from "./states.module.css";

interface EmptyStateProps {
  title: string;
  /** Why there is nothing, and what to do about it if anything. */
  children: ReactNode;
  action?: ReactNode;
}

/** Drawn where rows would be. Says why there are none and what next. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.state} aria-live="polite">
      <div className={styles.emptyMark} aria-hidden="true">
        <span />
        <span />
        <span />
        <span />
      </div>
      <p className={styles.title}>{title}</p>
      <p className={styles.text}>{children}</p>
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}
