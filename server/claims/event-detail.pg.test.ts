import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { appendAudit, type AuditEntry } from "../audit/append.ts";
import { eventDeliveries } from "../db/schema/event-deliveries.ts";
import { user } from "../db/schema/sign-in.ts";
import { deadEvent, processedEvent, queuedEvent, recordedEvent, twinOf } from "../testing/builders.ts";
import { grantedOrder } from "../testing/order-builders.ts";
import { useDatabase } from "../testing/use-database.ts";
import { readEventDetail } from "./event-detail.ts";

const database = useDatabase();
const read = (eventId: string) => readEventDetail(database().db, { eventId, role: "support" });

function replayOf(eventId: string, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    actor: { id: "operator_1", role: "ops" },
    action: "event.replay",
    target: { kind: "event", id: eventId },
    result: "done",
    refusalCode: null,
    reason: "The price has credits now.",
    before: { phase: "dead", attempt: 1 },
    after: { phase: "queued", attempt: 1 },
    requestId: null,
    ...more,
  };
}

describe("one event", () => {
  test("shows what came in, what was tried, what it brought about and who acted on it", async () => {
    const { db } = database();
    const order = await grantedOrder(db);
    const eventId = await processedEvent(db, { eventId: order.eventId, orderId: order.orderId });
    const twin = await twinOf(db, eventId);
    await db.insert(user).values({ id: "operator_1", name: "Olga", email: "olga@example.test", role: "ops" });
    await db.transaction((tx) => appendAudit(tx, replayOf(eventId)));
    const refused = { result: "refused", refusalCode: "event_settled" } as const;
    const stranger = { id: "operator_gone", role: "admin" } as const;
    await db.transaction((tx) => appendAudit(tx, replayOf(eventId, { ...refused, actor: stranger })));
    await db.transaction((tx) => appendAudit(tx, replayOf("evt_other")));

    const detail = await read(eventId);
    expect(detail.event).toMatchObject({ eventId, phase: "processed", outcome: "fulfilled", once: true });
    expect(detail.deliveries).toMatchObject([
      { eventId, verdict: "claimed", source: "webhook" },
      { eventId: twin, verdict: "twin" },
    ]);
    expect(detail.attempts).toMatchObject([{ attempt: 1, worker: "ada", result: "processed", error: null }]);
    expect(detail.effects).toMatchObject([{ orderId: order.orderId, kind: "grant_credits", credits: 100n }]);
    expect(detail.audit).toMatchObject([
      { sequence: 1n, actorName: "Olga", actorRole: "ops", result: "done", refusalCode: null },
      { sequence: 2n, actorName: null, result: "refused", refusalCode: "event_settled" },
    ]);
    expect(detail.audit[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test("is what a twin's id leads to", async () => {
    const eventId = await queuedEvent(database().db);
    const twin = await twinOf(database().db, eventId);
    expect((await read(twin)).event.eventId).toBe(eventId);
  });

  test("that never came in is unknown", async () => {
    await database()
      .db.insert(eventDeliveries)
      .values({ verdict: "unreadable", body: Buffer.from("[]") });
    await expect(read("evt_nobody")).rejects.toMatchObject({ code: "event_unknown" });
  });

  test("shows its payload redacted, says how long it is, and says so when it is gone or no JSON", async () => {
    const { db } = database();
    const body = '{"id":"evt_1","data":{"object":{"customer_email":"jane@shop.test"}}}';
    const whole = await read(await queuedEvent(db, { body }));
    expect(whole.payloadBytes).toBe(body.length);
    expect(JSON.stringify(whole.payload)).toContain('"evt_1"');
    expect(JSON.stringify(whole.payload)).not.toContain("jane");
    expect(await read(await queuedEvent(db))).toMatchObject({ payload: null, payloadBytes: null });
    expect(await read(await queuedEvent(db, { body: "{" }))).toMatchObject({
      payload: null,
      payloadBytes: 1,
    });
  });

  test("shows the newest hundred of its deliveries and counts them all", async () => {
    const { db } = database();
    const eventId = await queuedEvent(db, { ageSeconds: 60 });
    const redelivery = { eventId, winnerEventId: eventId, verdict: "redelivery" as const };
    await db.insert(eventDeliveries).values(Array.from({ length: 149 }, () => redelivery));
    const { deliveries, deliveryCount } = await read(eventId);
    expect(deliveryCount).toBe(150);
    expect(deliveries).toHaveLength(100);
    expect(deliveries.map((one) => one.verdict)).not.toContain("claimed");
    const ids = deliveries.map((one) => Number(one.id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  test("says nothing of a code that this version does not know", async () => {
    const { db } = database();
    const dead = await deadEvent(db, { lastErrorCode: "of_a_later_version" });
    expect((await read(dead)).event).toMatchObject({ errorCode: null, error: expect.any(String) });
    const recorded = await recordedEvent(db, { lastErrorCode: "account_not_served", occurredAt: null });
    expect((await read(recorded)).event).toMatchObject({ errorCode: "account_not_served", occurredAt: null });
  });

  test("tells of a lease without an end that it waits for a person", async () => {
    const stale = await queuedEvent(database().db, { dueAt: sql`'infinity'` });
    expect((await read(stale)).event.dueAt).toBeNull();
  });
});
