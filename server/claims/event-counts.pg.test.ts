import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { eventDeliveries } from "../db/schema/event-deliveries.ts";
import { deadEvent, processedEvent, queuedEvent, staleEvent, twinOf } from "../testing/builders.ts";
import { useDatabase } from "../testing/use-database.ts";
import { countEvents } from "./event-counts.ts";

const database = useDatabase();

test("an empty installation counts nothing", async () => {
  expect(await countEvents(database().db)).toMatchObject({
    phases: { queued: 0, held: 0, retrying: 0, stale: 0, dead: 0 },
    oldestUnfinishedAt: null,
    lastDay: { claimed: 0, redeliveries: 0, twins: 0, unreadable: 0 },
    lastReceivedAt: null,
  });
});

test("what is unfinished is counted by phase, with the age of the oldest", async () => {
  const { db } = database();
  await queuedEvent(db);
  await queuedEvent(db);
  await staleEvent(db, { ageSeconds: 7200 });
  await deadEvent(db, { ageSeconds: 3600 });
  await processedEvent(db, { ageSeconds: 9000 });
  const counts = await countEvents(db);
  expect(counts.phases).toEqual({ queued: 2, held: 0, retrying: 0, stale: 1, dead: 1 });
  expect(Math.round((counts.now.getTime() - (counts.oldestUnfinishedAt?.getTime() ?? 0)) / 1000)).toBe(7200);
});

test("the last day's arrivals are counted by what they were", async () => {
  const { db } = database();
  const eventId = await queuedEvent(db);
  await queuedEvent(db, { ageSeconds: 25 * 3600 });
  await twinOf(db, eventId);
  await db.insert(eventDeliveries).values([
    { eventId, winnerEventId: eventId, verdict: "redelivery" },
    { eventId, winnerEventId: eventId, verdict: "rearmed" },
    { verdict: "unreadable", body: Buffer.from("null"), receivedAt: sql`now() + interval '1 second'` },
  ]);
  const { lastDay, lastReceivedAt, now } = await countEvents(db);
  expect(lastDay).toEqual({ claimed: 1, redeliveries: 2, twins: 1, unreadable: 1 });
  expect(lastReceivedAt?.getTime()).toBeGreaterThan(now.getTime());
});
