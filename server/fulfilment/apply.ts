import { eq, sql } from "drizzle-orm";
import { settleDead, settleProcessed } from "../claims/settle.ts";
import type { Claim } from "../claims/take.ts";
import { bookCredits } from "../credits/book.ts";
import { findOrCreateCustomer } from "../customers/find-or-create.ts";
import type { Tx } from "../db/client.ts";
import { orders } from "../db/schema/orders.ts";
import { createEffect } from "../effects/create.ts";
import { recordPayment } from "../payments/record.ts";
import type { Decision, EventEnd, OrderTarget } from "./decide.ts";
import type { OrderReading } from "./read.ts";

/** The claim was lost: a successor holds the event. The transaction must be rolled back whole. */
export class ClaimLost extends Error {
  override name = "ClaimLost";
}

/** The order was written by somebody else since it was read: what was read may be stale. Read again. */
export class OrderMoved extends Error {
  override name = "OrderMoved";
}

/** What Stripe says contradicts what is on record here. Only a person can tell which is right. */
export class OrderMismatch extends Error {
  override name = "OrderMismatch";
}

/**
 * Writes a decision and settles its event, all or nothing. Locks the order first and the event last, the order of
 * everyone who takes both. Throws OrderMoved, OrderMismatch or ClaimLost, and then nothing may be kept.
 */
export async function applyDecision(
  tx: Tx,
  claim: Claim,
  { decision, reading }: { decision: Exclude<Decision, { act: "wait" }>; reading: OrderReading },
): Promise<void> {
  if (decision.act === "ignore") {
    const orderId = decision.end.status === "dead" ? reading.orderId : null;
    return await settle(tx, claim, { end: decision.end, orderId });
  }
  await lockOrder(tx, reading);
  const customerId = decision.order ? await writeOrder(tx, decision.order, reading) : null;
  // The partial unique index on granting payments refuses a second one, should all else fail.
  if (decision.payment && !(await recordPayment(tx, { ...decision.payment, orderId: decision.orderId }))) {
    throw new OrderMismatch(
      `Payment ${decision.payment.paymentId} belongs to another order than ${decision.orderId}.`,
    );
  }
  if (decision.grant !== null) {
    if (customerId === null) throw new Error("Bug! A grant without a customer.");
    await grantCredits(tx, claim, { orderId: decision.orderId, customerId, credits: decision.grant });
  }
  await tx
    .update(orders)
    .set({ version: sql`${orders.version} + 1` })
    .where(eq(orders.orderId, decision.orderId));
  await settle(tx, claim, { end: decision.end, orderId: decision.orderId });
}

/** Inserts the order if it is new, locks it, and makes sure that it is still what was read. */
async function lockOrder(tx: Tx, { orderId, before, now }: OrderReading): Promise<void> {
  if (before === null) {
    await tx.insert(orders).values({ orderId, account: now.account }).onConflictDoNothing();
  }
  const [locked] = await tx
    .select({ version: orders.version })
    .from(orders)
    .where(eq(orders.orderId, orderId))
    .for("update");
  // Each write raises the version, and a row just inserted has 0: what nobody has written yet.
  if (locked?.version !== (before?.version ?? 0n)) {
    throw new OrderMoved(
      `Order ${orderId} moved from version ${before?.version ?? 0n} to ${locked?.version}.`,
    );
  }
}

async function writeOrder(tx: Tx, target: OrderTarget, { orderId, now }: OrderReading): Promise<bigint> {
  const { beneficiary, paidAt, ...columns } = target;
  const customerId = await findOrCreateCustomer(tx, { account: now.account, ...beneficiary });
  const isPaid = target.state === "paid";
  await tx
    .update(orders)
    .set({ ...columns, customerId, paidAt: isPaid ? (paidAt ?? sql`now()`) : null })
    .where(eq(orders.orderId, orderId));
  return customerId;
}

async function grantCredits(
  tx: Tx,
  claim: Claim,
  { orderId, customerId, credits }: { orderId: string; customerId: bigint; credits: bigint },
): Promise<void> {
  const effectId = await createEffect(tx, {
    orderId,
    kind: "grant_credits",
    subject: "",
    eventId: claim.eventId,
    attempt: claim.attempt,
  });
  // The order's version did not move, so whoever made that effect went around fulfilment.
  if (effectId === null) throw new Error(`Bug! Order ${orderId} has a grant but no granting payment.`);
  await bookCredits(tx, { customerId, orderId, effectId, delta: credits });
}

async function settle(
  tx: Tx,
  claim: Claim,
  { end, orderId }: { end: EventEnd; orderId: string | null },
): Promise<void> {
  const isHeld =
    end.status === "processed"
      ? await settleProcessed(tx, claim, { outcome: end.outcome, orderId })
      : await settleDead(tx, claim, { code: end.code, message: end.message, orderId });
  if (!isHeld) throw new ClaimLost(`Attempt ${claim.attempt} at ${claim.eventId} no longer holds its claim.`);
}
