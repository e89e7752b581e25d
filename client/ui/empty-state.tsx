import type { ReactNode } from "react";
import styles from "./states.module.css";

interface EmptyStateProps {
  title: string;
  /** Why there is nothing, and what to do about it if anything. */
  children: ReactNode;
  action?: ReactNode;
  /** True where this is all the page has to say: its title is then the page's heading. */
  isPage?: boolean;
}

/** Drawn where rows would be. Says why there are none and what next. */
export function EmptyState({ title, children, action, isPage = false }: EmptyStateProps) {
  const Title = isPage ? "h1" : "p";
  return (
    <div className={styles.state} aria-live="polite">
      <div className={styles.emptyMark} aria-hidden="true">
        <span />
        <span />
        <span />
        <span />
      </div>
      <Title className={styles.title}>{title}</Title>
      <p className={styles.text}>{children}</p>
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}
