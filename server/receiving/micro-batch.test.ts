import { describe, expect, test } from "vitest";
import { createMicroBatch, MicroBatchFull } from "./micro-batch.ts";

/** A gate that batches wait at, so that a test decides when a commit happens. */
function gate() {
  const waiting: (() => void)[] = [];
  let arrived: (() => void) | undefined;
  return {
    pass: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        arrived?.();
      }),
    /** Lets the next batch through, once it is at the gate. */
    open: async () => {
      if (waiting.length === 0) await new Promise<void>((resolve) => (arrived = resolve));
      waiting.shift()?.();
    },
  };
}
const limits = { batchMax: 10, parallelMax: 1, waitingMax: 5, mayBeOneItem: () => true };
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a micro-batch", () => {
  test("runs a lone item at once and alone", async () => {
    const sizes: number[] = [];
    const batch = createMicroBatch<number, number>({
      ...limits,
      run: async (items) => (sizes.push(items.length), items.map((n) => n * 2)),
    });
    expect(await batch.add(4)).toBe(8);
    expect(sizes).toEqual([1]);
  });

  test("gathers what comes in while the last one runs, and answers each item for itself", async () => {
    const sizes: number[] = [];
    const { pass, open } = gate();
    const batch = createMicroBatch<number, number>({
      ...limits,
      run: async (items) => {
        sizes.push(items.length);
        await pass();
        return items.map((n) => n * 2);
      },
    });
    const first = batch.add(1);
    await turn();
    const rest = [2, 3, 4].map((n) => batch.add(n));
    await open();
    expect(await first).toBe(2);
    await turn();
    await open();
    expect(await Promise.all(rest)).toEqual([4, 6, 8]);
    expect(sizes).toEqual([1, 3]);
  });

  test("refuses at once what exceeds its queue, and keeps what it holds", async () => {
    const { pass, open } = gate();
    const batch = createMicroBatch<number, number>({
      ...limits,
      run: async (items) => (await pass(), [...items]),
    });
    const held = batch.add(0);
    await turn();
    const queued = [1, 2, 3, 4, 5].map((n) => batch.add(n));
    await expect(batch.add(6)).rejects.toBeInstanceOf(MicroBatchFull);
    await open();
    expect(await held).toBe(0);
    await turn();
    await open();
    expect(await Promise.all(queued)).toEqual([1, 2, 3, 4, 5]);
  });

  // One poison event must not make Stripe retry its neighbours for three days.
  test("is tried item by item when it fails, so that only the poison item is refused", async () => {
    const run = async (items: readonly number[]) => {
      if (items.includes(13)) throw new Error("poison");
      return [...items];
    };
    const batch = createMicroBatch<number, number>({ ...limits, run });
    const results = await Promise.allSettled([11, 12, 13, 14].map((n) => batch.add(n)));
    expect(results.map((result) => result.status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
  });

  test("is not tried item by item when the cause is not in the items", async () => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      throw new Error("no database");
    };
    const batch = createMicroBatch<number, number>({ ...limits, mayBeOneItem: () => false, run });
    await Promise.allSettled([1, 2, 3].map((n) => batch.add(n)));
    expect(runs).toBe(1);
  });

  test("is idle once everything is answered", async () => {
    const { pass, open } = gate();
    const batch = createMicroBatch<number, number>({
      ...limits,
      run: async (items) => (await pass(), [...items]),
    });
    await batch.idle();
    const answered: string[] = [];
    const item = batch.add(1).then(() => answered.push("item"));
    const idle = batch.idle().then(() => answered.push("idle"));
    await turn();
    await open();
    await Promise.all([item, idle]);
    expect(answered).toEqual(["item", "idle"]);
  });
});
