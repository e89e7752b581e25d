import { strict as assert } from "node:assert";
import type { Tx } from "../db/client.ts";
import { creditLedger } from "../db/schema/credit-ledger.ts";

/**
 * Adds one line to a customer's ledger for an effect made in this transaction. An order worth zero credits has its
 * effect and no line, since a line that changes nothing says nothing.
 */
export async function bookCredits(
  tx: Tx,
  line: { customerId: bigint; orderId: string; effectId: string; delta: bigint },
): Promise<void> {
  assert(line.effectId !== "");
  if (line.delta === 0n) return;
  await tx.insert(creditLedger).values(line);
}
