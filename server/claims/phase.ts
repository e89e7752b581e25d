import { sql, type SQL } from "drizzle-orm";
import type { EventPhase } from "#shared/event-status.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";

/** The phase of a row by the database's clock: one expression for filters, counts, badges and forecast. */
export const eventPhase: SQL<EventPhase> = sql<EventPhase>`case
  when ${events.status} <> 'processing' then ${events.status}
  when ${events.claimToken} is null then case when ${events.dueAt} > now() then 'retrying' else 'queued' end
  when ${events.leaseUntil} > now() then 'held'
  else 'stale' end`;

/**
 * A condition that is true for rows in the phase. It names the status first, in the words of the partial
 * indexes, so that finding the few unfinished never reads the processed millions.
 */
export function phaseIs(phase: EventPhase): SQL {
  switch (phase) {
    case "queued":
      return sql`(${events.status} = 'processing' and ${events.claimToken} is null and ${events.dueAt} <= now())`;
    case "retrying":
      return sql`(${events.status} = 'processing' and ${events.claimToken} is null and ${events.dueAt} > now())`;
    case "held":
      return sql`(${events.status} = 'processing' and ${events.leaseUntil} > now())`;
    case "stale":
      return sql`(${events.status} = 'processing' and ${events.leaseUntil} <= now())`;
    case "dead":
      return sql`(${events.status} = 'dead')`;
    case "processed":
      return sql`(${events.status} = 'processed')`;
  }
}
