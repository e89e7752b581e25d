import { chmodSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { findServer } from "../db/embedded/cluster.ts";

/** An empty folder for an Einmal with a database of its own. */
export function makeOwnFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "einmal-own-"));
  // The account of PostgreSQL may enter when the tests run as root.
  chmodSync(folder, 0o755);
  return folder;
}

/** A connection to the database that runs in the folder, whether its Einmal still lives or not. */
export function openOwnDatabase(folder: string): postgres.Sql {
  const server = findServer(join(folder, "postgres"));
  const password = readFileSync(join(folder, "database-password"), "utf8");
  return postgres(`postgres://postgres:${password}@127.0.0.1:${server?.port}/einmal`, { max: 1 });
}
