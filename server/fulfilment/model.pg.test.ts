import { expect, test } from "vitest";
import { KINDS } from "../testing/model/commands.ts";
import { RUNS, STEPS, TIMEOUT_MS, useWalks } from "../testing/model/walk.ts";

const { walk } = useWalks();

const PINNED_SEED = 20_261_206;

/** What the rules are there for. A walk that never meets it proves nothing. */
const MUST_HAPPEN = [
  "claimed",
  "redelivery",
  "twin",
  "rearmed",
  "taken",
  "taken over",
  "buried",
  "fenced",
  "read again",
  "died before_commit",
  "died after_commit",
  "crashed",
  "recorded offered",
  "attempt processed",
  "attempt retry",
  "attempt dead",
  "attempt lost",
  "replay replayed",
  "replay repeated",
  "replay refused",
  ...Object.keys(KINDS).map((kind) => `step ${kind}`),
];

test(
  "whatever happens in whatever order, each paid order has its effect exactly once and nothing acknowledged is lost: the same walks each time",
  async () => {
    const { runs, steps, tally } = await walk(PINNED_SEED);
    expect(runs).toBe(RUNS);
    // A few walks, asked for by hand, need not meet everything.
    if (process.env.MODEL_RUNS !== undefined) return;
    expect(steps).toBe(RUNS * STEPS);
    expect(MUST_HAPPEN.filter((what) => !tally.get(what))).toEqual([]);
  },
  TIMEOUT_MS,
);
