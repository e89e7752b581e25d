import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { makeCluster, startCluster } from "../db/embedded/cluster.ts";
import { killableServer } from "../db/embedded/killable-server.ts";
import { postgresAccount } from "../db/embedded/postgres-account.ts";
import { freePort } from "../free-port.ts";

export interface PostgresServer {
  url: string;
  /** A folder that goes with the server. */
  folder: string;
  /** SIGKILL: no goodbye to anybody, nothing written that was not written before. */
  killHard: () => Promise<void>;
  /** Starts it again on what is on the disk, at the same address. */
  startAgain: () => Promise<void>;
  stop: () => Promise<void>;
}

const DATABASE = "einmal";

/** A PostgreSQL of its own that may be killed. With the durability of every other one, since that is what is tried. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "einmal-killable-"));
  // The account of PostgreSQL may enter when this runs as root.
  chmodSync(folder, 0o755);
  const dataFolder = join(folder, "postgres");
  const account = postgresAccount();
  const port = await freePort();
  await makeCluster({ dataFolder, account, password: "matrix" });
  const options = { dataFolder, account, port, logFile: join(folder, "postgres.log") };
  const server = killableServer(await startCluster(options), options);

  const address = (database: string) => `postgres://postgres:matrix@127.0.0.1:${port}/${database}`;
  const admin = postgres(address("postgres"), { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${DATABASE}`);
  await admin.end();

  return {
    url: address(DATABASE),
    folder,
    killHard: server.kill,
    startAgain: server.startAgain,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
