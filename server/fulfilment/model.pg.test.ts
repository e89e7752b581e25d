import * as fc from "fast-check";
import { expect, test } from "vitest";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { anyCommand, KINDS } from "../testing/model/commands.ts";
import { finish } from "../testing/model/finish.ts";
import type { Model, ModelSession } from "../testing/model/model.ts";
import { lookAtBooks, type System, type Tally } from "../testing/model/system.ts";
import { useDatabase } from "../testing/use-database.ts";

const database = useDatabase();
const fulfilment = useFulfilment(database);

const STEPS = 30;
/** So many are drawn for a run, since some find nothing to do when their turn comes. */
const DRAWN = 240;
const RUNS = Number(process.env.MODEL_RUNS ?? 150);
const PINNED_SEED = 20_261_206;
const FRESH_SEED = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Random walks over a real database take their time; a hang must still end. */
const MINUTES_MAX = 15;
const TIMEOUT_MS = MINUTES_MAX * 60_000;

interface Setting {
  /** How many of the shop's sessions there are: of one order, of its second payment, of others. */
  sessions: number;
  takeover: "automatic" | "manual";
}

const anySetting: fc.Arbitrary<Setting> = fc.record({
  sessions: fc.integer({ min: 1, max: 4 }),
  takeover: fc.constantFrom(
    "automatic" as const,
    "automatic" as const,
    "automatic" as const,
    "manual" as const,
  ),
});

let opened = 0;
/** Two sessions of one order, one whose price is unreadable until it is mended, and one that is nobody's till then. */
async function openShop({ sessions }: Setting): Promise<ModelSession[]> {
  opened += 1;
  const plans = [
    { name: "A", order: `order_a${opened}`, credits: 10n, stated: "10" },
    { name: "A's second payment", order: `order_a${opened}`, credits: 20n, stated: "20" },
    { name: "B", order: `order_b${opened}`, credits: 40n, stated: "many" },
    { name: "C", order: null, credits: 80n, stated: null },
  ];
  return await Promise.all(
    plans.slice(0, sessions).map(async ({ name, order, credits, stated }) => {
      const ready = await fulfilment.stripe().sessions.create({
        state: "open",
        clientReferenceId: `user_${opened}`,
        metadata: order === null ? {} : { order_id: order },
        items: [{ credits: null, priceMetadata: stated === null ? {} : { credits: stated } }],
      });
      const { sessionId, priceIds } = ready;
      const state = "open" as const;
      return { name, sessionId, orderId: order ?? sessionId, credits, priceId: priceIds[0] ?? "", state };
    }),
  );
}

async function startRun(setting: Setting, tally: Tally): Promise<System> {
  await database().empty();
  const model: Model = {
    sessions: await openShop(setting),
    sent: [],
    winners: new Map(),
    holders: new Map(),
    journal: [],
    steps: 0,
    stepsMax: STEPS,
  };
  const system = { model, database: database(), bench: fulfilment, takeover: setting.takeover, tally };
  const seen = await lookAtBooks({ ...system, workers: [], pictures: [], seen: emptySnapshot });
  return { ...system, workers: [[], [], []], pictures: [], seen };
}

const emptySnapshot = { events: new Map(), orders: new Map(), effects: [], balances: new Map() };

/** Walks at random, `RUNS` times, and throws what the first failing walk did, shrunk to the steps that matter. */
async function walk(seed: number): Promise<{ runs: number; shortest: number; tally: Tally }> {
  const tally: Tally = new Map();
  let [runs, shortest] = [0, Number.POSITIVE_INFINITY];
  const commands = fc.array(anyCommand, { minLength: DRAWN, maxLength: DRAWN });
  const property = fc.asyncProperty(anySetting, commands, async (setting, chosen) => {
    const system = await startRun(setting, tally);
    try {
      await fc.asyncModelRun(() => ({ model: system.model, real: system }), chosen);
      await finish(system);
    } catch (error) {
      throw new Error(tell(setting, system, error), { cause: error });
    }
    runs += 1;
    shortest = Math.min(shortest, system.model.steps);
  });
  const replay = process.env.MODEL_PATH === undefined ? {} : { path: process.env.MODEL_PATH };
  const result = await fc.check(property, {
    seed,
    numRuns: RUNS,
    interruptAfterTimeLimit: TIMEOUT_MS / 2,
    ...replay,
  });
  if (result.failed) {
    const path = result.counterexamplePath ?? "";
    throw new Error(
      `MODEL_SEED=${seed} MODEL_PATH=${path} walks there again (shrunk ${result.numShrinks} times).\n${String(result.errorInstance)}`,
    );
  }
  return { runs, shortest, tally };
}

function tell(setting: Setting, { model }: System, error: unknown): string {
  const what = error instanceof Error ? error.message : String(error);
  return [`takeover ${setting.takeover}`, ...model.journal, `then: ${what}`].join("\n");
}

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

test.each([
  ["the same seed each time", PINNED_SEED],
  ["a seed of its own", FRESH_SEED],
])(
  "whatever happens in whatever order, each paid order has its effect exactly once and nothing acknowledged is lost: %s",
  async (_, seed) => {
    const { runs, shortest, tally } = await walk(seed);
    const steps = Object.keys(KINDS).reduce((sum, kind) => sum + (tally.get(`step ${kind}`) ?? 0), 0);
    const told = [...tally].toSorted().map(([what, times]) => `${what} ${times}`);
    console.info(
      `Model: seed ${seed}, ${runs} runs, ${steps} steps, shortest ${shortest}. ${told.join(", ")}.`,
    );
    expect(runs).toBe(RUNS);
    // What a new seed meets is chance, and a shorter walk of it once in a blue moon is no fault.
    if (seed !== PINNED_SEED || process.env.MODEL_RUNS !== undefined) return;
    expect(steps).toBe(RUNS * STEPS);
    expect(MUST_HAPPEN.filter((what) => !tally.get(what))).toEqual([]);
  },
  TIMEOUT_MS,
);
