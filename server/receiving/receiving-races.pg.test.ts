import { describe, expect, test } from "vitest";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { useDatabase } from "../testing/use-database.ts";
import { useWebhookDoor } from "../testing/webhook-door.ts";

const database = useDatabase();
const openDoor = useWebhookDoor(database);
const completed = (id: string, objectId: string) => ({
  id,
  object: "event",
  type: "checkout.session.completed",
  livemode: false,
  data: { object: { id: objectId } },
});

/** Another process has written the claim and not yet committed it. `end` is how it goes on. */
async function withPendingClaim(
  eventId: string,
  work: (end: (how: "commit" | "rollback") => Promise<void>) => Promise<void>,
): Promise<void> {
  const other = await database().sql.reserve();
  try {
    await other`begin`;
    await other`insert into processed_stripe_events (event_id, event_type, object_id, status, once, livemode)
      values (${eventId}, 'checkout.session.completed', 'cs_1', 'processing', true, false)`;
    await work(async (how) => void (await other.unsafe(how)));
  } finally {
    await other`rollback`;
    other.release();
  }
}

async function somebodyWaits(): Promise<void> {
  const { sql } = database();
  await expect
    .poll(async () => (await sql`select from pg_locks where not granted`).length, {
      interval: 5,
      timeout: 10_000,
    })
    .toBeGreaterThan(0);
}

describe("a batch behind a long transaction on its winner", () => {
  test.for([
    ["evt_1", "redelivery"],
    ["evt_2", "twin"],
  ])("finds, once that is committed, that %s is a %s", async ([eventId, verdict]) => {
    const door = await openDoor();
    await withPendingClaim("evt_1", async (end) => {
      const answer = door.post(completed(eventId ?? "", "cs_1"));
      await somebodyWaits();
      await end("commit");
      expect(await answer).toMatchObject({ status: 200, body: { verdict } });
    });
    expect(await database().db.$count(events)).toBe(1);
  });

  test("makes the claim itself, once that is rolled back", async () => {
    const door = await openDoor();
    await withPendingClaim("evt_1", async (end) => {
      const answer = door.post(completed("evt_2", "cs_1"));
      await somebodyWaits();
      await end("rollback");
      expect(await answer).toMatchObject({ status: 200, body: { verdict: "claimed" } });
    });
    expect(await database().db.select().from(events)).toMatchObject([{ eventId: "evt_2" }]);
  });

  test("that never ends is answered 503 within Stripe's patience, and nothing of it is half-written", async () => {
    const door = await openDoor();
    await withPendingClaim("evt_1", async () => {
      expect(await door.post(completed("evt_2", "cs_1"))).toMatchObject({ status: 503 });
    });
    expect(await database().db.$count(events)).toBe(0);
    expect(await door.post(completed("evt_2", "cs_1"))).toMatchObject({
      status: 200,
      body: { verdict: "claimed" },
    });
  });
});
