import { m } from "../messages/generated/messages.js";
import { formatMoney } from "./format-money.ts";

interface MoneyProps {
  amountMinor: bigint | null;
  currency: string | null;
}

/** An amount in its own currency, or a dash where none is known yet. Amounts of two currencies are never added. */
export function Money({ amountMinor, currency }: MoneyProps) {
  if (amountMinor === null || currency === null) return <Nothing />;
  return <span className="numeric">{formatMoney({ amountMinor, currency })}</span>;
}

/** Stands where a value is not known or does not apply. Read out as words, since a dash is not. */
export function Nothing() {
  return (
    <>
      <span aria-hidden="true" style={{ color: "var(--ink-3)" }}>
        –
      </span>
      <span className="visually-hidden">{m.nothing()}</span>
    </>
  );
}
