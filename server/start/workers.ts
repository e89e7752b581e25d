import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Config } from "../config.ts";
import type { Database } from "../db/client.ts";
import { fulfilEvent } from "../fulfilment/fulfil.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { StripeReader } from "../stripe/checkout-session.ts";
import { listenForDue } from "../workers/due-signal.ts";
import { createEventWorker, type EventWorker, type EventWorkerOptions } from "../workers/event-worker.ts";
import { createScheduler } from "../workers/scheduler.ts";
import type { Stops } from "./stops.ts";

/** Events that one process handles at the same time. Stripe's rate limit is shared, so more would only wait. */
const CONCURRENCY = 10;
/** The loop looks at least every second, unless it handles a lost event alone, which may take the whole budget. */
const SILENCE_BEYOND_BUDGET_SECONDS = 30;

export interface WorkerDeps {
  config: Config;
  database: Database;
  /** A connection that LISTEN may keep, beside any pooler. */
  direct: Database;
  stripe: StripeReader["stripe"];
  metrics: Metrics;
  log: Log;
  stops: Stops;
  onDue: () => void;
  faults: EventWorkerOptions["faults"];
}

/** Starts the role `worker`: it takes due events, wakes when one is signalled, and stops by finishing what it holds. */
export async function startWorker(deps: WorkerDeps): Promise<EventWorker> {
  const { config, database, metrics, log } = deps;
  const fulfilment = {
    db: database.db,
    app: config.app,
    reader: {
      stripe: deps.stripe,
      db: database.db,
      readsPerSecond: config.stripe.readsPerSecond,
      onRead: metrics.stripeReadSeconds.observe,
    },
  };
  const worker = createEventWorker({
    db: database.db,
    // Two processes of one machine, or of two containers with the same name, must not look like one.
    worker: `${hostname()}:${process.pid}:${randomBytes(2).toString("hex")}`,
    concurrency: CONCURRENCY,
    budgetSeconds: config.handlerBudgetSeconds,
    attemptsMax: config.attemptsMax,
    takeover: config.takeover,
    handle: (claim, context) => fulfilEvent(fulfilment, claim, context),
    onAttempt: metrics.handlerSeconds.observe,
    onFencedWrite: metrics.fencedWrites.inc,
    random: Math.random,
    log,
    ...(deps.faults && { faults: deps.faults }),
  });
  worker.start();
  deps.stops.add("worker", worker.stop);
  const unlisten = await listenForDue(deps.direct.sql, worker.wake);
  deps.stops.add("listening", unlisten);
  return worker;
}

/** What is wrong with the worker's loop, or null. */
export function problemOfWorker(worker: EventWorker, budgetSeconds: number): string | null {
  const lookedAt = worker.lastLookAt()?.getTime() ?? 0;
  const isSilent = Date.now() - lookedAt > (budgetSeconds + SILENCE_BEYOND_BUDGET_SECONDS) * 1000;
  return isSilent ? "has not looked for due events lately" : null;
}

/** Starts the role `scheduler`: the chores that belong to no event. */
export function startScheduler(
  deps: Pick<WorkerDeps, "config" | "database" | "log" | "stops" | "onDue">,
): void {
  const scheduler = createScheduler({
    db: deps.database.db,
    accounts: deps.config.stripe.accounts,
    log: deps.log,
    onDue: deps.onDue,
  });
  scheduler.start();
  deps.stops.add("scheduler", scheduler.stop);
}
