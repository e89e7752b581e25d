import { m } from "../messages/generated/messages.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Whole seconds from `since` to `now`, never negative: clocks a little apart must not show a future past. */
export function secondsSince(since: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1000));
}

/**
 * A span in the one unit that a reader decides by, rounded down, such as "38 s", "14 min" or "3 h".
 * Hours run to two days, because "26 h" says more about an incident than "1 d".
 */
export function formatSpan(seconds: number): string {
  if (seconds < MINUTE) return m.span_seconds({ count: seconds });
  if (seconds < HOUR) return m.span_minutes({ count: Math.floor(seconds / MINUTE) });
  if (seconds < 2 * DAY) return m.span_hours({ count: Math.floor(seconds / HOUR) });
  return m.span_days({ count: Math.floor(seconds / DAY) });
}

/** How long ago `since` was at `now`. */
export function formatAge(since: Date, now: Date): string {
  return formatSpan(secondsSince(since, now));
}

/** How long until `until`, at least "1 s" while it lies ahead, or null when it has passed. */
export function formatWait(until: Date, now: Date): string | null {
  const milliseconds = until.getTime() - now.getTime();
  return milliseconds <= 0 ? null : formatSpan(Math.max(1, Math.ceil(milliseconds / 1000)));
}
