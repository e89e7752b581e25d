import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import postgres from "postgres";
import { freePort } from "../../free-port.ts";
import { StartRefused } from "../../start-refused.ts";
import { postgresBinaries } from "./binaries.ts";
import { findServer, makeCluster, removeLeftPidFile, startCluster, stopServer } from "./cluster.ts";
import { killableServer } from "./killable-server.ts";
import { lockFolder } from "./folder-lock.ts";
import { checkReach, type PostgresAccount, postgresAccount } from "./postgres-account.ts";

export interface EmbeddedDatabase {
  url: string;
  /** What the start found and mended, for the person who started it. */
  notes: string[];
  /** Settles when the server has ended, other than to be started again. */
  ended: Promise<void>;
  stop: () => Promise<void>;
  /** Tells the server to stop and does not wait: for a process that must end this instant. */
  abandon: () => void;
  /**
   * Kills the server with SIGKILL and starts it again at the same address: for the sandbox's trials. Everybody's
   * connection breaks, and what was committed is there again. Rejects if it does not come back; `ended` settles then.
   */
  killAndRestart: () => Promise<void>;
}

const POSTGRES_MAJOR = "18";
const DATABASE = "einmal";
/** Held for as long as Einmal uses the embedded database. Any fixed number of our own. */
const OWNER_LOCK = 4_242_003;

export interface EmbeddedFolder {
  start: () => Promise<EmbeddedDatabase>;
  release: () => void;
}

/**
 * Makes this process the only one that uses the folder. The first step of a start, taken before anything else is:
 * a second Einmal is then told about the first one, and not about a port that the first one holds.
 */
export function claimEmbeddedFolder(folderGiven: string): EmbeddedFolder {
  const folder = resolve(folderGiven);
  makeFolder(folder);
  const account = postgresAccount();
  checkReach(folder, account);
  checkReach(postgresBinaries().folder, account);
  const release = lockFolder(folder);
  return { release, start: () => startEmbedded({ folder, account }) };
}

/**
 * Starts the PostgreSQL that lives in the folder, making it at the first start. Whatever a killed process left
 * behind is put in order; data is never deleted.
 */
async function startEmbedded(place: { folder: string; account: PostgresAccount }): Promise<EmbeddedDatabase> {
  const { folder, account } = place;
  const notes: string[] = [];
  const dataFolder = join(folder, "postgres");
  const password = await ensureCluster({ folder, dataFolder, account, notes });
  await stopOrphan({ dataFolder, password, notes });
  removeLeftPidFile(dataFolder);

  const { server, port } = await startOnFreePort({ folder, dataFolder, account });
  try {
    const address = (database: string) => addressOf({ password, port, database });
    await ensureDatabase(address("postgres"));
    let owner = await becomeOwner(address(DATABASE));
    return {
      url: address(DATABASE),
      notes,
      ended: server.ended,
      abandon: server.abandon,
      stop: async () => {
        await owner.end({ timeout: 1 });
        await server.stop();
      },
      // Nobody takes the folder over meanwhile: its lock file is ours.
      killAndRestart: async () => {
        await server.kill();
        await owner.end({ timeout: 1 });
        await server.startAgain();
        owner = await becomeOwner(address(DATABASE));
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    // The account of PostgreSQL goes through it to its own folder; what is secret in here has a mode of its own.
    if (process.getuid?.() === 0) chmodSync(folder, 0o755);
    const probe = join(folder, `.probe-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartRefused(
      `Einmal cannot write to its folder ${folder} (${reason}).\n` +
        "It keeps the database there. Give the folder to the user that runs Einmal, set EINMAL_FOLDER to another\n" +
        "one, or set DATABASE_URL to a PostgreSQL of your own.",
      { cause },
    );
  }
}

interface ClusterPlace {
  folder: string;
  dataFolder: string;
  account: PostgresAccount;
  notes: string[];
}

/** Makes the cluster if there is none, and returns the superuser's password. */
async function ensureCluster({ folder, dataFolder, account, notes }: ClusterPlace): Promise<string> {
  const passwordFile = join(folder, "database-password");
  const making = `${dataFolder}.making`;
  if (existsSync(making)) {
    // Renamed when initdb has succeeded, so that no server ever ran on it and it holds nobody's data.
    rmSync(making, { recursive: true });
    rmSync(`${making}.password`, { force: true });
    notes.push("A first start was interrupted while it made the database; it was made anew.");
  }
  if (isEmptyFolder(dataFolder)) rmdirSync(dataFolder);
  if (existsSync(dataFolder)) {
    checkCluster(dataFolder, account);
    return readPassword(passwordFile, dataFolder);
  }

  const password = randomBytes(24).toString("base64url");
  await makeCluster({ dataFolder: making, account, password });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  renameSync(making, dataFolder);
  return password;
}

/** Refuses what is not a whole cluster of ours, saying what to do with it. */
function checkCluster(dataFolder: string, account: PostgresAccount): void {
  const aside = `Move it away and start again, for an empty database:\n  mv ${dataFolder} ${dataFolder}.old`;
  for (const part of ["PG_VERSION", "global/pg_control", "base", "pg_wal", "postgresql.conf"]) {
    if (existsSync(join(dataFolder, part))) continue;
    throw new StartRefused(
      `The data folder ${dataFolder} is not a whole database: ${part} is missing.\n` +
        `It was made half, or part of it was deleted. If you have a backup, put it there. Else:\n${aside}`,
    );
  }
  const version = readFileSync(join(dataFolder, "PG_VERSION"), "utf8").trim();
  if (version !== POSTGRES_MAJOR) {
    throw new StartRefused(
      `The data folder ${dataFolder} belongs to PostgreSQL ${version}; this Einmal brings ${POSTGRES_MAJOR}.\n` +
        `Move the data over with pg_dump of version ${version}, or run the Einmal that made it. ${aside}`,
    );
  }
  const owner = statSync(dataFolder).uid;
  const wanted = account?.uid ?? process.getuid?.() ?? owner;
  if (owner !== wanted) {
    throw new StartRefused(
      `The data folder ${dataFolder} belongs to the system user ${owner}, but PostgreSQL would run as ${wanted}.\n` +
        `Start Einmal as the user who started it first, or give it over: sudo chown -R ${wanted} ${dataFolder}`,
    );
  }
}

function readPassword(passwordFile: string, dataFolder: string): string {
  try {
    return readFileSync(passwordFile, "utf8");
  } catch (cause) {
    throw new StartRefused(
      `The database in ${dataFolder} is there, but its password is not: ${passwordFile} cannot be read.\n` +
        "Put that file back from a backup, and mind that only the user that runs Einmal may read it.",
      { cause },
    );
  }
}

/** A server that outlived its Einmal (kill -9) is stopped in good order, unless another Einmal still uses it. */
async function stopOrphan(place: { dataFolder: string; password: string; notes: string[] }): Promise<void> {
  const server = findServer(place.dataFolder);
  if (server === null) return;
  const url = addressOf({ password: place.password, port: server.port, database: DATABASE });
  // A server that cannot be asked (still starting, without our database) has no owner either.
  const owner = await becomeOwner(url).catch((error: unknown) => {
    if (error instanceof StartRefused) throw error;
    return null;
  });
  await owner?.end({ timeout: 1 });
  await stopServer(server.pid);
  place.notes.push(
    `A database of an Einmal that was killed still ran (process ${server.pid}); it was stopped.`,
  );
}

async function startOnFreePort(place: { folder: string; dataFolder: string; account: PostgresAccount }) {
  const logFile = join(place.folder, "postgres.log");
  // The log of the run before stays: it may say why that run ended.
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.before`);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      const { dataFolder, account } = place;
      const options = { dataFolder, account, port, logFile };
      return { server: killableServer(await startCluster(options), options), port };
    } catch (error) {
      // Between finding a port free and using it, somebody else may take it.
      const isPortTaken = readFileSync(logFile, "utf8").includes("Address already in use");
      if (!isPortTaken || attempt === 5) throw error;
    }
  }
}

function addressOf(place: { password: string; port: number; database: string }): string {
  return `postgres://postgres:${place.password}@127.0.0.1:${place.port}/${place.database}`;
}

async function ensureDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const found = await sql`select 1 from pg_database where datname = ${DATABASE}`;
    if (found.length === 0) await sql`create database ${sql(DATABASE)}`;
  } finally {
    await sql.end();
  }
}

/**
 * Takes the lock that says an Einmal lives on this database. The connection holds it until it ends, even by
 * kill -9: this is true where a file can only claim.
 */
async function becomeOwner(url: string): Promise<postgres.Sql> {
  const sql = postgres(url, {
    max: 1,
    max_lifetime: null, // The lock belongs to the session: the driver must not renew it in passing.
    connection: { application_name: `einmal-owner-${process.pid}` },
    connect_timeout: 5,
    onnotice: () => {},
  });
  try {
    const [row] = await sql<{ isOwner: boolean }[]>`select pg_try_advisory_lock(${OWNER_LOCK}) as "isOwner"`;
    if (row?.isOwner) return sql;
    const [other] = await sql<{ name: string }[]>`
      select application_name as name from pg_stat_activity where application_name like 'einmal-owner-%'
      and pid in (select pid from pg_locks where locktype = 'advisory' and objid = ${OWNER_LOCK} and granted)`;
    const pid = other?.name.replace("einmal-owner-", "") ?? "unknown";
    throw new StartRefused(
      `Einmal already runs on this database (process ${pid}), though its lock file is gone.\nStop it first: kill ${pid}`,
    );
  } catch (error) {
    await sql.end({ timeout: 1 });
    throw error;
  }
}

function isEmptyFolder(path: string): boolean {
  return existsSync(path) && readdirSync(path).length === 0;
}
