import { join } from "node:path";
import { createApp } from "../app.ts";
import { createSwitchboard } from "../chaos/switchboard.ts";
import type { Config } from "../config.ts";
import { type Database, openDatabase } from "../db/client.ts";
import { claimEmbeddedFolder } from "../db/embedded/embedded-database.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { metricsRoute } from "../http/metrics-route.ts";
import { openInstallation } from "../installation.ts";
import type { Log } from "../log.ts";
import { createMetrics } from "../metrics.ts";
import { packageRoot, packageVersion } from "../package-root.ts";
import { createStripe } from "../stripe/client.ts";
import { createWorkGauges } from "../work-gauges.ts";
import { createDueNotifier } from "../workers/due-signal.ts";
import { announce } from "./announcement.ts";
import { type HttpServer, openHttpServer } from "./http-server.ts";
import { type OwnSandbox, startOwnSandbox } from "./own-sandbox.ts";
import { startOwnChaos } from "./own-chaos.ts";
import { readinessChecks } from "./readiness.ts";
import { createStops } from "./stops.ts";
import { createWeb } from "./web.ts";
import { startScheduler, startWorker } from "./workers.ts";

export interface Running {
  announcement: string;
  /** Finishes what is being handled, stops everything, and says which parts refused to. */
  stop: () => Promise<{ failed: string[] }>;
  /** Settles when the embedded database has ended, which only stop() may bring about. */
  databaseEnded: Promise<void>;
}

export interface StartOptions {
  config: Config;
  warnings: readonly string[];
  log: Log;
  /** Called as soon as there is something that must not outlive this process. */
  onAbandonable: (abandon: () => void) => void;
}

/** Connections of one process. PostgreSQL's default limit of 100 lets five of them live side by side. */
const CONNECTIONS_MAX = 20;

/** Starts the roles of this process, one part after the other; what fails undoes what was started before it. */
export async function startEinmal(options: StartOptions): Promise<Running> {
  const stops = createStops(options.log);
  const state = { isDraining: false };
  const stop = async () => {
    state.isDraining = true;
    return await stops.run();
  };
  try {
    const storage = await openStorage({ ...options, stops });
    const announcement = await startRoles({ ...options, ...storage, stops, state });
    return { announcement, stop, databaseEnded: storage.databaseEnded };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Stopped = StartOptions & { stops: ReturnType<typeof createStops> };

interface Storage {
  http: HttpServer;
  database: Database;
  direct: Database;
  /** Where the two are, for a process that joins us. */
  urls: { url: string; directUrl: string };
  /** Null if the database is not ours. */
  killDatabase: (() => Promise<void>) | null;
  notes: readonly string[];
  databaseEnded: Promise<void>;
}

/** The folder, the port and the database, in the order in which a person wants to hear of what is in the way. */
async function openStorage({ config, stops, onAbandonable }: Stopped): Promise<Storage> {
  const folder = config.database === null ? claimEmbeddedFolder(config.folder) : null;
  if (folder) stops.add("folder lock", folder.release);

  // The sandbox's sign-ins are public knowledge, so that it answers this machine only unless told otherwise.
  const host = config.mode === "sandbox" && config.url === null ? "127.0.0.1" : null;
  const http = await openHttpServer({ port: config.port, host });
  stops.add("http", http.stop);

  const embedded = folder ? await folder.start() : null;
  if (embedded) {
    stops.add("database server", embedded.stop);
    onAbandonable(embedded.abandon);
  }
  const url = config.database?.url ?? embedded?.url;
  const directUrl = config.database?.directUrl ?? embedded?.url;
  if (url === undefined || directUrl === undefined)
    throw new Error("Bug! There is a database, or one was started.");

  await migrateDatabase(directUrl);
  const database = openDatabase({ url, connectionsMax: CONNECTIONS_MAX, applicationName: "einmal" });
  stops.add("database pool", database.close);
  const direct = openDatabase({ url: directUrl, connectionsMax: 1, applicationName: "einmal-listen" });
  stops.add("listening pool", direct.close);
  const forever = new Promise<void>(() => {});
  return {
    http,
    database,
    direct,
    urls: { url, directUrl },
    killDatabase: embedded?.killAndRestart ?? null,
    notes: embedded?.notes ?? [],
    databaseEnded: embedded?.ended ?? forever,
  };
}

async function startRoles(options: Stopped & Storage & { state: { isDraining: boolean } }): Promise<string> {
  const { config, log, http, database, stops } = options;
  const { port } = http;
  const installation = await openInstallation(database.db, config.mode);
  const { metrics, registry } = createMetrics();
  const gauges = createWorkGauges(registry, database.db);
  const onDue = createDueNotifier(database.db, (error) =>
    log.warn({ err: error }, "A wake-up signal was lost."),
  );
  const parts = { config, database, log, stops, metrics, onDue, port };

  const switchboard = config.mode === "sandbox" ? createSwitchboard() : null;
  const sandbox = switchboard ? await startOwnSandbox({ ...parts, switchboard }) : null;
  const { urls, killDatabase } = options;
  const chaos =
    switchboard && sandbox && startOwnChaos({ ...parts, switchboard, urls, killDatabase, stripe: sandbox });
  const worker = config.roles.includes("worker")
    ? await startWorker({
        ...parts,
        direct: options.direct,
        stripe: stripeOf(config, sandbox),
        faults: sandbox?.faults,
      })
    : null;
  if (config.roles.includes("scheduler")) startScheduler(parts);
  const version = packageVersion();
  const web = config.roles.includes("web")
    ? await createWeb({ ...parts, installation, sandbox, chaos, version })
    : null;
  if (web) stops.add("receiver", web.receiver.idle);

  const app = createApp({
    log,
    checks: readinessChecks({
      database,
      receiver: web?.receiver ?? null,
      worker,
      state: options.state,
      budgetSeconds: config.handlerBudgetSeconds,
    }),
    metrics: metricsRoute(registry, gauges.refresh),
    isHttps: config.url?.startsWith("https:") ?? false,
    trustedProxies: config.trustedProxies,
    web: web && { ...web.routes, deskFolder: join(packageRoot(), "dist/client") },
  });
  http.serve(app);
  // Again, now as the first to stop: nothing new comes in while the rest finishes what it holds.
  stops.add("http", http.stop);

  const { notes, warnings } = options;
  return announce({
    config,
    version,
    port,
    sandbox,
    signIns: web?.signIns ?? [],
    firstAdminLink: web?.firstAdminLink ?? null,
    notes,
    warnings,
  });
}

function stripeOf(config: Config, sandbox: OwnSandbox | null) {
  const secretKey = sandbox?.secretKey ?? config.stripe.secretKey;
  const apiBase = sandbox?.apiBase ?? config.stripe.apiBase;
  if (secretKey === null) throw new Error("Bug! Without a secret key the mode is sandbox.");
  return createStripe({ secretKey, apiBase: apiBase === null ? null : new URL(apiBase) });
}
