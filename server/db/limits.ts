import { sql } from "drizzle-orm";
import type { Tx } from "./client.ts";

/**
 * Bounds a transaction by the server's clock: how long it may wait for a lock, how long a statement may run, and how
 * long it may sit idle before the server ends it. A host that vanished in mid-transaction keeps its locks until then,
 * and everybody who needs the same row waits with it. For the transaction only, so it works behind a pooler too.
 */
export async function limitTransaction(tx: Tx, { seconds }: { seconds: number }): Promise<void> {
  const limit = `${Math.max(1, Math.ceil(seconds * 1000))}ms`;
  await tx.execute(sql`
    select set_config('lock_timeout', ${limit}, true), set_config('statement_timeout', ${limit}, true),
      set_config('idle_in_transaction_session_timeout', ${limit}, true)`);
}
