import { describe, expect, test } from "vitest";
import { formatMoney } from "./format-money.ts";

// Intl puts a no-break space between code and number.
const text = (amountMinor: bigint, currency: string, locale = "en-US") =>
  formatMoney({ amountMinor, currency }, locale).replaceAll("\u00a0", " ");

describe("an amount of money", () => {
  test("is written in major units with the decimals of its currency", () => {
    expect(text(4900n, "chf")).toBe("CHF 49.00");
    expect(text(4900n, "jpy")).toBe("JPY 4,900");
    expect(text(5120n, "kwd")).toBe("KWD 5.120");
  });

  test("has two decimals where Stripe counts in hundredths although the locale would show none", () => {
    expect(text(500n, "ugx")).toBe("UGX 5.00");
  });

  test("is exact beyond what a floating point number can hold", () => {
    expect(text(900_719_925_474_099_301n, "usd")).toBe("USD 9,007,199,254,740,993.01");
  });

  test("follows the reader's locale", () => {
    expect(text(123_456n, "eur", "de-DE")).toBe("1.234,56 EUR");
  });

  test("keeps its sign and its cents when it is negative and small", () => {
    expect(text(-5n, "usd")).toBe("-USD 0.05");
  });
});
