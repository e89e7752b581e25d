import type { Chaos } from "../chaos/change.ts";
import { startKillers } from "../chaos/killers.ts";
import type { Switchboard } from "../chaos/switchboard.ts";
import type { Log } from "../log.ts";
import { type MortalOrders, startMortalWorker } from "./mortal-worker.ts";
import type { Stops } from "./stops.ts";

export interface OwnChaosOptions extends MortalOrders {
  switchboard: Switchboard;
  /** Null where the database is not ours. */
  killDatabase: (() => Promise<void>) | null;
  log: Log;
  stops: Stops;
}

/** Gives the switches of a sandbox their hands. */
export function startOwnChaos(options: OwnChaosOptions): Chaos {
  const { switchboard, killDatabase, log, stops, config, urls } = options;
  const { secretKey, apiBase } = options.stripe;
  // Nothing but what can be told to another process.
  const orders = { config, urls, stripe: { secretKey, apiBase } };
  const killers = startKillers({
    switchboard,
    startWorker: () => startMortalWorker(orders, { random: Math.random, log }),
    killDatabase,
    log,
  });
  stops.add("chaos", killers.stop);
  return { switchboard, mayKillDatabase: killDatabase !== null };
}
