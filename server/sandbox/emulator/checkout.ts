import {
  buildCharge,
  buildPaymentIntent,
  failed,
  methodType,
  type PaymentMethod,
  succeeded,
} from "./build-payment.ts";
import { buyerDetails, shownSession } from "./build-session.ts";
import { buildCustomer } from "./build-catalog.ts";
import type { Customer, Session } from "./objects.ts";
import { missing, StripeErrorAnswer } from "./stripe-error.ts";
import type { Occurrence, Origin, World } from "./world.ts";

export interface PayOptions {
  sessionId: string;
  /** `free` is for a total of zero, where Checkout asks for no payment. */
  method: PaymentMethod | "free";
  email?: string | undefined;
}

/**
 * The buyer submits the checkout. By card the session ends paid; by bank transfer it ends complete and unpaid,
 * with a payment that is processing; a total of zero needs no payment and has no payment intent.
 *
 * Throws if the session is not open, or if the method does not fit its total.
 */
export function paySession(world: World, options: PayOptions, origin: Origin): Promise<Session> {
  return world.inTurn(async () => {
    const session = await sessionOrFail(world, options.sessionId, origin.account);
    mustBe(session, "open", "paid");
    const isFree = session.amount_total === 0;
    if (isFree !== (options.method === "free")) {
      throw new StripeErrorAnswer(
        isFree
          ? "This session's total is 0: pay it with method free."
          : "This session's total is not 0: pay it with method card or bank_transfer.",
        { param: "method" },
      );
    }
    const email = options.email ?? session.customer_email;
    const { customer, occurrences } = await customerOf(world, session, { email, account: origin.account });
    const complete: Session = {
      ...session,
      status: "complete",
      customer,
      customer_details: buyerDetails(email),
      url: null,
      payment_status: options.method === "card" ? "paid" : isFree ? "no_payment_required" : "unpaid",
    };
    const paid =
      options.method === "free"
        ? { session: complete, occurrences: [] }
        : await startPayment(world, complete, { method: options.method, email, account: origin.account });
    await world.store.put("checkout.session", origin.account, paid.session);
    await world.emit(
      [
        ...occurrences,
        ...paid.occurrences,
        { type: "checkout.session.completed", object: shownSession(paid.session) },
      ],
      origin,
    );
    return paid.session;
  });
}

async function startPayment(
  world: World,
  session: Session,
  { method, email, account }: { method: PaymentMethod; email: string | null; account: string },
): Promise<{ session: Session; occurrences: Occurrence[] }> {
  const stamp = {
    paymentIntentId: world.newId("pi"),
    // Stripe calls the charge of anything but a card a payment, and so does its id.
    chargeId: world.newId(method === "card" ? "ch" : "py"),
    created: world.nowSeconds(),
    method,
    email,
  };
  const intent = buildPaymentIntent(session, stamp);
  const charge = buildCharge(session, stamp);
  await world.store.put("payment_intent", account, intent);
  await world.store.put("charge", account, charge);
  const created = { ...intent, status: "requires_payment_method", latest_charge: null, amount_received: 0 };
  return {
    session: { ...session, payment_intent: intent.id, payment_method_types: [methodType(method)] },
    occurrences: [
      { type: "payment_intent.created", object: created },
      ...(method === "card"
        ? [
            { type: "charge.succeeded", object: charge },
            { type: "payment_intent.succeeded", object: intent },
          ]
        : [
            { type: "charge.pending", object: charge },
            { type: "payment_intent.processing", object: intent },
          ]),
    ],
  };
}

/**
 * The bank answers a delayed payment: the money arrived, or with `fails` it never will. Throws unless the session
 * is complete and its payment still processing.
 */
export function settleSession(
  world: World,
  options: { sessionId: string; fails: boolean },
  origin: Origin,
): Promise<Session> {
  return world.inTurn(async () => {
    const { account } = origin;
    const session = await sessionOrFail(world, options.sessionId, account);
    const intent = session.payment_intent
      ? await world.store.get("payment_intent", { account, id: session.payment_intent })
      : null;
    const charge = intent?.latest_charge
      ? await world.store.get("charge", { account, id: intent.latest_charge })
      : null;
    if (session.status !== "complete" || intent?.status !== "processing" || !charge) {
      throw new StripeErrorAnswer(`Session ${session.id} has no delayed payment that is still processing.`);
    }
    const [intentAfter, chargeAfter] = (options.fails ? failed : succeeded)(intent, charge);
    const after: Session = { ...session, payment_status: options.fails ? "unpaid" : "paid" };
    await world.store.put("charge", account, chargeAfter);
    await world.store.put("payment_intent", account, intentAfter);
    await world.store.put("checkout.session", account, after);
    await world.emit(
      [
        { type: options.fails ? "charge.failed" : "charge.succeeded", object: chargeAfter },
        {
          type: options.fails ? "payment_intent.payment_failed" : "payment_intent.succeeded",
          object: intentAfter,
        },
        {
          type: `checkout.session.async_payment_${options.fails ? "failed" : "succeeded"}`,
          object: shownSession(after),
        },
      ],
      origin,
    );
    return after;
  });
}

/** Ends a session that nobody paid. Throws unless it is open, as Stripe does. */
export function expireSession(
  world: World,
  { sessionId }: { sessionId: string },
  origin: Origin,
): Promise<Session> {
  return world.inTurn(async () => {
    const session = await sessionOrFail(world, sessionId, origin.account);
    mustBe(session, "open", "expired");
    const after: Session = { ...session, status: "expired", url: null };
    await world.store.put("checkout.session", origin.account, after);
    await world.emit([{ type: "checkout.session.expired", object: shownSession(after) }], origin);
    return after;
  });
}

export async function sessionOrFail(world: World, id: string, account: string): Promise<Session> {
  const session = await world.store.get("checkout.session", { account, id });
  if (!session) throw missing("checkout.session", id, "session");
  return session;
}

function mustBe(session: Session, status: Session["status"], verb: string): void {
  if (session.status === status) return;
  throw new StripeErrorAnswer(
    `Only Checkout Sessions with a status in ["${status}"] can be ${verb}. This one is ${session.status}.`,
  );
}

/** Checkout makes a customer only if it was asked to; everybody else stays a guest. */
async function customerOf(
  world: World,
  session: Session,
  { email, account }: { email: string | null; account: string },
): Promise<{ customer: string | null; occurrences: Occurrence[] }> {
  if (session.customer !== null || session.customer_creation !== "always") {
    return { customer: session.customer, occurrences: [] };
  }
  const stamp = { id: world.newId("cus", 14), created: world.nowSeconds() };
  const customer: Customer = buildCustomer(stamp, { email, metadata: {} });
  await world.store.put("customer", account, customer);
  return { customer: customer.id, occurrences: [{ type: "customer.created", object: customer }] };
}
