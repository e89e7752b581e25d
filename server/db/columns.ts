import { customType, timestamp } from "drizzle-orm/pg-core";

/** A point in time, stored in UTC. */
export const instant = () => timestamp({ withTimezone: true, mode: "date" });

/** Bytes exactly as they came. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
});

/** `'a', 'b'` for a CHECK constraint. The values are our own constants, never input. */
export function sqlList(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(", ");
}
