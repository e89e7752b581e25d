import type { EventStatus } from "#shared/event-status.ts";
import type { OrderState } from "#shared/order-state.ts";
import type { TestDatabase } from "../use-database.ts";

export interface EventSeen {
  eventId: string;
  status: EventStatus;
  outcome: string | null;
  attempt: number;
  token: string | null;
  /** Dead, and a Resend may bring it back now. */
  isRearmable: boolean;
}

export interface OrderSeen {
  orderId: string;
  state: OrderState;
  version: number;
  customerId: string | null;
  grants: number;
  /** The session whose payment granted. */
  grantingSession: string | null;
  payments: number;
}

/** The books as they stand between two steps. */
export interface Snapshot {
  events: Map<string, EventSeen>;
  orders: Map<string, OrderSeen>;
  /** Order, kind and subject of each effect, however many there are. */
  effects: string[];
  /** Customer -> the sum of their ledger. */
  balances: Map<string, bigint>;
}

/** Reads all that there is. One statement, so that it is of one moment. */
export async function readSnapshot({ sql }: TestDatabase): Promise<Snapshot> {
  const [row] = await sql<
    { events: EventSeen[]; orders: OrderSeen[]; effects: string[]; balances: [string, string][] }[]
  >`select
    (select coalesce(json_agg(json_build_object('eventId', event_id, 'status', status, 'outcome', outcome,
        'attempt', attempt, 'token', claim_token, 'isRearmable', status = 'dead'
          and (rearmed_at is null or rearmed_at < now() - interval '1 hour'))), '[]')
      from processed_stripe_events) as events,
    (select coalesce(json_agg(json_build_object('orderId', order_id, 'state', state, 'version', version,
        'customerId', customer_id::text,
        'grants', (select count(*) from effects e where e.order_id = o.order_id and e.kind = 'grant_credits'),
        'grantingSession', (select min(checkout_session_id) from payments p where p.order_id = o.order_id and p.grants),
        'payments', (select count(*) from payments p where p.order_id = o.order_id))), '[]')
      from orders o) as orders,
    (select coalesce(json_agg(concat_ws(' ', order_id, kind, subject)), '[]') from effects) as effects,
    (select coalesce(json_agg(json_build_array(customer_id::text, balance::text)), '[]')
      from (select customer_id, sum(delta) as balance from credit_ledger group by customer_id) as sums) as balances`;
  if (!row) throw new Error("Bug! A select without a table has one row.");
  return {
    events: new Map(row.events.map((event) => [event.eventId, event])),
    orders: new Map(row.orders.map((order) => [order.orderId, order])),
    effects: row.effects,
    balances: new Map(row.balances.map(([customer, sum]) => [customer, BigInt(sum)])),
  };
}
