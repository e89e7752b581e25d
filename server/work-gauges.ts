import { sql } from "drizzle-orm";
import { Gauge, type Registry } from "prom-client";
import { UNFINISHED_PHASES } from "#shared/event-status.ts";
import { eventPhase } from "./claims/phase.ts";
import type { Db } from "./db/client.ts";
import { orders } from "./db/schema/orders.ts";
import { processedStripeEvents as events } from "./db/schema/processed-stripe-events.ts";
import { isNotExactlyOne } from "./orders/order-row.ts";

/** The orders are compared with their grants at most this often: unlike the rest, that reads more than the unfinished. */
const ORDERS_EVERY_SECONDS = 60;

/**
 * The state of the work as gauges, and the function that asks the database for it before they are read. Every
 * process shows the same numbers: take them from one, never their sum. When the database does not answer they are
 * left out rather than shown old, and `einmal_database_up` is 0.
 */
export function createWorkGauges(registry: Registry, db: Db): { refresh: () => Promise<void> } {
  const gauges = makeGauges(registry);
  let orderCount = { value: 0, readAt: Number.NEGATIVE_INFINITY };
  let running: Promise<void> | null = null;

  async function refreshOnce(): Promise<void> {
    for (const gauge of [gauges.unfinished, gauges.oldest, gauges.dead, gauges.notExactlyOne]) gauge.reset();
    try {
      const phases = await countUnfinished(db);
      if (performance.now() - orderCount.readAt > ORDERS_EVERY_SECONDS * 1000) {
        orderCount = { value: await countOrdersNotExactlyOne(db), readAt: performance.now() };
      }
      for (const phase of UNFINISHED_PHASES) {
        gauges.unfinished.set({ phase }, phases.get(phase)?.count ?? 0);
        gauges.oldest.set({ phase }, phases.get(phase)?.oldestSeconds ?? 0);
      }
      gauges.dead.set(phases.get("dead")?.count ?? 0);
      gauges.notExactlyOne.set(orderCount.value);
      gauges.up.set(1);
    } catch {
      for (const gauge of [gauges.dead, gauges.notExactlyOne]) gauge.remove();
      gauges.up.set(0);
    }
  }

  return {
    // Two scrapes at once share one look.
    refresh: () => {
      running ??= refreshOnce().finally(() => {
        running = null;
      });
      return running;
    },
  };
}

function makeGauges(registry: Registry) {
  const registers = [registry];
  return {
    unfinished: new Gauge({
      name: "einmal_unfinished_events",
      help: "Events that still need a worker or a person, by phase.",
      labelNames: ["phase"],
      registers,
    }),
    oldest: new Gauge({
      name: "einmal_oldest_unfinished_age_seconds",
      help: "Age of the oldest event in each unfinished phase; 0 where there is none.",
      labelNames: ["phase"],
      registers,
    }),
    dead: new Gauge({ name: "einmal_dead_events", help: "Events that wait for a person.", registers }),
    notExactlyOne: new Gauge({
      name: "einmal_orders_not_exactly_one",
      help: "Orders whose grants are not as many as they should be: one if paid, else none. Not 0 is an alarm.",
      registers,
    }),
    up: new Gauge({
      name: "einmal_database_up",
      help: "1 if the database answered the question behind the other numbers.",
      registers,
    }),
  };
}

/** One scan of the partial index of what is unfinished, whatever the history weighs. */
async function countUnfinished(db: Db): Promise<Map<string, { count: number; oldestSeconds: number }>> {
  const rows = await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '2s'`);
    return await tx
      .select({
        phase: eventPhase,
        count: sql<number>`count(*)::int`,
        oldestSeconds: sql<number>`extract(epoch from now() - min(${events.createdAt}))::float8`,
      })
      .from(events)
      .where(sql`${events.status} <> 'processed'`)
      .groupBy(sql`1`);
  });
  return new Map(rows.map(({ phase, ...numbers }) => [phase, numbers]));
}

/** By the very condition that the desk's list uses: an alarm must lead to the rows that raised it. */
async function countOrdersNotExactlyOne(db: Db): Promise<number> {
  return await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '5s'`);
    const [row] = await tx.select({ count: sql<number>`count(*)::int` }).from(orders).where(isNotExactlyOne);
    return row?.count ?? 0;
  });
}
