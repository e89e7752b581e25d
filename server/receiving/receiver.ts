import type { Db } from "../db/client.ts";
import { isConnectionError } from "../db/errors.ts";
import { type Accepted, type AcceptOptions, type Arrival, acceptArrivals } from "./accept.ts";
import { createMicroBatch } from "./micro-batch.ts";

const BATCH_MAX = 64;
const PARALLEL_MAX = 2;

export interface ReceiverOptions extends AcceptOptions {
  db: Db;
  /** Arrivals that may wait for the database before more are answered with 503. */
  waitingMax: number;
  /** Called after a commit that made work due, to wake workers. Must not throw. */
  onDue: () => void;
}

export interface Receiver {
  /** Resolves once the arrival is committed. Rejects if it is not: then it must not be acknowledged. */
  accept: (arrival: Arrival) => Promise<Accepted>;
  /** Resolves when every accepted arrival is answered. */
  idle: () => Promise<void>;
  /** Arrivals waiting right now, for readiness. */
  waiting: () => number;
  waitingMax: number;
}

/** Takes verified arrivals of this process and commits them in micro-batches. */
export function createReceiver(options: ReceiverOptions): Receiver {
  const batch = createMicroBatch<Arrival, Accepted>({
    batchMax: BATCH_MAX,
    parallelMax: PARALLEL_MAX,
    waitingMax: options.waitingMax,
    // Without a database every item would fail alone just as it did together.
    mayBeOneItem: (error) => !isConnectionError(error),
    run: async (arrivals) => {
      const accepted = await acceptArrivals(options.db, arrivals, options);
      if (accepted.some((one) => one.isDue)) options.onDue();
      return accepted;
    },
  });
  return { accept: batch.add, idle: batch.idle, waiting: batch.waiting, waitingMax: options.waitingMax };
}
