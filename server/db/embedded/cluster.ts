import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { StartRefused } from "../../start-refused.ts";
import { postgresBinaries } from "./binaries.ts";
import type { PostgresAccount } from "./postgres-account.ts";
import { commandLine, processIdentity, waitForEnd } from "./processes.ts";

export interface ClusterOptions {
  dataFolder: string;
  account: PostgresAccount;
}

export interface StartOptions extends ClusterOptions {
  port: number;
  logFile: string;
  /** Extra `-c name=value` settings for the server. */
  settings?: Record<string, string>;
}

export interface Cluster {
  /** Settles when the server process has ended, for whatever reason. */
  ended: Promise<void>;
  stop: () => Promise<void>;
  /** Tells the server to stop and does not wait. */
  abandon: () => void;
  /** SIGKILL, and returns when the server is gone. Its children follow a little later. */
  kill: () => Promise<void>;
}

/** How long a shutdown may take that ends sessions and writes what is in memory to the disk. */
const FAST_SHUTDOWN_SECONDS_MAX = 30;

/** Makes an empty cluster in a folder that does not exist yet or is empty. The superuser is `postgres`. */
export async function makeCluster(options: ClusterOptions & { password: string }): Promise<void> {
  const { dataFolder, account } = options;
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const passwordFile = `${dataFolder}.password`;
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 });
  if (account) for (const path of [dataFolder, passwordFile]) chownSync(path, account.uid, account.gid);
  try {
    const initdb = spawn(
      postgresBinaries().initdb,
      [
        `--pgdata=${dataFolder}`,
        "--username=postgres",
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        // The machine's locale must not decide how text sorts or which bytes it may hold.
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
      ],
      { ...account, env: environment(), detached: true, stdio: ["ignore", "ignore", "pipe"] },
    );
    let complaint = "";
    initdb.stderr.on("data", (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    const code = await exitCode(initdb);
    if (code !== 0) throw new StartRefused(`PostgreSQL could not make its data folder.\n${complaint.trim()}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/**
 * Starts the server of a cluster, on 127.0.0.1 only, and waits until it answers. It runs in a session of its
 * own: the terminal's Ctrl-C reaches us, and we stop the server once nothing needs it any more.
 */
export async function startCluster(options: StartOptions): Promise<Cluster> {
  const log = openSync(options.logFile, "a", 0o600);
  // No socket file: with a fixed folder for those, two installations could meet.
  const settings = { listen_addresses: "127.0.0.1", unix_socket_directories: "", ...options.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(
    postgresBinaries().postgres,
    ["-D", options.dataFolder, "-p", String(options.port), ...flags],
    { ...options.account, env: environment(), detached: true, stdio: ["ignore", log, log] },
  );
  closeSync(log);
  const ended = exitCode(server).then(() => {});
  const pid = server.pid;
  if (pid === undefined) {
    await ended;
    throw new Error("Bug! A process without a number has not started, and says so.");
  }

  await waitUntilReady(pid, server, options);
  return {
    ended,
    abandon: () => signal(pid, "SIGINT"),
    kill: async () => {
      signal(pid, "SIGKILL");
      await ended;
    },
    stop: async () => {
      await stopServer(pid);
      await ended;
    },
  };
}

/** The process number of a server that still runs on the folder: the orphan of a killed process, or null. */
export function findServer(dataFolder: string): { pid: number; port: number } | null {
  const [pidLine, , , portLine] = readPidFile(dataFolder);
  const pid = Number(pidLine);
  const isServer = pid > 1 && processIdentity(pid) !== null && commandLine(pid).includes(`-D ${dataFolder}`);
  return isServer ? { pid, port: Number(portLine) } : null;
}

/**
 * Removes the note that a killed server left. PostgreSQL would do so itself, but not when the number it names
 * has since been given to another process of the same user.
 */
export function removeLeftPidFile(dataFolder: string): void {
  if (findServer(dataFolder) === null) rmSync(join(dataFolder, "postmaster.pid"), { force: true });
}

/** Ends sessions, writes everything to the disk, and returns when the server is gone. */
export async function stopServer(pid: number): Promise<void> {
  signal(pid, "SIGINT");
  if (await waitForEnd(pid, FAST_SHUTDOWN_SECONDS_MAX)) return;
  // Immediate shutdown: nothing committed is lost, the next start recovers from the log.
  signal(pid, "SIGQUIT");
  if (await waitForEnd(pid, 10)) return;
  throw new StartRefused(`PostgreSQL (process ${pid}) does not stop. Stop it by hand: kill -QUIT ${pid}`);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return;
    throw error;
  }
}

async function waitUntilReady(pid: number, server: ChildProcess, options: StartOptions): Promise<void> {
  // Recovery after a crash takes as long as it takes; what ends the wait is the server's end.
  while (server.exitCode === null && server.signalCode === null) {
    const lines = readPidFile(options.dataFolder);
    if (Number(lines[0]) === pid && lines[7]?.trim() === "ready") return;
    await delay(20);
  }
  throw new StartRefused(
    `PostgreSQL did not start on ${options.dataFolder}. The last lines of ${options.logFile}:\n\n${lastLines(options.logFile)}`,
  );
}

/** Line 1 is the process, 4 the port, 8 the state: the layout that PostgreSQL's own pg_ctl reads. */
function readPidFile(dataFolder: string): string[] {
  try {
    return readFileSync(join(dataFolder, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
}

function lastLines(path: string): string {
  return readFileSync(path, "utf8").trimEnd().split("\n").slice(-8).join("\n");
}

/** Little is passed on: PGPORT, PGDATA and the like would change what the programs do, and our secrets are ours. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
}

function exitCode(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", (cause) =>
      reject(
        new StartRefused(
          `PostgreSQL could not be run (${cause.message}). Set DATABASE_URL to a PostgreSQL of your own (15 or newer).`,
          { cause },
        ),
      ),
    );
    child.once("exit", (code) => resolve(code));
  });
}
