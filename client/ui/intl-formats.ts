/**
 * Numbers and dates follow the reader's own locale, whatever language the words are in.
 * Undefined lets Intl take the browser's.
 */
export type FormatLocale = string | undefined;

// Making an Intl format costs a thousand times what using one does, and a list draws hundreds every second.
// Bounded by the zones, currencies and styles that the desk shows.
const dateFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();

/** The date format of a locale and style, made once. */
export function dateFormat(locale: FormatLocale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  dateFormats.set(key, format);
  return format;
}

/** The number format of a locale and style, made once. */
export function numberFormat(locale: FormatLocale, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(locale, options);
  numberFormats.set(key, format);
  return format;
}
