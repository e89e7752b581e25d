import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";

export type Db = PostgresJsDatabase<Record<string, never>>;
/** An open transaction: functions that take it write in it and cannot commit. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

export interface Database {
  db: Db;
  /** The driver itself, for LISTEN and for statements Drizzle has no words for. */
  sql: postgres.Sql;
  close: () => Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** Connections of this process's pool. */
  connectionsMax: number;
  applicationName: string;
}

/** Opens a pool. Nothing connects until the first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const sql = postgres(options.url, {
    max: options.connectionsMax,
    connection: { application_name: options.applicationName, TimeZone: "UTC" },
    onnotice: () => {},
    connect_timeout: 10,
  });
  return {
    db: drizzle(sql, { casing: "snake_case" }),
    sql,
    close: () => sql.end({ timeout: 5 }),
  };
}
