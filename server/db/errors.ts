import { DrizzleQueryError } from "drizzle-orm";
import postgres from "postgres";

const CONNECTION_CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "CONNECTION_CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
]);

/**
 * The driver's own error under whatever wraps it. Log this one: the wrapper's message repeats the statement's
 * parameters, which may be somebody's address, session or password hash.
 */
export function causeOf(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}

/** PostgreSQL's SQLSTATE, if that is what the error carries. */
function sqlStateOf(error: unknown): string | null {
  const cause = causeOf(error);
  return cause instanceof postgres.PostgresError ? cause.code : null;
}

/** The constraint or index an error names, if any. */
export function constraintOf(error: unknown): string | null {
  const cause = causeOf(error);
  return cause instanceof postgres.PostgresError ? (cause.constraint_name ?? null) : null;
}

/** True if the database could not be talked to, as opposed to refusing what was said. */
export function isConnectionError(error: unknown): boolean {
  const state = sqlStateOf(error);
  // 08: connection exception; 57P: the server is shutting down or not yet up; 53300: too many connections.
  if (state !== null) return state.startsWith("08") || state.startsWith("57P") || state === "53300";
  const cause = causeOf(error);
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  return typeof code === "string" && CONNECTION_CODES.has(code);
}

/** True for any error that came from the database or the way to it. */
export function isDatabaseError(error: unknown): boolean {
  return sqlStateOf(error) !== null || isConnectionError(error) || error instanceof DrizzleQueryError;
}
