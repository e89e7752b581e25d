import { DrizzleQueryError } from "drizzle-orm";
import pino, { type DestinationStream, type Logger } from "pino";

export type Log = Logger;

/** Causes of causes beyond this are a circle. */
const CAUSES_MAX = 5;

/**
 * An error as a field: what it is, where it came from, and its causes. Field by field, because the database's errors
 * carry the statement's parameters and the row in question, which may be a payload, an e-mail address or a token.
 */
export function describeError(error: unknown, causes = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const isStatement = error instanceof DrizzleQueryError;
  return {
    type: error.constructor.name,
    message: isStatement ? "A statement failed." : error.message,
    ...(isStatement && { statement: error.query }),
    ...("code" in error && { code: error.code }),
    ...("constraint_name" in error && { constraint: error.constraint_name }),
    // The frames alone: the first lines repeat the message, with everything that it holds.
    at: (error.stack ?? "")
      .split("\n")
      .filter((line) => /^\s+at /.test(line))
      .map((line) => line.trim()),
    ...(error.cause !== undefined &&
      causes < CAUSES_MAX && { cause: describeError(error.cause, causes + 1) }),
  };
}

/**
 * One JSON line per outcome, on stderr: stdout carries the announcement for the person who started it.
 * Callers log ids, codes and counts. A raw body or a secret must never become a field.
 */
export function createLog(level: string, destination: DestinationStream = openStderr()): Log {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error) => describeError(error), reportError: (error) => describeError(error) },
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

function openStderr(): DestinationStream {
  // Synchronous: the line that explains a crash must be out before the process is gone.
  const stderr = pino.destination({ dest: 2, sync: true });
  // Whoever read it may be gone (a closed terminal, a broken pipe). That must not keep us from stopping in order.
  stderr.on("error", () => {});
  return stderr;
}
