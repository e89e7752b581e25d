import { and, asc, desc, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { sandboxObjects } from "../db/schema/sandbox-objects.ts";
import type { ObjectStore, PageOptions } from "./emulator/object-store.ts";
import type { Kind, StripeKinds } from "./emulator/objects.ts";

/** Keeps the emulator's objects in the sandbox's own table, so that a second start finds them. */
export function postgresStore(db: Db): ObjectStore {
  return {
    get: async (kind, { account, id }) => {
      const [row] = await db
        .select({ body: bodyOf<typeof kind>() })
        .from(sandboxObjects)
        .where(and(eq(sandboxObjects.id, id), isOf(account, kind)));
      return row?.body ?? null;
    },
    put: async (kind, account, object) => {
      await db
        .insert(sandboxObjects)
        .values({ id: object.id, account, object: kind, body: object })
        .onConflictDoUpdate({
          target: [sandboxObjects.account, sandboxObjects.object, sandboxObjects.id],
          set: { body: sql`excluded.body` },
        });
    },
    list: async (kind, page) => {
      const goesBack = page.endingBefore !== undefined && page.startingAfter === undefined;
      const rows = await db
        .select({ body: bodyOf<typeof kind>() })
        .from(sandboxObjects)
        .where(and(isOf(page.account, kind), isBeyondCursor(kind, page), ...fieldsOf(page)))
        .orderBy(goesBack ? asc(sandboxObjects.sequence) : desc(sandboxObjects.sequence))
        .limit(page.limit + 1);
      const bodies = rows.map((row) => row.body);
      return goesBack ? bodies.toReversed() : bodies;
    },
    undeliveredEvents: async () => {
      const rows = await db
        .select({ body: bodyOf<"event">() })
        .from(sandboxObjects)
        .where(
          sql`${sandboxObjects.object} = 'event' and (${sandboxObjects.body} ->> 'pending_webhooks')::int > 0`,
        )
        .orderBy(asc(sandboxObjects.sequence));
      return rows.map((row) => row.body);
    },
  };
}

/** Only this store writes the table, and it writes a kind's objects under that kind. */
function bodyOf<K extends Kind>(): SQL<StripeKinds[K]> {
  return sql<StripeKinds[K]>`${sandboxObjects.body}`;
}

function isOf(account: string, kind: Kind): SQL | undefined {
  return and(eq(sandboxObjects.account, account), eq(sandboxObjects.object, kind));
}

function fieldsOf({ where = {} }: PageOptions): SQL[] {
  return Object.entries(where).map(([field, value]) => sql`${sandboxObjects.body} ->> ${field} = ${value}`);
}

function isBeyondCursor(kind: Kind, { account, startingAfter, endingBefore }: PageOptions): SQL | undefined {
  const sequenceOf = (id: string) => sql`(select cursor_row.sequence from ${sandboxObjects} as cursor_row
    where cursor_row.account = ${account} and cursor_row.object = ${kind} and cursor_row.id = ${id})`;
  if (startingAfter !== undefined) return lt(sandboxObjects.sequence, sequenceOf(startingAfter));
  if (endingBefore !== undefined) return gt(sandboxObjects.sequence, sequenceOf(endingBefore));
  return undefined;
}
