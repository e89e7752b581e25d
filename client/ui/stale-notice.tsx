import { m } from "../messages/generated/messages.js";
import { useNow } from "./clock.tsx";
import { formatSpan } from "./format-age.ts";
import { WarningIcon } from "./icons.tsx";
import styles from "./states.module.css";

/** Rows older than this are no longer what the desk claims to show. */
const STALE_AFTER_SECONDS = 20;

interface StaleNoticeProps {
  /** When the rows below were read, by the database's clock. */
  readAt: Date;
  /** Whether the newest attempt to read them failed. */
  hasFailed: boolean;
  /** Whether refreshing is paused on purpose, which is no fault to report. */
  isPaused: boolean;
}

/** Says that the rows below are old, how old, and why. Draws nothing while they are fresh. */
export function StaleNotice({ readAt, hasFailed, isPaused }: StaleNoticeProps) {
  const ageSeconds = Math.floor((useNow().getTime() - readAt.getTime()) / 1000);
  const isStale = hasFailed || (!isPaused && ageSeconds > STALE_AFTER_SECONDS);

  return (
    <div aria-live="polite">
      {isStale && (
        <p className={styles.stale}>
          <WarningIcon />
          <span>
            {hasFailed
              ? m.stale_unreachable({ age: formatSpan(ageSeconds) })
              : m.stale_old({ age: formatSpan(ageSeconds) })}
          </span>
        </p>
      )}
    </div>
  );
}
