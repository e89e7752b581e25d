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

  // Read back and divided by a hundred, a thousand yen became ten. C49
  test.for("bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" "))(
    "is whole in %s, which has no smaller unit",
    (currency) => {
      expect(text(1000n, currency)).toBe(`${currency.toUpperCase()} 1,000`);
      expect(text(400n, currency)).toBe(`${currency.toUpperCase()} 400`);
    },
  );

  // The repair for currencies without a smaller unit left those with thousandths ten times too high. C50
  test.for("bhd jod kwd omr tnd".split(" "))("is counted in thousandths in %s", (currency) => {
    expect(text(5120n, currency)).toBe(`${currency.toUpperCase()} 5.120`);
    expect(text(1280n, currency)).toBe(`${currency.toUpperCase()} 1.280`);
  });

  // What the buyer was shown is in the smallest unit of the currency it was shown in, whatever the order's is. C53
  test("that a buyer was shown is read in its own currency's unit", () => {
    expect(text(1634n, "jpy")).toBe("JPY 1,634");
    expect(text(90n, "eur")).toBe("EUR 0.90");
  });

  test.for(["ugx", "isk", "huf", "twd"])(
    "has two decimals in %s, where Stripe counts in hundredths although the locale would show none",
    (currency) => {
      expect(text(500n, currency)).toBe(`${currency.toUpperCase()} 5.00`);
    },
  );

  // A list of orders must not be lost because one of them was paid in something new.
  test.for(["usdc", "x", "u1d"])("is written in a currency that nobody knows: '%s'", (currency) => {
    expect(text(123_456n, currency)).toBe(`${currency.toUpperCase()} 1,234.56`);
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
