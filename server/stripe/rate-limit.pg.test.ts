import { expect, test } from "vitest";
import { useDatabase } from "../testing/use-database.ts";
import { TurnTooLate } from "./errors.ts";
import { takeStripeTurn } from "./rate-limit.ts";

const database = useDatabase();
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

test("turns to call one route are handed out one interval apart, whoever asks", async () => {
  const { db, sql } = database();
  const limit = { db, perSecond: 50 };
  const [before] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
  await Promise.all(
    Array.from({ length: 10 }, () => takeStripeTurn(limit, { route: "GET /a", deadline: inSeconds(60) })),
  );
  const [slot] = await sql<{ ahead: number }[]>`
    select extract(epoch from next_at - ${before?.at ?? ""}::timestamptz)::float8 as ahead from stripe_read_slots`;
  // Ten turns of a fiftieth of a second each cannot end earlier than this, by the database's clock.
  expect(slot?.ahead).toBeGreaterThanOrEqual(0.2);
});

test("each route has turns of its own", async () => {
  const limit = { db: database().db, perSecond: 0.001 };
  await takeStripeTurn(limit, { route: "GET /a", deadline: inSeconds(5) });
  await takeStripeTurn(limit, { route: "GET /b", deadline: inSeconds(5) });
  expect(await database().sql`select from stripe_read_slots`).toHaveLength(2);
});

// Slots that nobody uses would push everybody's turns out, until no call starts at all.
test("turns that are refused are not used up", async () => {
  const limit = { db: database().db, perSecond: 1 };
  const deadline = inSeconds(0.5);
  await takeStripeTurn(limit, { route: "GET /a", deadline });
  const refused = Array.from({ length: 30 }, () => takeStripeTurn(limit, { route: "GET /a", deadline }));
  expect((await Promise.allSettled(refused)).map((one) => one.status)).not.toContain("fulfilled");
  const [slot] = await database().sql<{ ahead: number }[]>`
    select extract(epoch from next_at - clock_timestamp())::float8 as ahead from stripe_read_slots`;
  expect(slot?.ahead).toBeLessThan(2);
});

test("a turn that would come after the deadline is refused at once, not waited for", async () => {
  const limit = { db: database().db, perSecond: 0.001 };
  await takeStripeTurn(limit, { route: "GET /a", deadline: inSeconds(5) });
  await expect(takeStripeTurn(limit, { route: "GET /a", deadline: inSeconds(5) })).rejects.toBeInstanceOf(
    TurnTooLate,
  );
});
