import type { ChaosSwitches } from "#shared/chaos.ts";
import type { Disturbance } from "./emulator.ts";

const DELIVERIES_MAX = 4;
const REORDER_DELAY_MS_MAX = 4000;
/** Now and then an answer takes seconds, within the ten after which a worker gives a call up. */
const SLOW = { usualMs: 800, longMs: 6000, longShare: 0.1 };
const FAILING_SHARE = 0.3;
const FAILURES = [500, 429, 503, "reset"] as const;

export interface DisturbanceOptions {
  /** Asked anew each time, since switches are thrown while it runs. */
  switches: () => ChaosSwitches;
  /** In [0, 1). */
  random: () => number;
  /** Told of each request that was made slow, or refused. */
  onMishap: (what: "answersSlowed" | "answersFailed") => void;
}

/** Stripe and the way to us at their worst, as far as the switches say. */
export function createDisturbance({ switches, random, onMishap }: DisturbanceOptions): Disturbance {
  const upTo = (max: number) => Math.floor(random() * (max + 1));
  return {
    deliveryOf: (usual) => {
      const { duplicates, twins, reordering } = switches();
      return {
        ...usual,
        ...(duplicates && { times: 2 + upTo(DELIVERIES_MAX - 2), parallel: random() < 0.5 }),
        ...(twins && { twin: true }),
        ...(reordering && {
          reversed: true,
          delayMs: Math.max(usual.delayMs ?? 0, upTo(REORDER_DELAY_MS_MAX)),
        }),
      };
    },
    mishapOf: ({ method }) => {
      // What a shop asks Stripe for is not ours to break: its sales are what chaos lives on.
      if (method !== "GET") return null;
      const { slow_stripe: isSlow, failing_stripe: isFailing } = switches();
      const delayMs = isSlow ? upTo(random() < SLOW.longShare ? SLOW.longMs : SLOW.usualMs) : 0;
      const fails = isFailing && random() < FAILING_SHARE;
      if (isSlow) onMishap("answersSlowed");
      if (fails) onMishap("answersFailed");
      return { delayMs, status: fails ? (FAILURES[upTo(FAILURES.length - 1)] ?? 500) : null };
    },
  };
}
