import type Stripe from "stripe";

/** What the sample shop sells. Amounts are in the currency's minor unit, as Stripe counts it. */
export interface Package {
  key: string;
  name: string;
  currency: string;
  unitAmount: number;
  /** Null: a price that nobody has said the credits of. */
  credits: number | null;
  /** Stripe's catalog can say it on either; shops do both. */
  creditsOn: "price" | "product";
}

export const PACKAGES = [
  { key: "small", name: "40 credits", currency: "chf", unitAmount: 4900, credits: 40, creditsOn: "price" },
  {
    key: "large",
    name: "100 credits",
    currency: "eur",
    unitAmount: 8900,
    credits: 100,
    creditsOn: "product",
  },
  // Yen have no minor unit, dinars have three decimals: a desk that divides by 100 shows both wrong.
  {
    key: "tokyo",
    name: "250 credits",
    currency: "jpy",
    unitAmount: 28_000,
    credits: 250,
    creditsOn: "price",
  },
  { key: "kuwait", name: "15 credits", currency: "kwd", unitAmount: 4500, credits: 15, creditsOn: "price" },
  {
    key: "gift",
    name: "20 welcome credits",
    currency: "chf",
    unitAmount: 2500,
    credits: 20,
    creditsOn: "price",
  },
  {
    key: "call",
    name: "Onboarding call",
    currency: "eur",
    unitAmount: 12_000,
    credits: null,
    creditsOn: "price",
  },
] as const satisfies readonly Package[];

export type PackageKey = (typeof PACKAGES)[number]["key"];

/** Ids of the shop's prices, and of the coupon that makes a gift free. */
export interface Catalog {
  priceIds: Record<PackageKey, string>;
  giftCouponId: string;
}

const GIFT_COUPON = "WELCOME";

/** Finds the shop's prices in its Stripe account, or makes those that are missing. A second start makes none. */
export async function openCatalog(stripe: Stripe): Promise<Catalog> {
  const known = new Map<string, string>();
  for await (const price of stripe.prices.list({ limit: 100 })) {
    if (price.lookup_key !== null) known.set(price.lookup_key, price.id);
  }
  const idOf = async (key: PackageKey) => known.get(key) ?? (await makePrice(stripe, key));
  const priceIds = {
    small: await idOf("small"),
    large: await idOf("large"),
    tokyo: await idOf("tokyo"),
    kuwait: await idOf("kuwait"),
    gift: await idOf("gift"),
    call: await idOf("call"),
  };
  return { priceIds, giftCouponId: await openCoupon(stripe) };
}

async function makePrice(stripe: Stripe, key: PackageKey): Promise<string> {
  const sold: Package | undefined = PACKAGES.find((candidate) => candidate.key === key);
  if (!sold) throw new Error(`Bug! The shop has no package ${key}.`);
  const credits = sold.credits === null ? {} : { credits: String(sold.credits) };
  const product = await stripe.products.create({
    name: sold.name,
    metadata: sold.creditsOn === "product" ? credits : {},
  });
  const price = await stripe.prices.create({
    product: product.id,
    currency: sold.currency,
    unit_amount: sold.unitAmount,
    lookup_key: sold.key,
    metadata: sold.creditsOn === "price" ? credits : {},
  });
  return price.id;
}

async function openCoupon(stripe: Stripe): Promise<string> {
  for await (const coupon of stripe.coupons.list({ limit: 100 })) {
    if (coupon.id === GIFT_COUPON) return coupon.id;
  }
  const made = await stripe.coupons.create({ id: GIFT_COUPON, percent_off: 100, name: "Welcome gift" });
  return made.id;
}
