import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, inject } from "vitest";
import { type Database, openDatabase } from "../db/client.ts";
import { urlOf } from "./database-cluster.ts";

let made = 0;

export interface TestDatabase extends Database {
  url: string;
  /** Empties every table once more: for a test that starts anew many times. */
  empty: () => Promise<void>;
}

/**
 * A database of this test file's own, cloned from the migrated template and emptied before each test.
 * Returns a getter, since the database exists only once the file's tests run.
 */
export function useDatabase(): () => TestDatabase {
  let database: TestDatabase | undefined;
  const serverUrl = inject("databaseServerUrl");
  const name = `einmal_test_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${Date.now().toString(36)}_${made++}`;

  beforeAll(async () => {
    await asAdmin(serverUrl, `create database ${name} template ${inject("databaseTemplate")}`);
    const url = urlOf(serverUrl, name);
    const opened = openDatabase({ url, connectionsMax: 20, applicationName: "einmal-test" });
    database = { ...opened, url, empty: () => emptyDatabase(opened) };
  });
  beforeEach(async () => {
    await emptyDatabase(getOrFail(database));
  });
  afterAll(async () => {
    await database?.close();
    await asAdmin(serverUrl, `drop database ${name} with (force)`);
  });
  return () => getOrFail(database);
}

function getOrFail(database: TestDatabase | undefined): TestDatabase {
  if (!database) throw new Error("Bug! The database is there only inside tests.");
  return database;
}

async function asAdmin(serverUrl: string, statement: string): Promise<void> {
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  try {
    await admin.unsafe(statement);
  } finally {
    await admin.end();
  }
}

/**
 * Empties every table. Append-only triggers and foreign keys stand in the way, so they sleep for it. DELETE and not
 * TRUNCATE: tests leave few rows, and a truncated table gets a new file on disk each time.
 */
async function emptyDatabase({ sql }: Database): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    const tables = await tx<{ name: string }[]>`
      select quote_ident(relname) as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> 'audit_chain_head'`;
    await tx.unsafe(tables.map((table) => `delete from ${table.name}`).join("; "));
    await tx`update audit_chain_head set entries = 0, hash = ''::bytea`;
  });
}
