import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { packageRoot } from "../package-root.ts";

// Any fixed number: whoever migrates this database must take the same one.
const MIGRATION_LOCK = 4_242_001;

/**
 * Brings the database at `url` to the newest schema. Safe to call from many processes at once: an advisory lock
 * lets one migrate and the others wait, then find nothing to do. `url` must be a direct connection, since the
 * lock belongs to a session, which a transaction pooler would hand around.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await migrate(drizzle(sql), { migrationsFolder: join(packageRoot(), "server/db/migrations") });
  } finally {
    await sql.end();
  }
}
