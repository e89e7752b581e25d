import type { Log } from "../log.ts";

export interface Stops {
  /** Adds what must be stopped before everything added so far: what starts last stops first. */
  add: (name: string, stop: () => Promise<void> | void) => void;
  /** Stops all of it, one after the other. A stop that fails is logged and does not keep the rest running. */
  run: () => Promise<{ failed: string[] }>;
}

/** Remembers how to undo a start, step by step, whether it got to its end or not. */
export function createStops(log: Log): Stops {
  const steps: { name: string; stop: () => Promise<void> | void }[] = [];
  return {
    add: (name, stop) => {
      steps.unshift({ name, stop });
    },
    run: async () => {
      const failed: string[] = [];
      for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
        const startedMs = performance.now();
        try {
          await step.stop();
          log.debug({ step: step.name, ms: Math.round(performance.now() - startedMs) }, "stopped");
        } catch (error) {
          failed.push(step.name);
          log.error({ err: error, step: step.name }, "A part could not be stopped in order.");
        }
      }
      return { failed };
    },
  };
}
