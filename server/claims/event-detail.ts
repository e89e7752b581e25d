import type { EventDetail } from "#shared/desk-views.ts";
import type { Role } from "#shared/roles.ts";
import type { Db } from "../db/client.ts";
export async function readEventDetail(
  _db: Db,
  _which: { eventId: string; role: Role },
): Promise<EventDetail> {
  throw new Error("Not there yet.");
}
