import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { findServer, makeCluster, startCluster, stopServer } from "../db/embedded/cluster.ts";
import { processIdentity } from "../db/embedded/processes.ts";
import { postgresAccount } from "../db/embedded/postgres-account.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { freePort } from "../free-port.ts";

declare module "vitest" {
  interface ProvidedContext {
    databaseServerUrl: string;
    databaseTemplate: string;
  }
}

/**
 * One PostgreSQL server for a whole test run: the embedded one, or the one `TEST_DATABASE_URL` names (a
 * superuser's address). Its template database is migrated once; each test file clones it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const cluster = given ? { url: given, stop: async () => {} } : await startEmbedded();
  const template = `einmal_template_${process.pid}`;

  const admin = postgres(cluster.url, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${template}`);
  await migrateDatabase(urlOf(cluster.url, template));

  project.provide("databaseServerUrl", cluster.url);
  project.provide("databaseTemplate", template);
  return async () => {
    await admin.unsafe(`drop database ${template} with (force)`);
    await admin.end();
    await cluster.stop();
  };
}

/** The same server's address with another database name. */
export function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

const FOLDER_PREFIX = "einmal-test-";

/** Ends the servers of test runs that were killed before they could: nobody else would, until the machine stops. */
async function sweepLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(FOLDER_PREFIX))) {
    const folder = join(tmpdir(), name);
    const ownerFile = join(folder, "owner");
    if (!existsSync(ownerFile)) continue;
    const [pid = "", identity] = readFileSync(ownerFile, "utf8").split("\n");
    if (processIdentity(Number(pid)) === identity) continue;
    const server = findServer(join(folder, "postgres"));
    if (server) await stopServer(server.pid);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startEmbedded() {
  await sweepLeftovers();
  const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX));
  await chmod(folder, 0o755);
  writeFileSync(join(folder, "owner"), `${process.pid}\n${processIdentity(process.pid)}`);
  const dataFolder = join(folder, "postgres");
  const account = postgresAccount();
  const port = await freePort();
  await makeCluster({ dataFolder, account, password: "test" });
  const server = await startCluster({
    dataFolder,
    account,
    port,
    logFile: join(folder, "postgres.log"),
    // A test database may be lost in a crash; waiting for the disk would only slow the run.
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" },
  });
  return {
    url: `postgres://postgres:test@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
