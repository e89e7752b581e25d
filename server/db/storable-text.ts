/**
 * Whether PostgreSQL can hold the text unchanged: no NUL and no half of a surrogate pair. What cannot be held is in
 * no row, so that a look-up for it has found nothing before it asks.
 */
export function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/** The text with what PostgreSQL cannot hold replaced by U+FFFD. */
export function toStorable(text: string): string {
  return text.replaceAll("\u0000", "\uFFFD").toWellFormed();
}
