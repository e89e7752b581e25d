import { dateFormat, type FormatLocale } from "./intl-formats.ts";

const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;

/** The time of day to the second in a zone, such as "14:03:41". */
export function formatClock(at: Date, zone: string, locale?: FormatLocale): string {
  return dateFormat(locale, { ...CLOCK, timeZone: zone }).format(at);
}

/** The day in a zone, such as "Mar 1, 2026". */
export function formatDay(at: Date, zone: string, locale?: FormatLocale): string {
  return dateFormat(locale, { dateStyle: "medium", timeZone: zone }).format(at);
}

/** The exact instant with the zone it is told in, such as "Mar 1, 2026, 14:03:41 (Europe/Zurich)". */
export function formatInstant(at: Date, zone: string, locale?: FormatLocale): string {
  return `${formatDay(at, zone, locale)}, ${formatClock(at, zone, locale)} (${zone})`;
}
