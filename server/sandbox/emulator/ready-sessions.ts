import { buildCoupon, buildCustomer, buildPrice, buildProduct } from "./build-catalog.ts";
import { expireSession, paySession, settleSession } from "./checkout.ts";
import { createSession } from "./create-session.ts";
import type { Metadata, Session } from "./objects.ts";
import { byBuyer, type DeliverOptions, type World } from "./world.ts";

export interface ReadyItem {
  /** In minor units; 4900 if absent. */
  unitAmount?: number;
  quantity?: number;
  /** Credits in the price's metadata; 40 if absent, none if null. */
  credits?: number | null;
  priceMetadata?: Metadata;
  productMetadata?: Metadata;
  /** A price made before, instead of one of this item's own. */
  priceId?: string;
}

/**
 * - `open`: made, not paid. - `paid`: by card. - `unpaid`: complete, a transfer is on its way.
 * - `settled`: a transfer that arrived. - `failed`: a transfer that did not. - `free`: a 100 % coupon.
 * - `expired`: abandoned.
 */
export type ReadyState = "open" | "paid" | "unpaid" | "settled" | "failed" | "free" | "expired";

export interface ReadySessionOptions {
  state?: ReadyState;
  /** One item of 49.00 and 40 credits if absent. */
  items?: readonly ReadyItem[];
  /** `chf` if absent. */
  currency?: string;
  metadata?: Metadata;
  /** Of payment intent and charge; none if absent, since Stripe copies nothing there. */
  paymentIntentMetadata?: Metadata;
  clientReferenceId?: string;
  /** `new`: a customer of Stripe's is made. Absent: a guest. */
  customer?: "new" | { id: string };
  email?: string;
  /** The connected account it belongs to. */
  account?: string;
  /** What Adaptive Pricing showed the buyer. */
  presentment?: { amount: number; currency: string };
  /** Made by a Payment Link. */
  paymentLink?: string;
  id?: string;
  /** Whether the events it goes through are sent; not if absent. */
  deliver?: DeliverOptions | false;
}

export interface ReadySession {
  sessionId: string;
  paymentIntentId: string | null;
  chargeId: string | null;
  customerId: string | null;
  /** One for each item. */
  priceIds: string[];
  productIds: string[];
}

/** Makes a session in a state with one call, through the acts that lead to it. */
export async function readySession(world: World, options: ReadySessionOptions): Promise<ReadySession> {
  const { state = "paid", items = [{}], currency = "chf", account = "" } = options;
  const made = { account, created: world.nowSeconds() };
  const priceIds: string[] = [];
  for (const item of items)
    priceIds.push(item.priceId ?? (await readyPrice(world, item, { ...made, currency })));
  const session = await createSession(world, {
    account,
    lineItems: items.map((item, index) => ({ price: priceIds[index] ?? "", quantity: item.quantity ?? 1 })),
    metadata: options.metadata ?? {},
    paymentIntentMetadata: options.paymentIntentMetadata ?? {},
    customer: await readyCustomer(world, options, made),
    customerCreation: null,
    customerEmail: options.email ?? "buyer@example.test",
    clientReferenceId: options.clientReferenceId ?? null,
    couponId: state === "free" ? await freeCoupon(world, made) : null,
    successUrl: null,
    cancelUrl: null,
    expiresAt: null,
    payAddress: () => "https://checkout.example.test",
    id: options.id,
  });
  await world.store.put("checkout.session", account, withMarks(session, options));
  await bring(world, session.id, { state, account, deliver: options.deliver ?? false });
  return await summary(world, { sessionId: session.id, account, priceIds });
}

async function bring(
  world: World,
  sessionId: string,
  { state, account, deliver }: { state: ReadyState; account: string; deliver: DeliverOptions | false },
): Promise<void> {
  const origin = byBuyer(account, deliver);
  switch (state) {
    case "open":
      return;
    case "expired":
      await expireSession(world, { sessionId }, origin);
      return;
    case "paid":
      await paySession(world, { sessionId, method: "card" }, origin);
      return;
    case "free":
      await paySession(world, { sessionId, method: "free" }, origin);
      return;
    case "unpaid":
    case "settled":
    case "failed":
      await paySession(world, { sessionId, method: "bank_transfer" }, origin);
      if (state !== "unpaid") await settleSession(world, { sessionId, fails: state === "failed" }, origin);
  }
}

async function readyPrice(
  world: World,
  item: ReadyItem,
  { account, created, currency }: { account: string; created: number; currency: string },
): Promise<string> {
  const credits = item.credits === undefined ? 40 : item.credits;
  const product = buildProduct(
    { id: world.newId("prod", 14), created },
    {
      name: credits === null ? "Something else" : `${credits} credits`,
      metadata: item.productMetadata ?? {},
    },
  );
  const price = buildPrice(
    { id: world.newId("price"), created },
    {
      product: product.id,
      currency,
      unitAmount: item.unitAmount ?? 4900,
      metadata: { ...(credits !== null && { credits: String(credits) }), ...item.priceMetadata },
    },
  );
  await world.store.put("product", account, product);
  await world.store.put("price", account, price);
  return price.id;
}

async function readyCustomer(
  world: World,
  { customer, email }: ReadySessionOptions,
  { account, created }: { account: string; created: number },
): Promise<string | null> {
  if (customer === undefined) return null;
  if (customer !== "new") return customer.id;
  const made = buildCustomer({ id: world.newId("cus", 14), created }, { email: email ?? null, metadata: {} });
  await world.store.put("customer", account, made);
  return made.id;
}

async function freeCoupon(
  world: World,
  { account, created }: { account: string; created: number },
): Promise<string> {
  const given = { percentOff: 100, amountOff: null, currency: null, metadata: {} };
  const coupon = buildCoupon({ id: world.newId("gift", 8), created }, given);
  await world.store.put("coupon", account, coupon);
  return coupon.id;
}

function withMarks(session: Session, { presentment, paymentLink }: ReadySessionOptions): Session {
  return {
    ...session,
    ...(paymentLink !== undefined && { payment_link: paymentLink }),
    ...(presentment && {
      presentment_details: {
        presentment_amount: presentment.amount,
        presentment_currency: presentment.currency,
      },
    }),
  };
}

async function summary(
  world: World,
  { sessionId, account, priceIds }: { sessionId: string; account: string; priceIds: string[] },
): Promise<ReadySession> {
  const session = await world.store.get("checkout.session", { account, id: sessionId });
  const paymentIntentId = session?.payment_intent ?? null;
  const intent = paymentIntentId
    ? await world.store.get("payment_intent", { account, id: paymentIntentId })
    : null;
  const productIds: string[] = [];
  for (const id of priceIds) {
    const price = await world.store.get("price", { account, id });
    if (price) productIds.push(price.product);
  }
  return {
    sessionId,
    paymentIntentId,
    chargeId: intent?.latest_charge ?? null,
    customerId: session?.customer ?? null,
    priceIds,
    productIds,
  };
}
