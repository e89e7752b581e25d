import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { idFrom } from "#shared/pasted-id.ts";
import { isStorable } from "./storable-text.ts";

/** Shorter beginnings fit too many ids to be worth a look, "evt_" and "cs_live_" among them. */
const BEGINNING_LENGTH_MIN = 8;
/** An id that belongs to more rows than this is no way to find one. */
export const FOUND_MAX = 200;

/** What a person pasted, as the id to look for; null if no row can hold it. */
export function searchedId(pasted: string): string | null {
  const id = idFrom(pasted);
  return id !== "" && isStorable(id) ? id : null;
}

/** True for the id itself and, for ids of at least eight characters, for every id that begins with it. */
function isIdOrBeginning(column: PgColumn, id: string): SQL {
  return id.length < BEGINNING_LENGTH_MIN ? sql`${column} = ${id}` : beginsWith(column, id);
}

/**
 * One way from an id to the rows it belongs to: `wanted` of the rows whose `column` is the id or begins with it. Each
 * way has its own limit, so that a beginning that fits a million ids reads few of them.
 */
export function rowsWith(column: PgColumn, { id, wanted }: { id: string; wanted: PgColumn }): SQL {
  return sql`(select ${wanted} from ${column.table} where ${isIdOrBeginning(column, id)} limit ${FOUND_MAX})`;
}

/** All that any of the ways leads to, once. */
export function unionOf(ways: SQL[]): SQL {
  return sql.join(ways, sql` union `);
}

/**
 * True for text that begins so. A range and no LIKE: ids and types are compared as bytes (migration 0004), so any index
 * that begins with the column serves it.
 */
export function beginsWith(column: PgColumn, beginning: string): SQL {
  return sql`(${column} >= ${beginning} and ${column} < ${beginning + LAST_CHARACTER})`;
}

/** Sorts behind every character that text can hold. */
const LAST_CHARACTER = "\u{10FFFF}";
