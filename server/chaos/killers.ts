import { once } from "node:events";
import type { ChaosSwitch } from "#shared/chaos.ts";
import type { Log } from "../log.ts";
import type { Switchboard } from "./switchboard.ts";

/** A worker process that exists to be killed. */
export interface MortalWorker {
  /** Kills it, if it has not met its end yet, and waits until it is gone. False if it ended without being killed. */
  kill: () => Promise<boolean>;
}

export interface KillersOptions {
  switchboard: Switchboard;
  startWorker: () => MortalWorker;
  /** Kills the database and starts it again. Null where it is not ours to kill. */
  killDatabase: (() => Promise<void>) | null;
  log: Log;
}

export interface Killers {
  /** Ends the kills: the last worker is gone and the database is there when it resolves. */
  stop: () => Promise<void>;
}

/** Kills what the switches name, every so many seconds, for as long as they are on. */
export function startKillers({ switchboard, startWorker, killDatabase, log }: KillersOptions): Killers {
  const stopping = new AbortController();
  const stopped = once(stopping.signal, "abort");
  const isWanted = (name: ChaosSwitch) => !stopping.signal.aborted && switchboard.settings().switches[name];

  /** Resolves when so many seconds have passed, by the setting of then, or when it is wanted no longer. */
  async function periodOf(name: ChaosSwitch, setting: "workerSeconds" | "databaseSeconds"): Promise<void> {
    const startedMs = performance.now();
    for (;;) {
      const changed = switchboard.changed();
      const leftMs = startedMs + switchboard.settings()[setting] * 1000 - performance.now();
      if (leftMs <= 0 || !isWanted(name)) return;
      let timer: NodeJS.Timeout | undefined;
      const elapsed = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, leftMs);
      });
      await Promise.race([elapsed, changed, stopped]);
      clearTimeout(timer);
    }
  }

  async function repeat(
    name: ChaosSwitch,
    setting: "workerSeconds" | "databaseSeconds",
    live: (period: Promise<void>) => Promise<void>,
  ): Promise<void> {
    while (!stopping.signal.aborted) {
      const changed = switchboard.changed();
      if (!isWanted(name)) {
        await Promise.race([changed, stopped]);
        continue;
      }
      const period = periodOf(name, setting);
      await live(period).catch((error: unknown) => log.warn({ err: error }, "Chaos: a kill went wrong."));
      // Also when it went wrong: what fails at once must not fail all the time.
      await period;
    }
  }

  const workers = repeat("worker_kills", "workerSeconds", async (period) => {
    const worker = startWorker();
    await period;
    if (await worker.kill()) switchboard.count("workersKilled");
  });
  const databases = repeat("database_kills", "databaseSeconds", async (period) => {
    await period;
    // One that is not ours is never killed, and a switch thrown back in time spares ours.
    if (!killDatabase || !isWanted("database_kills")) return;
    await killDatabase();
    switchboard.count("databaseKills");
  });
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([workers, databases]);
    },
  };
}
