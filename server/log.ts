import pino, { type Logger } from "pino";

export type Log = Logger;

/**
 * One JSON line per outcome, on stderr: stdout carries the announcement for the person who started it.
 * Callers log ids, codes and counts. A raw body or a secret must never become a field.
 */
export function createLog(level: string): Log {
  // Synchronous: the line that explains a crash must be out before the process is gone.
  const stderr = pino.destination({ dest: 2, sync: true });
  // Whoever read it may be gone (a closed terminal, a broken pipe). That must not keep us from stopping in order.
  stderr.on("error", () => {});
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stderr,
  );
}
