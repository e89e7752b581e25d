import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { stripeReadSlots } from "../db/schema/stripe-read-slots.ts";
import { DeadlineExceeded } from "./errors.ts";

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
 * Throws DeadlineExceeded without taking part if the turn would come after the deadline; the slot stays taken,
 * which only makes the others slower, never faster than the limit.
 */
export async function takeStripeTurn(
  { db, perSecond }: RateLimitOptions,
  options: { route: string; deadline: Date },
): Promise<void> {
  const rows = await db.execute<{ wait_ms: number }>(sql`
    insert into ${stripeReadSlots} as slot (route, next_at)
    values (${options.route}, clock_timestamp() + make_interval(secs => ${1 / perSecond}))
    on conflict (route) do update
      set next_at = greatest(slot.next_at, clock_timestamp()) + make_interval(secs => ${1 / perSecond})
    returning greatest(0, extract(epoch from slot.next_at - clock_timestamp()) - ${1 / perSecond}::float8)::float8 * 1000 as wait_ms`);
  const waitMs = Number(rows[0]?.wait_ms ?? 0);
  if (Date.now() + waitMs > options.deadline.getTime()) {
    throw new DeadlineExceeded(`The turn to call ${options.route} would have come too late.`);
  }
  if (waitMs >= 1) await wait(waitMs);
}
