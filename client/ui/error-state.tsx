import { Button } from "@mantine/core";
import { m } from "../messages/generated/messages.js";
import { WarningIcon } from "./icons.tsx";
import styles from "./states.module.css";

interface ErrorStateProps {
  title: string;
  /** What it means and what to do next. */
  children: string;
  onRetry?: () => void;
  isRetrying?: boolean;
  /** True where this is all the page has to say: its title is then the page's heading. */
  isPage?: boolean;
}

/** Drawn when nothing could be read at all. Old rows, where there are any, stay and are marked stale instead. */
export function ErrorState({
  title,
  children,
  onRetry,
  isRetrying = false,
  isPage = false,
}: ErrorStateProps) {
  const Title = isPage ? "h1" : "p";
  return (
    <div className={styles.state} role="alert">
      <span className={styles.errorMark}>
        <WarningIcon />
      </span>
      <Title className={styles.title}>{title}</Title>
      <p className={styles.text}>{children}</p>
      {onRetry !== undefined && (
        <div className={styles.action}>
          <Button onClick={onRetry} loading={isRetrying}>
            {m.try_again()}
          </Button>
        </div>
      )}
    </div>
  );
}
