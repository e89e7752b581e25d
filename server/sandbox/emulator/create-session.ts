import { buildSession } from "./build-session.ts";
import { buildPrice, buildProduct } from "./build-catalog.ts";
import { buildLineItems, checkAmount, type ItemGiven } from "./line-items.ts";
import type { Coupon, Metadata, Session } from "./objects.ts";
import { missing, StripeErrorAnswer } from "./stripe-error.ts";
import type { World } from "./world.ts";

const LINE_ITEMS_MAX = 100;
const EXPIRES_SECONDS_MIN = 30 * 60;
const EXPIRES_SECONDS_MAX = 24 * 60 * 60;

export type LineItemGiven = { quantity: number } & (
  | { price: string }
  | {
      priceData: { currency: string; unitAmount: number } & (
        | { product: string }
        | { productName: string; productMetadata: Metadata }
      );
    }
);

export interface CreateSessionOptions {
  account: string;
  lineItems: readonly LineItemGiven[];
  metadata: Metadata;
  paymentIntentMetadata: Metadata;
  customer: string | null;
  customerCreation: "always" | "if_required" | null;
  customerEmail: string | null;
  clientReferenceId: string | null;
  couponId: string | null;
  successUrl: string | null;
  cancelUrl: string | null;
  expiresAt: number | null;
  /** Where a person reads how to pay it here. */
  payAddress: (sessionId: string) => string;
  /** Only a test picks an id. */
  id?: string | undefined;
}

/** Makes an open session, as `POST /v1/checkout/sessions` does. Throws Stripe's errors for what it cannot sell. */
export async function createSession(world: World, options: CreateSessionOptions): Promise<Session> {
  const { account } = options;
  if (options.lineItems.length > LINE_ITEMS_MAX) {
    throw new StripeErrorAnswer(`Array line_items exceeded maximum ${LINE_ITEMS_MAX} allowed elements.`, {
      param: "line_items",
    });
  }
  if (options.customer !== null && !(await world.store.get("customer", { account, id: options.customer }))) {
    throw missing("customer", options.customer, "customer");
  }
  const coupon = await couponOf(world, options);
  const items: ItemGiven[] = [];
  for (const [index, given] of options.lineItems.entries()) {
    items.push(await itemOf(world, given, { account, param: `line_items[${index}]` }));
  }
  const currency = currencyOf(items);
  const lineItems = buildLineItems(items, { newId: world.newId, coupon });
  const total = lineItems.reduce((sum, item) => sum + item.amount_total, 0);
  checkAmount(total, { currency, param: "line_items" });
  checkExpiry(options.expiresAt, world.nowSeconds());

  const id = options.id ?? world.newId("cs_test", 58);
  const stamp = { id, created: world.nowSeconds(), payAddress: options.payAddress(id) };
  const session = buildSession(stamp, { ...options, lineItems, currency });
  await world.store.put("checkout.session", account, session);
  return session;
}

async function couponOf(world: World, { account, couponId }: CreateSessionOptions): Promise<Coupon | null> {
  if (couponId === null) return null;
  const coupon = await world.store.get("coupon", { account, id: couponId });
  if (!coupon) throw missing("coupon", couponId, "discounts[0][coupon]");
  return coupon;
}

async function itemOf(
  world: World,
  given: LineItemGiven,
  { account, param }: { account: string; param: string },
): Promise<ItemGiven> {
  if ("price" in given) {
    const price = await world.store.get("price", { account, id: given.price });
    if (!price) throw missing("price", given.price, `${param}[price]`);
    const product = await world.store.get("product", { account, id: price.product });
    if (!product) throw missing("product", price.product, `${param}[price]`);
    return { price, product, quantity: given.quantity };
  }
  const { priceData } = given;
  checkAmount(priceData.unitAmount, {
    currency: priceData.currency,
    param: `${param}[price_data][unit_amount]`,
  });
  const created = world.nowSeconds();
  const product =
    "product" in priceData
      ? await world.store.get("product", { account, id: priceData.product })
      : buildProduct(
          { id: world.newId("prod", 14), created },
          { name: priceData.productName, metadata: priceData.productMetadata },
        );
  if (!product) throw missing("product", "product" in priceData ? priceData.product : "", param);
  const price = buildPrice(
    { id: world.newId("price"), created },
    { product: product.id, currency: priceData.currency, unitAmount: priceData.unitAmount, metadata: {} },
  );
  await world.store.put("product", account, product);
  await world.store.put("price", account, price);
  return { price, product, quantity: given.quantity };
}

function currencyOf(items: readonly ItemGiven[]): string {
  const currencies = [...new Set(items.map((item) => item.price.currency))];
  const [currency] = currencies;
  if (currency === undefined || currencies.length > 1) {
    throw new StripeErrorAnswer("All line items must have one and the same currency.", {
      param: "line_items",
    });
  }
  return currency;
}

function checkExpiry(expiresAt: number | null, nowSeconds: number): void {
  if (expiresAt === null) return;
  const lifeSeconds = expiresAt - nowSeconds;
  if (lifeSeconds < EXPIRES_SECONDS_MIN || lifeSeconds > EXPIRES_SECONDS_MAX) {
    throw new StripeErrorAnswer(
      "The expires_at timestamp must be between 30 minutes and 24 hours from Checkout Session creation.",
      { param: "expires_at" },
    );
  }
}
