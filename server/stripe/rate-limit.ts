import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { stripeReadSlots } from "../db/schema/stripe-read-slots.ts";
import { TurnTooLate } from "./errors.ts";

export interface RateLimitOptions {
  db: Db;
  /** Requests that may start per second and API route, over all processes. */
  perSecond: number;
}

/**
 * Waits for this request's turn on an API route. All processes share one row per route that holds when the next
 * request may start; each takes the next slot in one statement, so nobody starves and nobody polls. An idle route
 * lets a request through at once.
 *
 * Throws TurnTooLate if the turn would come after the deadline, and then takes none: slots that nobody uses would push
 * everybody's turns further and further out.
 */
export async function takeStripeTurn(
  { db, perSecond }: RateLimitOptions,
  options: { route: string; deadline: Date },
): Promise<void> {
  const leftSeconds = Math.max(0, (options.deadline.getTime() - Date.now()) / 1000);
  const interval = sql`make_interval(secs => ${1 / perSecond})`;
  const rows = await db.execute<{ wait_ms: number }>(sql`
    insert into ${stripeReadSlots} as slot (route, next_at) values (${options.route}, clock_timestamp() + ${interval})
    on conflict (route) do update set next_at = greatest(slot.next_at, clock_timestamp()) + ${interval}
      where slot.next_at <= clock_timestamp() + make_interval(secs => ${leftSeconds})
    returning greatest(0, extract(epoch from slot.next_at - ${interval} - clock_timestamp()))::float8 * 1000 as wait_ms`);
  const [turn] = rows;
  if (!turn)
    throw new TurnTooLate(`The turn to call ${options.route} would have come after the attempt's deadline.`);
  const waitMs = Number(turn.wait_ms);
  if (waitMs >= 1) await wait(waitMs);
}
