import { currencyDecimals, type Money, toMajorUnits } from "#shared/money.ts";
import { type FormatLocale, numberFormat } from "./intl-formats.ts";

/** What Intl takes for a currency. Stripe's codes are open text, and one that Intl refuses must not cost the page. */
const CURRENCY_CODE = /^[a-z]{3}$/i;

/**
 * An amount as the locale writes it, such as "CHF 49.00", exact for every bigint: the decimal string goes
 * to Intl as it is and never through a floating point number. The decimals are Stripe's for the currency,
 * which are not always the locale's idea of them.
 */
export function formatMoney(money: Money, locale?: FormatLocale): string {
  const decimals = currencyDecimals(money.currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const amount = decimalString(toMajorUnits(money));
  const currency = money.currency.toUpperCase();
  if (!CURRENCY_CODE.test(currency)) return `${currency}\u00a0${numberFormat(locale, digits).format(amount)}`;
  const format = numberFormat(locale, { style: "currency", currency, currencyDisplay: "code", ...digits });
  return format.format(amount);
}

// Intl takes any decimal string; its type asks for the literal shape that toMajorUnits promises in words.
function decimalString(text: string): Intl.StringNumericLiteral {
  if (!isDecimal(text)) throw new Error(`not a decimal amount: ${text}`);
  return text;
}

function isDecimal(text: string): text is Intl.StringNumericLiteral {
  return /^-?\d+(\.\d+)?$/.test(text);
}
