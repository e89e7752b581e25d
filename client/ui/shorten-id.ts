const HEAD = 8;
const TAIL = 4;

/**
 * An id short enough for a table: start and end stay, since people compare those. Ids that lose less than
 * they gain by it stay whole. Only for the eye; what is copied is always the whole id.
 */
export function shortenId(id: string): string {
  const characters = Array.from(id);
  if (characters.length <= HEAD + TAIL + 4) return id;
  return `${characters.slice(0, HEAD).join("")}…${characters.slice(-TAIL).join("")}`;
}
