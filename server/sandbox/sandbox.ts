import { and, eq, isNotNull } from "drizzle-orm";
import type { Database, Db } from "../db/client.ts";
import { installation } from "../db/schema/installation.ts";
import { processedStripeEvents } from "../db/schema/processed-stripe-events.ts";
import type { Log } from "../log.ts";
import { StartRefused } from "../start-refused.ts";
import { createStripe } from "../stripe/client.ts";
import { seededRandom } from "./emulator/ids.ts";
import { type Disturbance, type Emulator, type EmulatorOptions, startEmulator } from "./emulator.ts";
import { createSandboxFaults, type SandboxFaults } from "./faults.ts";
import { patientStore } from "./patient-store.ts";
import { postgresStore } from "./postgres-store.ts";
import { memoryInDatabase } from "./shop/progress.ts";
import { createShop } from "./shop/shop.ts";

const STALE_MAX = 4;

export interface SandboxOptions {
  database: Database;
  /** The desk's own `/webhooks/stripe`. It may start to listen later: deliveries are tried again. */
  webhookUrl: string;
  webhookSecret: string;
  emulatorPort: number;
  log: Log;
  /** The same seed buys the same things in the same order. */
  seed?: number;
  nodeEnv?: string | undefined;
  /** What goes wrong between this Stripe and us, all the time. */
  disturbance?: Disturbance;
  /** Asked before each purchase: whether the shop sells quickly, and only what settles by itself. */
  isHurried?: () => boolean;
}

export interface Sandbox {
  /** What to give the Stripe client as its address. */
  apiBase: string;
  secretKey: string;
  /** For the worker that may die. */
  faults: SandboxFaults;
  /** Closes the shop, then the emulator. What was not delivered is delivered by the next start. */
  stop: () => Promise<void>;
}

/**
 * Starts the Stripe emulator and the sample shop on a database that is a sandbox's. Throws StartRefused on any
 * other, and in production: invented payments must never reach real books.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { database, log, seed = 1, isHurried = () => false } = options;
  await mustBeSandbox(database.db, options.nodeEnv ?? process.env.NODE_ENV);
  const staleEventIds = await heldEventIds(database.db);
  const closing = new AbortController();
  const emulator = await emulatorOn({
    port: options.emulatorPort,
    store: patientStore(postgresStore(database.db), closing.signal),
    webhook: { url: options.webhookUrl, secret: options.webhookSecret },
    log,
    ...(options.disturbance && { disturbance: options.disturbance }),
  });
  const resumed = await emulator.resumeDeliveries();
  if (resumed > 0) log.info({ resumed }, "Sandbox: events of the last run are delivered now.");

  const { apiBase, secretKey } = emulator;
  // This run's sessions only, a few hundred a day: what an earlier run sold is simply left alone.
  const shopSessionIds = new Set<string>();
  const shop = createShop({
    stripe: createStripe({ secretKey, apiBase: new URL(apiBase) }),
    emulator,
    memory: memoryInDatabase(database.db),
    onSession: (sessionId) => {
      // What is sold in a hurry has real deaths to survive. These ones wait for a person, and it must end by itself.
      if (!isHurried()) shopSessionIds.add(sessionId);
    },
    log,
    seed,
    isHurried,
  });
  shop.open();
  return {
    apiBase,
    secretKey,
    faults: createSandboxFaults({
      random: seededRandom(seed),
      staleMax: STALE_MAX,
      staleEventIds,
      isShops: (objectId) => shopSessionIds.has(objectId),
    }),
    stop: async () => {
      closing.abort();
      await shop.close();
      await emulator.stop();
    },
  };
}

async function mustBeSandbox(db: Db, nodeEnv: string | undefined): Promise<void> {
  if (nodeEnv?.trim() === "production") {
    throw new StartRefused(
      "NODE_ENV is production, where the sandbox never runs: its payments are invented.\n" +
        "Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or unset NODE_ENV to look at the sandbox.",
    );
  }
  const [row] = await db.select({ mode: installation.mode }).from(installation);
  if (row?.mode === "sandbox") return;
  throw new StartRefused(
    `This database is ${row ? `bound to ${row.mode} mode` : "not bound to a mode yet"}, so no sandbox starts on it: ` +
      "invented payments would mix with real ones.\n" +
      "Give the sandbox a database of its own, or set STRIPE_SECRET_KEY to go on with this one.",
  );
}

async function emulatorOn(options: EmulatorOptions & { port: number }): Promise<Emulator> {
  try {
    return await startEmulator(options);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "EADDRINUSE") throw error;
    throw new StartRefused(
      `Port ${options.port}, where the sandbox's Stripe emulator listens, is in use by another program.\n` +
        "Stop that program (it may be another Einmal) or start on another PORT.",
      { cause: error },
    );
  }
}

/** Rows that an earlier process still holds: whoever held them is gone. */
async function heldEventIds(db: Db): Promise<string[]> {
  const rows = await db
    .select({ eventId: processedStripeEvents.eventId })
    .from(processedStripeEvents)
    .where(and(eq(processedStripeEvents.status, "processing"), isNotNull(processedStripeEvents.claimToken)))
    .limit(STALE_MAX);
  return rows.map((row) => row.eventId);
}
