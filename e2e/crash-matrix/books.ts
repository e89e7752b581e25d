import type postgres from "postgres";
import type { Postman } from "./postman.ts";

const CREDITS = 40;

/** What a cell did to the business, counted in the tables and not in anybody's log. */
export interface Books {
  grants: number;
  credits: number;
  payments: number;
  deliveries: number;
  deviations: string[];
}

/** Counts what one order led to, and says everything that is not as it must be. */
export async function readBooks(
  sql: postgres.Sql,
  { orderId, sessionId, postman }: { orderId: string; sessionId: string; postman: Postman },
): Promise<Books> {
  const [counts] = await sql<
    { grants: number; credits: number; lines: number; payments: number; granting: number; state: string }[]
  >`
    select (select count(*)::int from effects where order_id = ${orderId} and kind = 'grant_credits') as grants,
      (select coalesce(sum(delta), 0)::int from credit_ledger where order_id = ${orderId}) as credits,
      (select count(*)::int from credit_ledger where order_id = ${orderId}) as lines,
      (select count(*)::int from payments where order_id = ${orderId}) as payments,
      (select count(*)::int from payments where order_id = ${orderId} and grants) as granting,
      coalesce((select state from orders where order_id = ${orderId}), 'missing') as state`;
  const events = await sql<{ id: string; status: string; hasPayload: boolean; openAttempts: number }[]>`
    select event_id as id, status,
      exists (select from event_payloads p where p.event_id = e.event_id) as "hasPayload",
      (select count(*)::int from event_attempts a where a.event_id = e.event_id and ended_at is null) as "openAttempts"
    from processed_stripe_events e where object_id = ${sessionId}`;
  const deliveries = await sql<{ id: string; winner: string }[]>`
    select event_id as id, winner_event_id as winner from event_deliveries
    where winner_event_id in (select event_id from processed_stripe_events where object_id = ${sessionId})`;
  if (!counts) throw new Error("Bug! A select of counts has one row.");

  const deviations: string[] = [];
  const expect = (isTrue: boolean, deviation: string) => {
    if (!isTrue) deviations.push(deviation);
  };
  expect(counts.state === "paid", `the order is ${counts.state}`);
  expect(counts.grants === 1, `${counts.grants} grants`);
  expect(
    counts.lines === 1 && counts.credits === CREDITS,
    `${counts.lines} lines, ${counts.credits} credits`,
  );
  expect(counts.payments === 1 && counts.granting === 1, `${counts.payments} payments`);
  for (const event of events) {
    expect(event.status === "processed", `${event.id} is ${event.status}`);
    expect(event.hasPayload, `${event.id} has no payload`);
    expect(event.openAttempts === 0, `${event.id} has ${event.openAttempts} attempts that never ended`);
  }
  const { sent, acknowledged } = postman.counts();
  expect(
    deliveries.length >= acknowledged && deliveries.length <= sent,
    `${deliveries.length} deliveries of ${sent} sent and ${acknowledged} acknowledged`,
  );
  expect(events.length > 0, "no event is on record");
  for (const id of postman.acknowledgedIds()) {
    expect(
      deliveries.some((delivery) => delivery.id === id),
      `${id} was acknowledged and is not on record`,
    );
  }
  return {
    grants: counts.grants,
    credits: counts.credits,
    payments: counts.payments,
    deliveries: deliveries.length,
    deviations,
  };
}
