import { Registry } from "prom-client";
import { describe, expect, test } from "vitest";
import { openDatabase } from "./db/client.ts";
import { useDatabase } from "./testing/use-database.ts";
import { createWorkGauges } from "./work-gauges.ts";

const database = useDatabase();

async function scrape(db = database().db): Promise<string> {
  const registry = new Registry();
  await createWorkGauges(registry, db).refresh();
  return await registry.metrics();
}

describe("the numbers of the work", () => {
  test("count what is unfinished by phase, with the age of the oldest, and never the processed", async () => {
    const { sql } = database();
    await sql`insert into processed_stripe_events
      (event_id, event_type, object_id, once, livemode, status, outcome, processed_at, last_error_code, created_at, due_at)
      select 'evt_' || n, 'checkout.session.completed', 'cs_' || n, true, false, status, outcome,
        case status when 'processed' then now() end, error, now() - make_interval(secs => n), now() + due
      from (values
        (100, 'processing', null, null, '-1 s'::interval), (50, 'processing', null, null, '-1 s'),
        (70, 'processing', null, null, '1 hour'), (30, 'dead', null, 'order_mismatch', '0 s'),
        (900, 'processed', 'fulfilled', null, '0 s')
      ) as row (n, status, outcome, error, due)`;

    const text = await scrape();
    expect(text).toContain('einmal_unfinished_events{phase="queued"} 2');
    expect(text).toContain('einmal_unfinished_events{phase="retrying"} 1');
    expect(text).toContain('einmal_unfinished_events{phase="held"} 0');
    expect(text).toMatch(/oldest_unfinished_age_seconds\{phase="queued"\} 10\d/);
    expect(text).toContain("einmal_dead_events 1");
    expect(text).toContain("einmal_database_up 1");
  });

  // The invariant of the product: if this number were wrong, nobody would look.
  test("count paid orders without a grant and unpaid ones with one", async () => {
    const { sql } = database();
    await sql`insert into orders (order_id, state, paid_at) values
      ('paid and granted', 'paid', now()), ('paid only', 'paid', now()), ('refunded only', 'refunded', now()),
      ('granted only', 'pending', null), ('neither', 'expired', null)`;
    await sql`insert into effects (order_id, kind, event_id, attempt) values
      ('paid and granted', 'grant_credits', 'evt_1', 1), ('granted only', 'grant_credits', 'evt_2', 1)`;

    expect(await scrape()).toContain("einmal_orders_not_exactly_one 3");
  });

  test("are left out, not zero, while the database does not answer", async () => {
    const gone = openDatabase({
      url: "postgres://nobody@127.0.0.1:1/none",
      connectionsMax: 1,
      applicationName: "test",
    });
    const text = await scrape(gone.db);
    await gone.close();
    expect(text).toContain("einmal_database_up 0");
    expect(text).not.toMatch(/^einmal_(unfinished_events|dead_events|orders_not_exactly_one)[ {]/m);
  });
});
