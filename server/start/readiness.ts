import type { Database } from "../db/client.ts";
import { isMigrated } from "../db/migrate.ts";
import type { ReadinessChecks } from "../http/health.ts";
import type { Receiver } from "../receiving/receiver.ts";
import type { EventWorker } from "../workers/event-worker.ts";
import { problemOfWorker } from "./workers.ts";

export interface ReadinessDeps {
  database: Database;
  receiver: Receiver | null;
  worker: EventWorker | null;
  state: { isDraining: boolean };
  budgetSeconds: number;
}

/** What this process needs to do what its roles promise; a role it does not have asks for nothing. */
export function readinessChecks(deps: ReadinessDeps): ReadinessChecks {
  const { database, receiver, worker, state } = deps;
  return {
    draining: () => (state.isDraining ? "this process is stopping" : null),
    database: async () => ((await isMigrated(database.sql)) ? null : "its schema is older than this version"),
    ...(receiver && {
      receiver: () => (receiver.waiting() < receiver.waitingMax ? null : "as many deliveries wait as may"),
    }),
    ...(worker && { worker: () => problemOfWorker(worker, deps.budgetSeconds) }),
  };
}
