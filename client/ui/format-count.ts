import { type FormatLocale, numberFormat } from "./intl-formats.ts";

/** A count with the locale's grouping, such as "1,284". */
export function formatCount(count: number | bigint, locale?: FormatLocale): string {
  return numberFormat(locale, {}).format(count);
}

/** A change in credits with its sign, since a ledger line means nothing without it: "+40", "−12". */
export function formatSignedCount(count: bigint, locale?: FormatLocale): string {
  return numberFormat(locale, { signDisplay: "exceptZero" }).format(count);
}
