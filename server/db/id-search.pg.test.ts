import { expect, test } from "vitest";
import { useDatabase } from "../testing/use-database.ts";

const database = useDatabase();

// Two columns that compare differently cannot be joined by an index: one forgotten column made the orders list read
// all effects for each row.
test("every id that is searched or joined compares as bytes", async () => {
  const columns = await database().sql<{ column: string; collation: string | null }[]>`
    select table_name || '.' || column_name as column, collation_name as collation
    from information_schema.columns
    where table_schema = 'public' and data_type = 'text' and column_name in ('event_id', 'winner_event_id',
      'object_id', 'order_id', 'checkout_session_id', 'payment_id', 'charge_id')`;
  expect(columns.length).toBeGreaterThan(15);
  expect(columns.filter(({ collation }) => collation !== "C")).toEqual([]);
});
