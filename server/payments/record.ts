import { eq, sql } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { payments } from "../db/schema/payments.ts";

export interface PaymentRecord {
  paymentId: string;
  orderId: string;
  checkoutSessionId: string;
  paymentIntentId: string | null;
  chargeId: string | null;
  amount: bigint | null;
  currency: string | null;
  grants: boolean;
  paidAt: Date | null;
}

/**
 * Records a payment, or what is newly known of it. The caller holds the order's lock; a second granting payment of
 * an order is refused by the partial unique index whatever the caller thinks.
 *
 * False if the payment belongs to another order: then nothing was written. Metadata can be edited in Stripe after the
 * fact, and one payment must not grant two orders.
 */
export async function recordPayment(tx: Tx, payment: PaymentRecord): Promise<boolean> {
  const written = await tx
    .insert(payments)
    .values({ ...payment, paidAt: payment.paidAt ?? sql`now()` })
    .onConflictDoUpdate({
      target: payments.paymentId,
      set: {
        chargeId: sql`coalesce(excluded.charge_id, ${payments.chargeId})`,
        amount: sql`coalesce(excluded.amount, ${payments.amount})`,
        currency: sql`coalesce(excluded.currency, ${payments.currency})`,
        paidAt: payment.paidAt ?? payments.paidAt,
        // A payment that once granted does so for ever.
        grants: sql`${payments.grants} or excluded.grants`,
      },
      setWhere: eq(payments.orderId, payment.orderId),
    })
    .returning({ paymentId: payments.paymentId });
  return written.length === 1;
}
