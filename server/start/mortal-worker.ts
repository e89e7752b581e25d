import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { MortalWorker } from "../chaos/killers.ts";
import type { Config } from "../config.ts";
import { openDatabase } from "../db/client.ts";
import { armDeath, type FailPoint } from "../fail-points.ts";
import { createLog, type Log } from "../log.ts";
import { createMetrics } from "../metrics.ts";
import { createStripe } from "../stripe/client.ts";
import { createDueNotifier } from "../workers/due-signal.ts";
import { createStops } from "./stops.ts";
import { startWorker } from "./workers.ts";

/** The argument that makes a process of this program a worker which exists to be killed. */
export const MORTAL_WORKER = "mortal-worker";

const CONNECTIONS_MAX = 12;

/** The places where a worker may die, on either side of each of its commits. It dies at the first of its kind it meets. */
const DEATHS = [
  "worker.after_take",
  "fulfilment.after_read",
  "fulfilment.before_apply_commit",
  "fulfilment.after_apply_commit",
  "attempt.before_failure_commit",
  "attempt.after_failure_commit",
] as const satisfies readonly FailPoint[];

/** All that such a worker must know, as its parent tells it. */
export interface MortalOrders {
  config: Config;
  urls: { url: string; directUrl: string };
  stripe: { secretKey: string; apiBase: string };
}

/**
 * Starts a worker as a process of its own. It kills itself in the middle of its work, at a place of chance, or lives until
 * it is killed. It ends with this process, however that ends.
 */
export function startMortalWorker(
  orders: MortalOrders,
  { random, log }: { random: () => number; log: Log },
): MortalWorker {
  const program = process.argv[1] ?? "";
  const child = fork(program, [MORTAL_WORKER], { serialization: "advanced" });
  child.on("error", (error) => log.warn({ err: error }, "Chaos: a worker to be killed cannot be talked to."));
  const ended = once(child, "exit").catch(() => {});
  const death = DEATHS[Math.floor(random() * DEATHS.length)];
  child.send({ ...orders, death, level: log.level });
  return {
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
      return wasKilled(child);
    },
  };
}

function wasKilled({ signalCode }: ChildProcess): boolean {
  return signalCode === "SIGKILL";
}

/** What such a process does instead of everything else: works until it is killed. */
export async function liveAsMortalWorker(): Promise<void> {
  process.once("disconnect", () => process.exit(0));
  const [given] = await once(process, "message");
  // Our own parent's words, from the same build.
  const { config, urls, stripe, death, level } = given as MortalOrders & { death: FailPoint; level: string };
  armDeath(death);
  const log = createLog(level);
  const database = openDatabase({
    url: urls.url,
    connectionsMax: CONNECTIONS_MAX,
    applicationName: "einmal-mortal",
  });
  const direct = openDatabase({
    url: urls.directUrl,
    connectionsMax: 1,
    applicationName: "einmal-mortal-listen",
  });
  await startWorker({
    config,
    database,
    direct,
    stripe: createStripe({ secretKey: stripe.secretKey, apiBase: new URL(stripe.apiBase) }),
    metrics: createMetrics().metrics,
    log,
    stops: createStops(log),
    onDue: createDueNotifier(database.db, (error) => log.warn({ err: error }, "A wake-up signal was lost.")),
    faults: undefined,
  });
}
