import { rmSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { makeCluster, startCluster } from "../db/embedded/cluster.ts";
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

async function startEmbedded() {
  const folder = await mkdtemp(join(tmpdir(), "einmal-test-"));
  await chmod(folder, 0o755);
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
