import { and, eq } from "drizzle-orm";
import type { OrderState } from "#shared/order-state.ts";
import { creditsOfPrice, readCatalog } from "../catalog/credits-of-price.ts";
import type { Db } from "../db/client.ts";
import { orders } from "../db/schema/orders.ts";
import { payments } from "../db/schema/payments.ts";
import { type CheckoutSession, readCheckoutSession, type StripeReader } from "../stripe/checkout-session.ts";
import { UnreadableAnswer } from "../stripe/errors.ts";
import { orderIdOf } from "./identity.ts";

export interface PricedItem {
  priceId: string | null;
  quantity: number;
  /** What one is worth; null if nobody says, `unreadable` if somebody says what is no whole number. */
  credits: bigint | "unreadable" | null;
}

/** An order as Stripe has it now. */
export interface StripeOrder {
  account: string;
  session: CheckoutSession;
  items: PricedItem[];
}

/** Our row of the order before this event. Stands and falls with `version`. */
export interface OrderBefore {
  version: bigint;
  account: string;
  state: OrderState;
  checkoutSessionId: string | null;
  /** The payment that granted its credits; null while none has. */
  grantingPaymentId: string | null;
}

export interface OrderReading {
  orderId: string;
  /** Null: there was no row. */
  before: OrderBefore | null;
  now: StripeOrder;
}

/**
 * Reads an order for a decision: first our row with its version, *then* Stripe. In this order a row that has not
 * moved by the time of the write proves that nothing newer was written since Stripe was asked.
 *
 * Which order a session belongs to is only known once it is read, so the first look goes by the hint the payload
 * gave; if the session says otherwise, both are read again, now for the right order.
 */
export async function readOrder(
  reader: StripeReader,
  options: { sessionId: string; account: string; orderIdHint: string | null; deadline: Date },
): Promise<OrderReading> {
  let orderId = options.orderIdHint ?? options.sessionId;
  for (let tries = 0; tries < 2; tries++) {
    const before = await readOrderBefore(reader.db, orderId);
    const session = await readCheckoutSession(reader, options);
    if (orderIdOf(session) === orderId) {
      const items = await priceItems(reader.db, session);
      return { orderId, before, now: { account: options.account, session, items } };
    }
    orderId = orderIdOf(session);
  }
  throw new UnreadableAnswer(`Session ${options.sessionId} changed its order id while it was read.`);
}

async function readOrderBefore(db: Db, orderId: string): Promise<OrderBefore | null> {
  const [row] = await db
    .select({
      version: orders.version,
      account: orders.account,
      state: orders.state,
      checkoutSessionId: orders.checkoutSessionId,
      grantingPaymentId: payments.paymentId,
    })
    .from(orders)
    // At most one row joins: an order has one granting payment, by a partial unique index.
    .leftJoin(payments, and(eq(payments.orderId, orders.orderId), eq(payments.grants, true)))
    .where(eq(orders.orderId, orderId));
  return row ?? null;
}

async function priceItems(db: Db, session: CheckoutSession): Promise<PricedItem[]> {
  const priceIds = session.lineItems.flatMap((item) => (item.price ? [item.price.id] : []));
  const catalog = await readCatalog(db, priceIds);
  return session.lineItems.map(({ id, price, quantity }) => {
    const credits = price
      ? creditsOfPrice(catalog.get(price.id), { price: price.metadata, product: price.product?.metadata })
      : null;
    if (typeof credits === "bigint" && (quantity === null || quantity === undefined)) {
      throw new UnreadableAnswer(`Line item ${id} of session ${session.id} came without a quantity.`);
    }
    return { priceId: price?.id ?? null, quantity: quantity ?? 0, credits };
  });
}
