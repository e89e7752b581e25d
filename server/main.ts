import { parseConfig } from "./config.ts";
import { armFailPoint } from "./fail-points.ts";
import { createLog } from "./log.ts";
import { type Running, startEinmal } from "./start/einmal.ts";
import { liveAsMortalWorker, MORTAL_WORKER } from "./start/mortal-worker.ts";
import { StartRefused } from "./start-refused.ts";

/**
 * A Ctrl-C reaches us twice when npm started us: from the terminal, and passed on by npm. Only a later one is a
 * person who does not want to wait.
 */
const SAME_SIGNAL_MS = 1000;

let abandon: () => void = () => {};
let stoppingSince: number | undefined;

/** Ends this instant. The embedded database is told to stop and finishes by itself. */
function exitNow(code: number): never {
  abandon();
  process.exit(code);
}

async function run(): Promise<void> {
  const { config, warnings } = parseConfig(process.env);
  armFailPoint(config.failPoint);
  // A person at a terminal reads the announcement, and would not find it between the lines of a healthy start.
  const log = createLog(config.logLevel ?? (process.stdout.isTTY ? "warn" : "info"));

  // A closed terminal takes both outputs along, and still wants everything stopped in order.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
  const fail = (error: unknown) => {
    log.fatal({ err: error }, "An unexpected error ends this process.");
    exitNow(1);
  };
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);

  const starting = startEinmal({
    config,
    warnings,
    log,
    onAbandonable: (known) => {
      abandon = known;
    },
  });
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) exitNow(1);
      return;
    }
    stoppingSince = performance.now();
    void stopAll(starting, { signal, secondsMax: config.handlerBudgetSeconds });
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);

  const running = await starting;
  if (stoppingSince !== undefined) return;
  process.stdout.write(`${running.announcement}\n`);
  await running.databaseEnded;
  if (stoppingSince !== undefined) return;
  log.fatal("The embedded PostgreSQL has ended by itself. Its log is postgres.log in the data folder.");
  exitNow(1);
}

/** What a worker holds ends within the handler budget, or its lease does: waiting longer would help nobody. */
async function stopAll(
  starting: Promise<Running>,
  { signal, secondsMax }: { signal: NodeJS.Signals; secondsMax: number },
): Promise<void> {
  process.stdout.write(`\n${signal}: finishing what is being handled. Once more ends it at once.\n`);
  setTimeout(() => {
    process.stderr.write(
      `Not everything ended within ${secondsMax} s. What was held is taken over when its lease ends.\n`,
    );
    exitNow(1);
  }, secondsMax * 1000).unref();
  try {
    const { failed } = await (await starting).stop();
    process.stdout.write(
      failed.length === 0 ? "Stopped.\n" : `Stopped, but not in order: ${failed.join(", ")}.\n`,
    );
    process.exit(failed.length === 0 ? 0 : 1);
  } catch {
    // The start itself failed meanwhile; run() says why.
  }
}

try {
  await (process.argv[2] === MORTAL_WORKER ? liveAsMortalWorker() : run());
} catch (error) {
  if (!(error instanceof StartRefused)) throw error;
  process.stderr.write(`\nEinmal does not start.\n\n${error.message}\n\n`);
  exitNow(1);
}
