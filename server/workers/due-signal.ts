import { sql } from "drizzle-orm";
import type postgres from "postgres";
import type { Db } from "../db/client.ts";
import { isConnectionError } from "../db/errors.ts";

const CHANNEL = "einmal_due";

/**
 * A function that tells all workers that something is due. Calls while one is on its way are folded into one more:
 * inside a transaction, or for each event, NOTIFY would serialise every commit on its global lock.
 */
export function createDueNotifier(db: Db, onError: (error: unknown) => void): () => void {
  let isSending = false;
  let isAgain = false;

  async function send(): Promise<void> {
    isSending = true;
    do {
      isAgain = false;
      // A lost signal costs one poll interval, so an error is only told.
      await db.execute(sql`select pg_notify(${CHANNEL}, '')`).catch(onError);
    } while (isAgain);
    isSending = false;
  }
  return () => {
    if (isSending) isAgain = true;
    else void send();
  };
}

/**
 * Calls `onDue` for each signal, and once after each (re)connect, since what was sent meanwhile is lost. Returns what ends
 * it, which a lost connection has done already.
 */
export async function listenForDue(directSql: postgres.Sql, onDue: () => void): Promise<() => Promise<void>> {
  const { unlisten } = await directSql.listen(CHANNEL, onDue, onDue);
  return async () => {
    try {
      await unlisten();
    } catch (error) {
      if (!isConnectionError(error)) throw error;
    }
  };
}
