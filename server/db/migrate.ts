import { readFileSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { z } from "zod";
import { packageRoot } from "../package-root.ts";
import { StartRefused } from "../start-refused.ts";
import type { Database } from "./client.ts";

// Any fixed number: whoever migrates this database must take the same one.
const MIGRATION_LOCK = 4_242_001;
const SERVER_VERSION_MIN = 150_000;

/**
 * Brings the database at `url` to the newest schema. Safe to call from many processes at once: an advisory lock
 * lets one migrate and the others wait, then find nothing to do. `url` must be a direct connection, since the
 * lock belongs to a session, which a transaction pooler would hand around.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    await checkServer(sql, url);
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await migrate(drizzle(sql), { migrationsFolder: migrationsFolder() });
    // A payload must find the partition of its month; a start is the one moment that surely comes within a year.
    await sql`select ensure_payload_partitions()`;
  } finally {
    await sql.end();
  }
}

/** Is every migration that this version knows applied? A newer database is fine: its columns were added. */
export async function isMigrated(sql: Database["sql"]): Promise<boolean> {
  const [newest] = await sql<{ createdAt: string }[]>`
    select created_at as "createdAt" from drizzle.__drizzle_migrations order by created_at desc limit 1`;
  return newest !== undefined && Number(newest.createdAt) >= newestKnown();
}

async function checkServer(sql: postgres.Sql, url: string): Promise<void> {
  let version: number;
  try {
    const [row] = await sql<{ version: string }[]>`select current_setting('server_version_num') as version`;
    version = Number(row?.version);
  } catch (cause) {
    throw new StartRefused(describeFailure(url, cause), { cause });
  }
  if (version < SERVER_VERSION_MIN) {
    const major = Math.floor(version / 10_000);
    throw new StartRefused(
      `The database runs PostgreSQL ${major}; Einmal needs 15 or newer. Upgrade the server.`,
    );
  }
}

function describeFailure(url: string, cause: unknown): string {
  const { hostname, port, pathname, username } = new URL(url);
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const where = `${hostname}:${port || "5432"}`;
  if (code === "28P01" || code === "28000") {
    return `The database at ${where} refuses the user ${username}. Check user and password in DATABASE_URL.`;
  }
  if (code === "3D000") {
    const name = decodeURIComponent(pathname.slice(1));
    return `The server at ${where} has no database ${name}. Make it first: createdb ${name}`;
  }
  return (
    `The database at ${where} does not answer (${code || String(cause)}).\n` +
    "Check that the server runs and that DATABASE_URL (and DATABASE_DIRECT_URL, if set) names it."
  );
}

function migrationsFolder(): string {
  return join(packageRoot(), "server/db/migrations");
}

function newestKnown(): number {
  const journal = z
    .object({ entries: z.array(z.object({ when: z.number() })) })
    .parse(JSON.parse(readFileSync(join(migrationsFolder(), "meta/_journal.json"), "utf8")));
  return Math.max(...journal.entries.map((entry) => entry.when));
}
