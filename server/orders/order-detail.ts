import { asc, eq, sql } from "drizzle-orm";
import type { OrderDetail, PaymentView } from "#shared/desk-views.ts";
import type { Db, Tx } from "../db/client.ts";
import { readEffectsOfOrder } from "../db/effect-views.ts";
import { creditLedger } from "../db/schema/credit-ledger.ts";
import { customers } from "../db/schema/customers.ts";
import { orders } from "../db/schema/orders.ts";
import { payments } from "../db/schema/payments.ts";
import { DomainError } from "../errors.ts";
import { orderRowColumns, withCustomer } from "./order-row.ts";

const SHOWN_MAX = 100;

/**
 * Everything on record about one order but its events, as it was at one moment. Throws DomainError `order_unknown`.
 */
export async function readOrderDetail(db: Db, orderId: string): Promise<Omit<OrderDetail, "events">> {
  return await db.transaction(
    async (tx) => {
      const { now, customerId, ...order } = await readOrder(tx, orderId);
      return {
        now,
        order,
        payments: await readPayments(tx, orderId),
        effects: await readEffectsOfOrder(tx, orderId),
        balance: customerId === null ? null : await readBalance(tx, customerId),
      };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

async function readOrder(tx: Tx, orderId: string) {
  const [found] = await tx
    .select({
      ...orderRowColumns,
      checkoutSessionId: orders.checkoutSessionId,
      version: orders.version,
      amountSubtotalMinor: orders.amountSubtotal,
      presentmentAmount: orders.presentmentAmount,
      presentmentCurrency: orders.presentmentCurrency,
      customerId: orders.customerId,
      now: sql<Date>`now()`.mapWith(orders.createdAt),
    })
    .from(orders)
    .leftJoin(customers, eq(customers.customerId, orders.customerId))
    .where(eq(orders.orderId, orderId));
  if (!found) throw new DomainError("order_unknown");
  const { presentmentAmount: amountMinor, presentmentCurrency: currency, ...order } = withCustomer(found);
  const presentment = amountMinor === null || currency === null ? null : { amountMinor, currency };
  return { ...order, presentment };
}

async function readPayments(tx: Tx, orderId: string): Promise<PaymentView[]> {
  return await tx
    .select({
      paymentId: payments.paymentId,
      checkoutSessionId: payments.checkoutSessionId,
      paymentIntentId: payments.paymentIntentId,
      chargeId: payments.chargeId,
      amountMinor: payments.amount,
      currency: payments.currency,
      grants: payments.grants,
      paidAt: payments.paidAt,
      createdAt: payments.createdAt,
    })
    .from(payments)
    .where(eq(payments.orderId, orderId))
    .orderBy(asc(payments.createdAt), asc(payments.paymentId))
    .limit(SHOWN_MAX);
}

async function readBalance(tx: Tx, customerId: bigint): Promise<bigint> {
  const [row] = await tx
    .select({ balance: sql<bigint>`coalesce(sum(${creditLedger.delta}), 0)::text`.mapWith(BigInt) })
    .from(creditLedger)
    .where(eq(creditLedger.customerId, customerId));
  return row?.balance ?? 0n;
}
