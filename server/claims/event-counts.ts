import type { EventCounts } from "#shared/desk-views.ts";
import type { Db } from "../db/client.ts";
export async function countEvents(_db: Db): Promise<EventCounts> {
  throw new Error("Not there yet.");
}
export async function listEventTypes(_db: Db): Promise<string[]> {
  throw new Error("Not there yet.");
}
