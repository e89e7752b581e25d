import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { EventPhase } from "#shared/event-status.ts";
import { ROLES, type Role } from "#shared/roles.ts";
import { verifyAudit } from "../audit/verify.ts";
import { takeDueEvents } from "../claims/take.ts";
import { auditEntries } from "../db/schema/audit-entries.ts";
import { orders } from "../db/schema/orders.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import {
  deadEvent,
  type EventOverrides,
  heldEvent,
  processedEvent,
  queuedEvent,
  recordedEvent,
  retryingEvent,
  staleEvent,
} from "../testing/builders.ts";
import { grantedOrder, paidOrder, placedOrder } from "../testing/order-builders.ts";
import { useDatabase } from "../testing/use-database.ts";
import { forecastReplay } from "./forecast.ts";
import { requestReplay } from "./request.ts";

const database = useDatabase();
const rules = { accounts: ["acct_served"], attemptsMax: 8 };
const reason = "The price has credits now.";
const anExpiredType = "checkout.session.expired";

interface Asked {
  requestId?: string;
  reason?: string;
  role?: Role;
  operatorId?: string;
}
let signals = 0;
/** Asks for a replay on the picture that the operator has in front of them. */
function replay(eventId: string, seen: { attempt: number; phase: EventPhase }, asked: Asked = {}) {
  return requestReplay(
    database().db,
    {
      requestId: asked.requestId ?? crypto.randomUUID(),
      eventId,
      expectedAttempt: seen.attempt,
      expectedPhase: seen.phase,
      reason: asked.reason ?? reason,
    },
    {
      rules,
      operator: { id: asked.operatorId ?? "operator_1", role: asked.role ?? "ops" },
      onDue: () => {
        signals += 1;
      },
    },
  );
}
const forecast = (eventId: string) => forecastReplay(database().db, { eventId, rules });
const rowOf = async (eventId: string) => {
  const [row] = await database().db.select().from(events).where(eq(events.eventId, eventId));
  return row;
};
const entries = () => database().db.select().from(auditEntries).orderBy(auditEntries.sequence);

type Build = (overrides?: EventOverrides) => Promise<string>;
const build: Record<EventPhase, Build> = {
  queued: (overrides) => queuedEvent(database().db, overrides),
  held: (overrides) => heldEvent(database().db, overrides),
  retrying: (overrides) => retryingEvent(database().db, overrides),
  stale: (overrides) => staleEvent(database().db, overrides),
  dead: (overrides) => deadEvent(database().db, { failures: 8, ...overrides }),
  processed: (overrides) => processedEvent(database().db, overrides),
};

/** Recorded by a version that could not handle the type; this one can. */
const recordedButHandled: Build = () =>
  recordedEvent(database().db, { eventType: anExpiredType, objectId: "cs_1" });

describe("a replay", () => {
  test.for([
    ["queued", build.queued, "offer", null],
    ["retrying", build.retrying, "offer", null],
    ["stale", build.stale, "take_over", null],
    ["dead", build.dead, "rearm", null],
    ["processed", recordedButHandled, "offer", null],
    ["held", build.held, "refuse", "event_held"],
    ["processed", build.processed, "nothing", "event_settled"],
  ] as const)("of an event that is %s does what its forecast said", async ([phase, make, act, refusal]) => {
    const eventId = await make();
    const before = await rowOf(eventId);
    const said = await forecast(eventId);
    expect(said).toMatchObject({ phase, act, refusal, attempt: before?.attempt });

    const answer = await replay(eventId, said);
    expect(answer).toMatchObject({ result: refusal === null ? "replayed" : "refused", act, refusal });
    const after = await rowOf(eventId);
    if (refusal !== null) {
      expect(after).toEqual(before);
      expect(answer.forecast).toMatchObject({ act, refusal });
      return;
    }
    expect(after).toMatchObject({
      status: "processing",
      attempt: said.attempt,
      outcome: null,
      processedAt: null,
    });
    const taken = await takeDueEvents(database().db, {
      worker: "bob",
      batchSize: 5,
      leaseSeconds: 60,
      takeover: "automatic",
    });
    // A lost lease is taken over alone, by takeLostEvent().
    expect(taken.map((claim) => claim.eventId)).toEqual(phase === "stale" ? [] : [eventId]);
  });

  test("gives a dead event all its tries again", async () => {
    const eventId = await build.dead({ rearmedAt: sql`now()` });
    await replay(eventId, { attempt: 1, phase: "dead" });
    expect(await rowOf(eventId)).toMatchObject({ failures: 0, rearmedAt: null });
  });

  test("brings on a lost event that waits for a person under manual takeover", async () => {
    const eventId = await build.stale({ dueAt: sql`'infinity'` });
    await replay(eventId, { attempt: 1, phase: "stale" });
    const [row] = await database().sql`select due_at <= now() as is_due from processed_stripe_events`;
    expect(row?.is_due).toBe(true);
  });

  test("wakes the workers once it is committed, and only then", async () => {
    const eventId = await build.dead();
    signals = 0;
    await replay(eventId, { attempt: 1, phase: "held" });
    expect(signals).toBe(0);
    await replay(eventId, { attempt: 1, phase: "dead" });
    expect(signals).toBe(1);
  });

  test("is on record with who, why, and what was before and after", async () => {
    const eventId = await build.dead();
    const requestId = crypto.randomUUID();
    await replay(eventId, { attempt: 1, phase: "dead" }, { requestId });
    expect(await entries()).toMatchObject([
      {
        actorId: "operator_1",
        actorRole: "ops",
        action: "event.replay",
        targetKind: "event",
        targetId: eventId,
        result: "done",
        reason,
        before: { phase: "dead", attempt: 1 },
        after: { phase: "queued", attempt: 1, act: "rearm" },
        requestId,
      },
    ]);
    expect(await verifyAudit(database().db)).toEqual({ entries: 1n, firstBroken: null });
  });
});

describe("one act", () => {
  test("is what a double click is", async () => {
    const eventId = await build.dead();
    const asked = { requestId: crypto.randomUUID() };
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => replay(eventId, { attempt: 1, phase: "dead" }, asked)),
    );
    expect(answers.map((answer) => answer.result).toSorted()).toEqual([
      "repeated",
      "repeated",
      "repeated",
      "replayed",
    ]);
    for (const answer of answers) expect(answer).toMatchObject({ act: "rearm", attempt: 1, refusal: null });
    expect(await entries()).toHaveLength(1);
  });

  test("is what a retry long after is, however far the event has come since", async () => {
    const eventId = await build.dead();
    const asked = { requestId: crypto.randomUUID() };
    await replay(eventId, { attempt: 1, phase: "dead" }, asked);
    await database().sql`update processed_stripe_events
      set status = 'processed', outcome = 'fulfilled', processed_at = now(), attempt = 2`;
    const answer = await replay(eventId, { attempt: 1, phase: "dead" }, asked);
    expect(answer).toMatchObject({ result: "repeated", act: "rearm", attempt: 1 });
    expect(await rowOf(eventId)).toMatchObject({ status: "processed" });
  });

  test("is what two operators do to one death: the second sees that it changed", async () => {
    const eventId = await build.dead();
    const answers = await Promise.all(
      ["operator_1", "operator_2"].map((operatorId) =>
        replay(eventId, { attempt: 1, phase: "dead" }, { operatorId }),
      ),
    );
    expect(answers.map((answer) => answer.result).toSorted()).toEqual(["refused", "replayed"]);
    const refused = answers.find((answer) => answer.result === "refused");
    expect(refused).toMatchObject({ refusal: "event_changed", forecast: { phase: "queued", attempt: 1 } });
    expect((await entries()).map((entry) => entry.result).toSorted()).toEqual(["done", "refused"]);
    expect(await verifyAudit(database().db)).toEqual({ entries: 2n, firstBroken: null });
  });

  // Decided on what stood there before the wait, the replay would give a death that nobody has looked at its tries back.
  test("waits for whoever changes the event, and decides on what they left", async () => {
    const eventId = await build.dead();
    const { sql: driver } = database();
    const answer = await driver.begin(async (tx) => {
      await tx`update processed_stripe_events set attempt = 2, last_error_code = 'order_mismatch'`;
      const pending = replay(eventId, { attempt: 1, phase: "dead" });
      await expect
        .poll(async () => {
          const waiting = await driver`select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`;
          return waiting.length;
        })
        .toBe(1);
      return { pending };
    });
    expect(await answer.pending).toMatchObject({
      result: "refused",
      refusal: "event_changed",
      forecast: { attempt: 2 },
    });
    expect(await rowOf(eventId)).toMatchObject({ status: "dead", failures: 8 });
  });

  test("cannot be lent to another event", async () => {
    const asked = { requestId: crypto.randomUUID() };
    const [one, other] = [await build.dead(), await build.dead()];
    await replay(one, { attempt: 1, phase: "dead" }, asked);
    expect(await replay(other, { attempt: 1, phase: "dead" }, asked)).toMatchObject({ result: "refused" });
    expect(await rowOf(other)).toMatchObject({ status: "dead" });
  });
});

describe("a replay is refused", () => {
  test.for([
    ["another attempt", { attempt: 0, phase: "dead" }],
    ["another phase", { attempt: 1, phase: "stale" }],
  ] as const)("on a picture of %s, with what is true now", async ([, seen]) => {
    const eventId = await build.dead();
    const answer = await replay(eventId, seen);
    expect(answer).toMatchObject({
      result: "refused",
      refusal: "event_changed",
      forecast: { attempt: 1, phase: "dead", act: "rearm" },
    });
    expect(await rowOf(eventId)).toMatchObject({ status: "dead", failures: 8 });
    expect(await entries()).toMatchObject([{ result: "refused", refusalCode: "event_changed", reason }]);
  });

  test("while a worker holds the event, naming it and until when", async () => {
    const eventId = await build.held();
    const answer = await replay(eventId, { attempt: 1, phase: "held" });
    expect(answer.forecast).toMatchObject({ act: "refuse", heldBy: "ada", leaseUntil: expect.any(Date) });
    expect(await entries()).toMatchObject([{ result: "refused", refusalCode: "event_held" }]);
  });

  test.for(ROLES)("to whoever may not replay, on record: %s", async (role) => {
    const eventId = await build.dead();
    const mayReplay = role === "ops" || role === "admin";
    const asking = replay(eventId, { attempt: 1, phase: "dead" }, { role });
    if (mayReplay) {
      expect((await asking).result).toBe("replayed");
      return;
    }
    await expect(asking).rejects.toMatchObject({ code: "role_not_allowed" });
    expect(await rowOf(eventId)).toMatchObject({ status: "dead" });
    expect(await entries()).toMatchObject([
      { actorRole: role, result: "refused", refusalCode: "role_not_allowed" },
    ]);
  });

  test("without a reason that explains it, on record", async () => {
    const eventId = await build.dead();
    const asking = replay(eventId, { attempt: 1, phase: "dead" }, { reason: "because" });
    await expect(asking).rejects.toMatchObject({ code: "reason_too_short" });
    expect(await rowOf(eventId)).toMatchObject({ status: "dead" });
    expect(await entries()).toMatchObject([{ refusalCode: "reason_too_short", reason: "because" }]);
  });

  test("for an event that never came in", async () => {
    await expect(replay("evt_nobody", { attempt: 0, phase: "queued" })).rejects.toMatchObject({
      code: "event_unknown",
    });
    expect(await entries()).toMatchObject([{ refusalCode: "event_unknown", targetId: "evt_nobody" }]);
  });
});

describe("a forecast", () => {
  test("names the effects that no replay repeats, and what the order is about", async () => {
    const { db } = database();
    const order = await grantedOrder(db);
    const eventId = await build.stale({ orderId: order.orderId });
    expect(await forecast(eventId)).toMatchObject({
      orderId: order.orderId,
      existingEffects: [{ kind: "grant_credits", createdAt: expect.any(Date) }],
      missingEffects: [],
      creditsExpected: 100n,
      amountTotalMinor: 1900n,
      currency: "eur",
    });
  });

  test("names what the order still lacks", async () => {
    const paid = await paidOrder(database().db);
    const eventId = await build.dead({ orderId: paid.orderId });
    expect(await forecast(eventId)).toMatchObject({ existingEffects: [], missingEffects: ["grant_credits"] });
  });

  test("promises no grant to an order that nobody had paid when it was last read", async () => {
    const waiting = await placedOrder(database().db);
    const eventId = await build.dead({ orderId: waiting.orderId });
    expect(await forecast(eventId)).toMatchObject({ existingEffects: [], missingEffects: [] });
  });

  test("knows nothing of an order that is only a name so far", async () => {
    const eventId = await build.dead({ orderId: "order_to_be" });
    expect(await database().db.$count(orders)).toBe(0);
    expect(await forecast(eventId)).toMatchObject({
      orderId: "order_to_be",
      creditsExpected: null,
      currency: null,
    });
  });

  test("changes nothing", async () => {
    const eventId = await build.dead();
    const before = await rowOf(eventId);
    await forecast(eventId);
    expect(await rowOf(eventId)).toEqual(before);
    expect(await entries()).toEqual([]);
  });
});
