import { createLog, type Log } from "../log.ts";

export interface KeptLog {
  log: Log;
  /** All that was logged, one JSON line per entry. */
  text: () => string;
  lines: () => Record<string, unknown>[];
}

/** The product's own log at its most talkative, kept for a look instead of written to stderr. */
export function keptLog(): KeptLog {
  const kept: string[] = [];
  return {
    log: createLog("trace", { write: (line) => kept.push(line) }),
    text: () => kept.join(""),
    lines: () => kept.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
