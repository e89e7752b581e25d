import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { embeddedPostgres } from "../db/embedded.ts";
import { migrateDatabase } from "../db/migrate.ts";

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
export default async function startCluster(project: TestProject): Promise<() => Promise<void>> {
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
  const dataFolder = await mkdtemp(join(tmpdir(), "einmal-test-"));
  const port = await freePort();
  const server = embeddedPostgres({
    dataFolder,
    port,
    password: "test",
    // A test database may be lost in a crash; waiting for the disk would only slow the run.
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" },
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:test@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** A TCP port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("Bug!")),
      );
    });
  });
}
