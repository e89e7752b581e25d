import { variables } from "./config-variables.ts";

const KNOWN: readonly string[] = Object.keys(variables.shape);
/** Short names have too many neighbours: PORT is one letter away from many an honest word. */
const COMPARED_LENGTH_MIN = 10;

/**
 * Names in the environment that look like ours and are not: a setting that is silently ignored is found on the
 * day it was needed.
 */
export function findSuspects(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env)
    .filter((name) => !KNOWN.includes(name))
    .flatMap((name) => {
      const meant = KNOWN.find(
        (known) => known.length >= COMPARED_LENGTH_MIN && editDistance(name.toUpperCase(), known) <= 2,
      );
      if (meant !== undefined) return [`${name} is set but means nothing here. Did you mean ${meant}?`];
      return name.startsWith("EINMAL_") ? [`${name} is set but means nothing here.`] : [];
    });
}

/** Letters to insert, delete or replace to turn one word into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
