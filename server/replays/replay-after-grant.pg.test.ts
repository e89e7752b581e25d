import { beforeEach, describe, expect, test } from "vitest";
import { verifyAudit } from "../audit/verify.ts";
import { readEventDetail } from "../claims/event-detail.ts";
import { auditEntries } from "../db/schema/audit-entries.ts";
import { catalogItems } from "../db/schema/catalog-items.ts";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { useDatabase } from "../testing/use-database.ts";
import { forecastReplay } from "./forecast.ts";
import { requestReplay } from "./request.ts";

const database = useDatabase();
const { stripe, deliver, redeliver, drain, state, granted } = useFulfilment(database);
const ORDER = { order_id: "order_1", user_id: "user_1" };
const rules = { accounts: [], attemptsMax: 8 };
const REASON = "The customer says that nothing came.";

const forecast = (eventId: string) => forecastReplay(database().db, { eventId, rules });
const entries = () => database().db.select().from(auditEntries).orderBy(auditEntries.sequence);

/** An operator replays what they see, at once or on a picture they have had open for a while. */
async function replay(
  eventId: string,
  asked: {
    operatorId?: string;
    role?: "support" | "ops";
    reason?: string;
    seen?: Awaited<ReturnType<typeof forecast>>;
  } = {},
) {
  const seen = asked.seen ?? (await forecast(eventId));
  return await requestReplay(
    database().db,
    {
      requestId: crypto.randomUUID(),
      eventId,
      expectedAttempt: seen.attempt,
      expectedPhase: seen.phase,
      reason: asked.reason ?? REASON,
    },
    {
      rules,
      operator: { id: asked.operatorId ?? "operator_1", role: asked.role ?? "ops" },
      onDue: () => {},
    },
  );
}

/** Everything a business could count twice. */
async function books() {
  const { orders, payments, effects, ledger, attempts } = await state();
  return { orders, payments, effects, ledger, attempts };
}

describe("an order that has its credits", () => {
  let eventId: string;
  beforeEach(async () => {
    const { sessionId } = await stripe().sessions.create({ metadata: ORDER });
    eventId = await deliver(sessionId);
    await drain();
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });

  // An increment without a key: each Resend added the credits again. C85
  test("keeps its balance when its event is sent again two weeks later, and nobody did anything", async () => {
    const before = await books();
    await database().sql`update processed_stripe_events
      set created_at = created_at - interval '14 days', processed_at = processed_at - interval '14 days'`;
    expect(await redeliver(eventId)).toBe("redelivery");
    await drain();
    expect(await books()).toEqual(before);
    expect(await entries()).toEqual([]);
  });

  // C85
  test("keeps its balance when two operators replay its event at once, and both are on record with no change", async () => {
    const before = await books();
    const seen = await forecast(eventId);
    expect(seen).toMatchObject({
      act: "nothing",
      missingEffects: [],
      existingEffects: [{ kind: "grant_credits" }],
    });
    const answers = await Promise.all(
      ["operator_1", "operator_2"].map((operatorId) => replay(eventId, { operatorId, seen })),
    );
    expect(answers).toMatchObject([
      { result: "refused", act: "nothing", refusal: "event_settled" },
      { result: "refused", act: "nothing", refusal: "event_settled" },
    ]);
    await drain();
    expect(await books()).toEqual(before);
    const recorded = await entries();
    expect(recorded.map(({ actorId }) => actorId).toSorted()).toEqual(["operator_1", "operator_2"]);
    for (const entry of recorded) {
      expect(entry).toMatchObject({
        action: "event.replay",
        targetId: eventId,
        result: "refused",
        refusalCode: "event_settled",
        reason: REASON,
        at: expect.any(Date),
      });
    }
    expect(await verifyAudit(database().db)).toEqual({ entries: 2n, firstBroken: null });
  });

  // State stayed right under duplicates, but the trail doubled. C86
  test("has one effect and eleven deliveries after ten redeliveries, and no entry of a person's act", async () => {
    const before = await books();
    const verdicts = await Promise.all(Array.from({ length: 10 }, () => redeliver(eventId)));
    expect(verdicts).toEqual(Array.from({ length: 10 }, () => "redelivery"));
    await drain();
    expect(await books()).toEqual(before);
    const detail = await readEventDetail(database().db, { eventId, role: "support" });
    expect(detail.deliveryCount).toBe(11);
    expect(detail.effects).toHaveLength(1);
    expect(await entries()).toEqual([]);
  });
});

describe("a dead event of a paid order", () => {
  let eventId: string;
  let priceId: string;
  beforeEach(async () => {
    const { sessionId, priceIds } = await stripe().sessions.create({
      items: [{ credits: null }],
      metadata: ORDER,
    });
    priceId = priceIds[0] ?? "";
    eventId = await deliver(sessionId);
    await drain();
    expect((await state()).events[0]).toMatchObject({
      status: "dead",
      lastErrorCode: "price_without_credits",
    });
  });

  // C86
  test("is replayed by one act on record, which names the attempt that it followed", async () => {
    await database().db.insert(catalogItems).values({ priceId, credits: 70n });
    expect(await replay(eventId)).toMatchObject({ result: "replayed", act: "rearm", attempt: 1 });
    await drain();
    expect(await granted()).toEqual({ grants: 1, credits: 70n });

    const { event, attempts, effects, audit } = await readEventDetail(database().db, {
      eventId,
      role: "ops",
    });
    expect(audit).toMatchObject([
      {
        actorId: "operator_1",
        result: "done",
        reason: REASON,
        before: { attempt: 1, phase: "dead" },
        after: { attempt: 1, act: "rearm" },
      },
    ]);
    expect(attempts.map(({ attempt, result }) => `${attempt} ${result}`)).toEqual(["1 dead", "2 processed"]);
    expect(effects).toMatchObject([{ attempt: 2, credits: 70n }]);
    expect(event).toMatchObject({ outcome: "fulfilled", attempt: 2 });
  });

  // C86
  test.for([
    ["without a reason", { reason: "" }, "reason_too_short"],
    ["by support, who may not", { role: "support" }, "role_not_allowed"],
  ] as const)("is not replayed %s, and that it was tried is on record", async ([, asked, code]) => {
    const before = await state();
    await database().db.insert(catalogItems).values({ priceId, credits: 70n });
    await expect(replay(eventId, asked)).rejects.toMatchObject({ code });
    await drain();
    expect(await state()).toEqual(before);
    expect(await entries()).toMatchObject([
      { action: "event.replay", targetId: eventId, result: "refused", refusalCode: code },
    ]);
    expect(await granted()).toEqual({ grants: 0, credits: 0n });
  });
});
