import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { RUNS, TIMEOUT_MS, useWalks } from "../testing/model/walk.ts";

const { walk } = useWalks();

const SEED_MAX = 2 ** 31;

// Apart from the walks of the pinned seed so that the two go at the same time.
test(
  "whatever happens in whatever order, each paid order has its effect exactly once and nothing acknowledged is lost: walks from a seed of their own",
  async () => {
    const { runs } = await walk(Number(process.env.MODEL_SEED ?? randomInt(SEED_MAX)));
    expect(runs).toBe(RUNS);
  },
  TIMEOUT_MS,
);
