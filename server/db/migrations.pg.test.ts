import { expect, test } from "vitest";
import { useDatabase } from "../testing/use-database.ts";

const database = useDatabase();

test("payload partitions exist for this month and a year ahead, and nothing lies in the safety net", async () => {
  const partitions = await database().sql`
    select relname from pg_class where relispartition and relname ~ '^event_payloads_[0-9]{4}_[0-9]{2}$'`;
  expect(partitions).toHaveLength(13);
});
