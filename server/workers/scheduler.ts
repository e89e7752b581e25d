import { sql } from "drizzle-orm";
import type { Logger } from "pino";
import { offerRecorded } from "../claims/rearm.ts";
import type { Db } from "../db/client.ts";

const OFFER_BATCH = 500;
const PERIOD_MS = 30_000;

export interface SchedulerOptions {
  db: Db;
  accounts: readonly string[];
  log: Logger;
  onDue: () => void;
}

export interface Scheduler {
  start: () => void;
  /** One round of the chores, which the loop repeats. Safe in any number of processes at once. */
  runOnce: () => Promise<void>;
  stop: () => Promise<void>;
}

/** The chores that belong to no event: offering what an older version only recorded, and next month's partition. */
export function createScheduler({ db, accounts, log, onDue }: SchedulerOptions): Scheduler {
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  let isStopping = false;

  async function runOnce(): Promise<void> {
    await db.execute(sql`select ensure_payload_partitions()`);
    while (!isStopping) {
      const offered = await offerRecorded(db, { accounts, limit: OFFER_BATCH });
      if (offered === 0) return;
      log.info({ offered }, "Events that an earlier version recorded are offered to the workers.");
      onDue();
    }
  }

  function tick(): void {
    round = runOnce()
      .catch((error: unknown) => log.error({ err: error }, "A round of the scheduler failed. It runs again."))
      .finally(() => {
        if (!isStopping) timer = setTimeout(tick, PERIOD_MS);
      });
  }

  return {
    start: tick,
    runOnce,
    stop: async () => {
      isStopping = true;
      clearTimeout(timer);
      await round;
    },
  };
}
