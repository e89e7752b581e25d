import { currencyDecimals } from "#shared/money.ts";
import type { Coupon, LineItem, Price, Product } from "./objects.ts";
import { StripeErrorAnswer } from "./stripe-error.ts";

/** Stripe takes at most eight digits (twelve for IDR, which nobody buys credits in here). */
const AMOUNT_MAX = 99_999_999;
// Counted in hundredths, though only whole units exist: https://docs.stripe.com/currencies
const WHOLE_UNITS_ONLY = new Set(["isk", "ugx"]);

export interface ItemGiven {
  price: Price;
  product: Product;
  quantity: number;
}

/** Throws what Stripe answers to an amount it cannot charge in this currency. */
export function checkAmount(amount: number, { currency, param }: { currency: string; param: string }): void {
  if (amount < 0) throw new StripeErrorAnswer(`Invalid non-negative integer`, { param });
  if (amount > AMOUNT_MAX) {
    throw new StripeErrorAnswer(`Amount must be no more than ${AMOUNT_MAX} in ${currency}.`, {
      code: "amount_too_large",
      param,
    });
  }
  const isThousandths = currencyDecimals(currency) === 3 && amount % 10 !== 0;
  const isHundredths = WHOLE_UNITS_ONLY.has(currency) && amount % 100 !== 0;
  if (isThousandths || isHundredths) {
    const step = isThousandths ? 10 : 100;
    throw new StripeErrorAnswer(`Amounts in ${currency} must be divisible by ${step}.`, { param });
  }
}

/** The items of a session, with a coupon's discount spread over them so that the parts add up to the whole. */
export function buildLineItems(
  given: readonly ItemGiven[],
  { newId, coupon }: { newId: (prefix: string) => string; coupon: Coupon | null },
): LineItem[] {
  const subtotals = given.map((item) => item.price.unit_amount * item.quantity);
  const subtotal = subtotals.reduce((sum, amount) => sum + amount, 0);
  let discountLeft = discountOf(subtotal, coupon);
  return given.map((item, index) => {
    const amount = subtotals[index] ?? 0;
    // Rounded down item by item, with the rest on the last one.
    const share = subtotal === 0 ? 0 : Math.floor((discountOf(subtotal, coupon) * amount) / subtotal);
    const discount = index === given.length - 1 ? discountLeft : share;
    discountLeft -= discount;
    return {
      id: newId("li"),
      object: "item",
      price: item.price.id,
      quantity: item.quantity,
      description: item.product.name,
      currency: item.price.currency,
      amount_subtotal: amount,
      amount_discount: discount,
      amount_tax: 0,
      amount_total: amount - discount,
    };
  });
}

function discountOf(subtotal: number, coupon: Coupon | null): number {
  if (coupon === null) return 0;
  if (coupon.percent_off !== null) return Math.round((subtotal * coupon.percent_off) / 100);
  return Math.min(subtotal, coupon.amount_off ?? 0);
}
