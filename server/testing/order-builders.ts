import { sql } from "drizzle-orm";
import type { PgInsertValue } from "drizzle-orm/pg-core";
import { findOrCreateCustomer } from "../customers/find-or-create.ts";
import { bookCredits } from "../credits/book.ts";
import type { Db } from "../db/client.ts";
import { orders } from "../db/schema/orders.ts";
import { createEffect } from "../effects/create.ts";
import { recordPayment } from "../payments/record.ts";
import { nextNumber } from "./builders.ts";

export type OrderOverrides = Partial<PgInsertValue<typeof orders>> & {
  orderId?: string;
  /** The shop's user whom it credits. */
  user?: string;
  credits?: bigint;
  /** How long ago it was first seen. */
  ageSeconds?: number;
};

export interface BuiltOrder {
  orderId: string;
  checkoutSessionId: string;
  paymentIntentId: string;
  chargeId: string;
  /** The event that its effect names; made here only as a name. */
  eventId: string;
}

/** The reference of a user whom no other order of this process credits. */
export function nextUser(): string {
  return `user_${nextNumber()}`;
}

/** An order that is paid and has its one grant, as fulfilment leaves it. */
export async function grantedOrder(db: Db, overrides: OrderOverrides = {}): Promise<BuiltOrder> {
  const order = await paidOrder(db, overrides);
  await grant(db, order, overrides);
  return order;
}

/** An order that is paid and has no grant: what must never stay so. */
export async function paidOrder(db: Db, overrides: OrderOverrides = {}): Promise<BuiltOrder> {
  const order = await placedOrder(db, { state: "paid", paidAt: sql`now()`, ...overrides });
  await db.transaction((tx) =>
    recordPayment(tx, {
      paymentId: order.paymentIntentId,
      orderId: order.orderId,
      checkoutSessionId: order.checkoutSessionId,
      paymentIntentId: order.paymentIntentId,
      chargeId: order.chargeId,
      amount: 1900n,
      currency: "eur",
      grants: true,
      paidAt: null,
    }),
  );
  return order;
}

/** An order that nobody has paid, with a grant all the same: what must never be. */
export async function unpaidOrderWithGrant(db: Db, overrides: OrderOverrides = {}): Promise<BuiltOrder> {
  const order = await placedOrder(db, { state: "expired", ...overrides });
  await grant(db, order, overrides);
  return order;
}

/** An order as it first becomes known, waiting for its money. */
export async function placedOrder(db: Db, overrides: OrderOverrides = {}): Promise<BuiltOrder> {
  const number = nextNumber();
  const { ageSeconds = 0, user = nextUser(), ...columns } = overrides;
  const orderId = columns.orderId ?? `order_${number}`;
  const checkoutSessionId = `cs_test_${number}`;
  await db.transaction(async (tx) => {
    const customerId = await findOrCreateCustomer(tx, { account: "", kind: "user", ref: user });
    await tx.insert(orders).values({
      checkoutSessionId,
      state: "awaiting_payment",
      currency: "eur",
      amountSubtotal: 1900n,
      amountTotal: 1900n,
      credits: 100n,
      customerId,
      version: 1n,
      createdAt: sql`now() - make_interval(secs => ${ageSeconds})`,
      ...columns,
      orderId,
    });
  });
  return {
    orderId,
    checkoutSessionId,
    paymentIntentId: `pi_${number}`,
    chargeId: `ch_${number}`,
    eventId: `evt_of_${orderId}`,
  };
}

async function grant(db: Db, { orderId, eventId }: BuiltOrder, { credits = 100n }: OrderOverrides) {
  await db.transaction(async (tx) => {
    const [order] = await tx
      .select({ customerId: orders.customerId })
      .from(orders)
      .where(sql`order_id = ${orderId}`);
    const effectId = await createEffect(tx, {
      orderId,
      kind: "grant_credits",
      subject: "",
      eventId,
      attempt: 1,
    });
    if (!order?.customerId || effectId === null) throw new Error("Bug! The order could not be granted.");
    await bookCredits(tx, { customerId: order.customerId, orderId, effectId, delta: credits });
  });
}
