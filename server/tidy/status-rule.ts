import type { Rule } from "./import-rules.ts";

const TABLE_FILE = "server/db/schema/processed-stripe-events.ts";
const TABLE = "processed_stripe_events";
/** claims is the only writer of an event's status; receiving makes the row. */
const MAY_CHANGE = /^server\/(claims\/|testing\/|receiving\/accept\.ts$)/;

/**
 * Who else writes to the claim could make an effect happen twice. Looks for statements of the query builder on
 * the table, under whatever name it was imported, and for SQL that names it.
 */
export const onlyClaimsWriteTheStatus: Rule = ({ path, text, imports }) => {
  if (MAY_CHANGE.test(path) || !path.startsWith("server/") || /\.test\.ts$/.test(path)) return [];
  const names = imports.filter((one) => one.target === TABLE_FILE).flatMap((one) => [...one.names.values()]);
  const isWritten = [
    ...names.flatMap((name) => [
      new RegExp(`\\.(?:insert|update|delete)\\(\\s*${name}\\b`),
      new RegExp(`(?:insert\\s+into|update|delete\\s+from)\\s+\\$\\{\\s*${name}\\b`, "i"),
    ]),
    new RegExp(`(?:insert\\s+into|update|delete\\s+from)\\s+"?${TABLE}`, "i"),
  ].some((pattern) => pattern.test(text));
  return isWritten ? [`writes to ${TABLE}: only server/claims and the door may`] : [];
};
