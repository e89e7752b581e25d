import type { Coupon, Customer, Metadata, Price, Product } from "./objects.ts";

interface Stamp {
  id: string;
  created: number;
}

export function buildProduct(
  stamp: Stamp,
  given: { name: string; metadata: Metadata; description?: string | undefined },
): Product {
  return {
    ...stamp,
    object: "product",
    active: true,
    default_price: null,
    description: given.description ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: given.metadata,
    name: given.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    type: "service",
    unit_label: null,
    updated: stamp.created,
    url: null,
  };
}

export function buildPrice(
  stamp: Stamp,
  given: {
    product: string;
    currency: string;
    unitAmount: number;
    metadata: Metadata;
    nickname?: string | undefined;
    lookupKey?: string | undefined;
  },
): Price {
  return {
    ...stamp,
    object: "price",
    active: true,
    billing_scheme: "per_unit",
    currency: given.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: given.lookupKey ?? null,
    metadata: given.metadata,
    nickname: given.nickname ?? null,
    product: given.product,
    recurring: null,
    tax_behavior: "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: "one_time",
    unit_amount: given.unitAmount,
    unit_amount_decimal: String(given.unitAmount),
  };
}

export function buildCustomer(
  stamp: Stamp,
  given: {
    email: string | null;
    metadata: Metadata;
    name?: string | undefined;
    description?: string | undefined;
    phone?: string | undefined;
  },
): Customer {
  return {
    ...stamp,
    object: "customer",
    address: null,
    balance: 0,
    currency: null,
    default_source: null,
    delinquent: false,
    description: given.description ?? null,
    discount: null,
    email: given.email,
    invoice_prefix: stamp.id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: given.metadata,
    name: given.name ?? null,
    next_invoice_sequence: 1,
    phone: given.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
  };
}

export function buildCoupon(
  stamp: Stamp,
  given: {
    percentOff: number | null;
    amountOff: number | null;
    currency: string | null;
    name?: string | undefined;
    metadata: Metadata;
  },
): Coupon {
  return {
    ...stamp,
    object: "coupon",
    amount_off: given.amountOff,
    currency: given.currency,
    duration: "once",
    duration_in_months: null,
    livemode: false,
    max_redemptions: null,
    metadata: given.metadata,
    name: given.name ?? null,
    percent_off: given.percentOff,
    redeem_by: null,
    times_redeemed: 0,
    valid: true,
  };
}
