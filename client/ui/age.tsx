import { m } from "../messages/generated/messages.js";
import styles from "./age.module.css";
import { ageBarFraction, BUDGET_TICK } from "./age-bar-scale.ts";
import { useNow } from "./clock.tsx";
import { formatAge, secondsSince } from "./format-age.ts";
import { formatClock, formatInstant } from "./format-instant.ts";
import type { Tone } from "./status-badge.tsx";
import { useZone } from "./zone.tsx";

/** How long ago something was. The exact instant and its zone are in the tooltip. */
export function Age({ since }: { since: Date }) {
  const now = useNow();
  const zone = useZone();
  return (
    <time dateTime={since.toISOString()} title={formatInstant(since, zone)}>
      {formatAge(since, now)}
    </time>
  );
}

/** The same as words in a sentence: "3 min ago". */
export function Ago({ since }: { since: Date }) {
  const now = useNow();
  const zone = useZone();
  return (
    <time dateTime={since.toISOString()} title={formatInstant(since, zone)}>
      {m.age_ago({ age: formatAge(since, now) })}
    </time>
  );
}

/** The exact time with its age behind it, where there is room for both. */
export function InstantWithAge({ at }: { at: Date }) {
  const now = useNow();
  const zone = useZone();
  return (
    <time dateTime={at.toISOString()} title={formatInstant(at, zone)}>
      {formatClock(at, zone)} <span className={styles.behind}>{m.age_ago({ age: formatAge(at, now) })}</span>
    </time>
  );
}

interface AgeBarProps {
  since: Date;
  budgetSeconds: number;
  tone: Tone;
}

/** An age drawn on a logarithmic bar with a tick at the handler budget. */
export function AgeBar({ since, budgetSeconds, tone }: AgeBarProps) {
  const fraction = ageBarFraction(secondsSince(since, useNow()), budgetSeconds);
  return (
    <div className={styles.age} data-tone={tone}>
      <Age since={since} />
      <div className={styles.bar} aria-hidden="true">
        <div className={styles.fill} style={{ width: `${(fraction * 100).toFixed(1)}%` }} />
        <div className={styles.tick} style={{ left: `${BUDGET_TICK * 100}%` }} />
      </div>
    </div>
  );
}
