import * as fc from "fast-check";
import { useFulfilment } from "../fulfilment-bench.ts";
import { anyCommand, KINDS } from "./commands.ts";
import { finish } from "./finish.ts";
import type { Model, ModelSession } from "./model.ts";
import { lookAtBooks, type System, type Tally } from "./system.ts";
import { type TestDatabase, useDatabase } from "../use-database.ts";

export const STEPS = 30;
/** So many are drawn for a run, since some find nothing to do when their turn comes. */
const DRAWN = 240;
export const RUNS = Number(process.env.MODEL_RUNS ?? 150);
/** Random walks over a real database take their time; a hang must still end. */
const MINUTES_MAX = 15;
export const TIMEOUT_MS = MINUTES_MAX * 60_000;

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

interface Bench {
  database: () => TestDatabase;
  fulfilment: ReturnType<typeof useFulfilment>;
}

let opened = 0;
/** Two sessions of one order, one whose price is unreadable until it is mended, and one that is nobody's till then. */
async function openShop({ fulfilment }: Bench, { sessions }: Setting): Promise<ModelSession[]> {
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

async function startRun(bench: Bench, setting: Setting, tally: Tally): Promise<System> {
  const { database, fulfilment } = bench;
  await database().empty();
  const model: Model = {
    sessions: await openShop(bench, setting),
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

interface Walked {
  runs: number;
  /** Steps in all walks together. */
  steps: number;
  /** How often each thing happened. */
  tally: Tally;
}

/** Sets a database and an emulator up, and walks on them from a seed. */
export function useWalks(): { walk: (seed: number) => Promise<Walked> } {
  const database = useDatabase();
  const bench = { database, fulfilment: useFulfilment(database) };
  return { walk: (seed) => walk(bench, seed) };
}

/** Walks at random, `RUNS` times, and throws what the first failing walk did, shrunk to the steps that matter. */
async function walk(bench: Bench, seed: number): Promise<Walked> {
  const tally: Tally = new Map();
  let [runs, shortest] = [0, Number.POSITIVE_INFINITY];
  const commands = fc.array(anyCommand, { minLength: DRAWN, maxLength: DRAWN });
  const property = fc.asyncProperty(anySetting, commands, async (setting, chosen) => {
    const system = await startRun(bench, setting, tally);
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
  const steps = Object.keys(KINDS).reduce((sum, kind) => sum + (tally.get(`step ${kind}`) ?? 0), 0);
  const told = [...tally].map(([what, times]) => `${what} ${times}`).toSorted((a, b) => a.localeCompare(b));
  console.info(
    `Model: seed ${seed}, ${runs} runs, ${steps} steps, shortest ${shortest}. ${told.join(", ")}.`,
  );
  return { runs, steps, tally };
}

function tell(setting: Setting, { model }: System, error: unknown): string {
  const what = error instanceof Error ? error.message : String(error);
  return [`takeover ${setting.takeover}`, ...model.journal, `then: ${what}`].join("\n");
}
