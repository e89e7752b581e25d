import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import { PAGE_SIZE } from "#shared/desk-inputs.ts";
import type { Page } from "#shared/desk-views.ts";
import type { Db } from "./client.ts";

/** Where a page ended: the instant exact to the microsecond, which a JavaScript date is not, and the id. */
export interface Keyset {
  at: string;
  id: string;
}

const keyset = z.tuple([z.iso.datetime({ precision: 6 }), z.string().min(1).max(1000)]);

/** The instant of a column as text that PostgreSQL reads back unchanged. */
export function microseconds(column: PgColumn): SQL<string> {
  return sql<string>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** A cursor as a list gave it out, or null for the first page. One that no list gave out starts at the first page. */
export function parseCursor(cursor: string | undefined): Keyset | null {
  if (cursor === undefined) return null;
  try {
    const [at, id] = keyset.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    return { at, id };
  } catch {
    return null;
  }
}

function cursorOf({ at, id }: Keyset): string {
  return Buffer.from(JSON.stringify([at, id])).toString("base64url");
}

/** Makes a page of `PAGE_SIZE + 1` rows that were asked for: the one too many says that there are more. */
export async function pageOf<Row extends { now: Date; at: string }>(
  db: Db,
  rows: Row[],
  keysetOf: (row: Row) => Keyset,
): Promise<Page<Omit<Row, "now" | "at">>> {
  const shown = rows.slice(0, PAGE_SIZE);
  const last = rows.length > PAGE_SIZE ? shown.at(-1) : undefined;
  return {
    now: rows[0]?.now ?? (await databaseNow(db)),
    rows: shown.map(({ now: _now, at: _at, ...row }) => row),
    nextCursor: last ? cursorOf(keysetOf(last)) : null,
  };
}

/** The database's clock. */
async function databaseNow(db: Db): Promise<Date> {
  const [row] = await db.execute<{ now: string }>(sql`select now()::text as now`);
  return new Date(row?.now ?? Number.NaN);
}
