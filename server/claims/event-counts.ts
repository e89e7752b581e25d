import { sql } from "drizzle-orm";
import { UNFINISHED_PHASES } from "#shared/event-status.ts";
import type { EventCounts } from "#shared/desk-views.ts";
import type { Db } from "../db/client.ts";
import { eventDeliveries as deliveries } from "../db/schema/event-deliveries.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { eventPhase } from "./phase.ts";

/** How many events are in each unfinished phase, and what came in lately. Never reads what is finished. */
export async function countEvents(db: Db): Promise<EventCounts> {
  const [phases, arrivals] = await Promise.all([countPhases(db), countArrivals(db)]);
  const countOf = (phase: string) => phases.find((one) => one.phase === phase)?.count ?? 0;
  const oldest = phases.map((one) => one.oldestAt).toSorted((a, b) => a.getTime() - b.getTime());
  return {
    now: arrivals.now,
    phases: Object.fromEntries(
      UNFINISHED_PHASES.map((phase) => [phase, countOf(phase)]),
    ) as EventCounts["phases"],
    oldestUnfinishedAt: oldest[0] ?? null,
    lastDay: {
      claimed: arrivals.claimed,
      redeliveries: arrivals.redeliveries,
      twins: arrivals.twins,
      unreadable: arrivals.unreadable,
    },
    lastReceivedAt: arrivals.lastReceivedAt,
  };
}

/** One scan of the partial index of what is unfinished, whatever the history weighs. */
async function countPhases(db: Db) {
  return await db
    .select({
      phase: eventPhase,
      count: sql<number>`count(*)::int`,
      oldestAt: sql<Date>`min(${events.createdAt})`.mapWith(events.createdAt),
    })
    .from(events)
    .where(sql`${events.status} <> 'processed'`)
    .groupBy(sql`1`);
}

const countOf = (...verdicts: string[]) =>
  sql<number>`(count(*) filter (where ${deliveries.verdict} in ${verdicts}))::int`;

/** Deliveries by what they were, as columns of a select from `event_deliveries`. */
export const arrivalCounts = {
  claimed: countOf("claimed"),
  redeliveries: countOf("redelivery", "rearmed"),
  twins: countOf("twin"),
  unreadable: countOf("unreadable"),
};

async function countArrivals(db: Db) {
  const [row] = await db
    .select({
      now: sql<Date>`now()`.mapWith(deliveries.receivedAt),
      ...arrivalCounts,
      lastReceivedAt: sql<Date | null>`(select max(received_at) from ${deliveries})`.mapWith(
        deliveries.receivedAt,
      ),
    })
    .from(deliveries)
    .where(sql`${deliveries.receivedAt} > now() - interval '24 hours'`);
  if (!row) throw new Error("Bug! An aggregate without a row.");
  return row;
}

/** Every type ever received, sorted: jumps from one to the next in the index by type instead of reading all rows. */
export async function listEventTypes(db: Db): Promise<string[]> {
  const rows = await db.execute<{ event_type: string }>(sql`
    with recursive found as (
      (select event_type from ${events} order by event_type limit 1)
      union all
      select (select next.event_type from ${events} as next where next.event_type > found.event_type
        order by next.event_type limit 1)
      from found where found.event_type is not null)
    select event_type from found where event_type is not null`);
  return rows.map((row) => row.event_type);
}
