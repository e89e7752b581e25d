import { sql } from "drizzle-orm";
import { PAID_ORDER_STATES } from "#shared/order-state.ts";
import type { OrderRow } from "#shared/desk-views.ts";
import { sqlList } from "../db/columns.ts";
import { creditLedger } from "../db/schema/credit-ledger.ts";
import { customers } from "../db/schema/customers.ts";
import { effects } from "../db/schema/effects.ts";
import { orders } from "../db/schema/orders.ts";
import { payments } from "../db/schema/payments.ts";

const isPaid = sql`(${orders.state} in (${sql.raw(sqlList(PAID_ORDER_STATES))}))`;

/** 1 for an order whose money has arrived, else 0: how many grants it must have. */
export const grantsExpected = sql<number>`${isPaid}::int`;

const grantsActual = sql<number>`(select count(*)::int from ${effects}
  where ${effects.orderId} = ${orders.orderId} and ${effects.kind} = 'grant_credits')`;

/**
 * The product's invariant, broken: a paid order without its grant, or a grant for an order nobody paid. A second grant
 * of an order cannot be, by the unique key on effects. Asked as EXISTS, so that the planner may hash the grants once
 * for a count, and look them up one by one for a page.
 */
export const isNotExactlyOne = sql`(${isPaid} is distinct from exists (select from ${effects}
  where ${effects.orderId} = ${orders.orderId} and ${effects.kind} = 'grant_credits'))`;

/** The columns that make an OrderRow, for a select that joins the customer. Sums are taken for the rows shown only. */
export const orderRowColumns = {
  orderId: orders.orderId,
  account: orders.account,
  state: orders.state,
  currency: orders.currency,
  amountTotalMinor: orders.amountTotal,
  creditsExpected: orders.credits,
  customerKind: customers.kind,
  customerRef: customers.ref,
  createdAt: orders.createdAt,
  paidAt: orders.paidAt,
  grantsExpected,
  grantsActual,
  creditsGranted: sql<bigint>`(select coalesce(sum(${creditLedger.delta}), 0)::text from ${creditLedger}
    where ${creditLedger.orderId} = ${orders.orderId})`.mapWith(BigInt),
  paymentCount: sql<number>`(select count(*)::int from ${payments} where ${payments.orderId} = ${orders.orderId})`,
};

interface SelectedOrder {
  customerKind: NonNullable<OrderRow["customer"]>["kind"] | null;
  customerRef: string | null;
}

/** Puts the joined customer where the desk looks for it. */
export function withCustomer<Row extends SelectedOrder>({ customerKind, customerRef, ...row }: Row) {
  const customer =
    customerKind === null || customerRef === null ? null : { kind: customerKind, ref: customerRef };
  return { ...row, customer };
}
