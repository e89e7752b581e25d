/** An amount in the currency's minor unit (cents; whole yen) with its lower-case ISO 4217 code. */
export interface Money {
  amountMinor: bigint;
  currency: string;
}

// Stripe's own table, which differs from ISO 4217: it decides how many minor units the API counts in.
// Source: https://docs.stripe.com/currencies
const ZERO_DECIMAL = new Set("bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" "));
const THREE_DECIMAL = new Set("bhd jod kwd omr tnd".split(" "));

/**
 * How many decimals Stripe's minor unit of a currency has. ISK and UGX have no minor unit in daily life,
 * yet Stripe passes them with two decimals (500 means 5 UGX), so they count as two here.
 */
export function currencyDecimals(currency: string): 0 | 2 | 3 {
  const code = currency.toLowerCase();
  if (ZERO_DECIMAL.has(code)) return 0;
  if (THREE_DECIMAL.has(code)) return 3;
  return 2;
}

/** The exact amount in major units as a decimal string, such as "-12.50", "1000" or "5.120". */
export function toMajorUnits({ amountMinor, currency }: Money): string {
  const decimals = currencyDecimals(currency);
  if (decimals === 0) return amountMinor.toString();
  const sign = amountMinor < 0n ? "-" : "";
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(decimals + 1, "0");
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
