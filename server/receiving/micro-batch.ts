import { strict as assert } from "node:assert";

export interface MicroBatchOptions<Item, Result> {
  /** Handles a batch as a whole; answers in the order of the items. */
  run: (items: readonly Item[]) => Promise<Result[]>;
  batchMax: number;
  /** Batches that may run at the same time: while one waits for its commit, the next is being written. */
  parallelMax: number;
  /** Items that may wait; more are refused. */
  waitingMax: number;
  /** Whether a failed batch may be tried item by item. False when the cause is not in the items. */
  mayBeOneItem: (error: unknown) => boolean;
}

export class MicroBatchFull extends Error {
  override name = "MicroBatchFull";
}

export interface MicroBatch<Item, Result> {
  /** Resolves with this item's result once its batch is done. Rejects with MicroBatchFull at once when full. */
  add: (item: Item) => Promise<Result>;
  /** Resolves when nothing waits or runs. Items may still be added meanwhile. */
  idle: () => Promise<void>;
  waiting: () => number;
}

interface Entry<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers items while earlier ones are being handled, because one commit for fifty costs about as much as one for
 * one. There is no timer: when idle, an item runs at the end of the present turn of the event loop; under load, a
 * batch is whatever came in while the last one ran.
 */
export function createMicroBatch<Item, Result>(
  options: MicroBatchOptions<Item, Result>,
): MicroBatch<Item, Result> {
  assert(options.batchMax >= 1 && options.parallelMax >= 1 && options.waitingMax >= 1);
  const queue: Entry<Item, Result>[] = [];
  let running = 0;
  let isScheduled = false;
  let idleWaiters: (() => void)[] = [];

  function schedule(): void {
    if (isScheduled || running >= options.parallelMax || queue.length === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      if (running >= options.parallelMax || queue.length === 0) return;
      const batch = queue.splice(0, options.batchMax);
      running += 1;
      void runBatch(batch).finally(() => {
        running -= 1;
        if (running === 0 && queue.length === 0) {
          for (const resolve of idleWaiters) resolve();
          idleWaiters = [];
        }
        schedule();
      });
      schedule();
    });
  }

  async function runBatch(batch: Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await options.run(batch.map((entry) => entry.item));
      batch.forEach((entry, index) => {
        // run() answers for each item, so an index within the batch is one within the results.
        entry.resolve(results[index] as Result);
      });
    } catch (error) {
      if (batch.length === 1 || !options.mayBeOneItem(error)) {
        for (const entry of batch) entry.reject(error);
        return;
      }
      // One poison item must not refuse its neighbours.
      for (const entry of batch) await runBatch([entry]);
    }
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        if (queue.length >= options.waitingMax) {
          reject(new MicroBatchFull(`${queue.length} items wait already.`));
          return;
        }
        queue.push({ item, resolve, reject });
        schedule();
      }),
    idle: () =>
      running === 0 && queue.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => idleWaiters.push(resolve)),
    waiting: () => queue.length,
  };
}
