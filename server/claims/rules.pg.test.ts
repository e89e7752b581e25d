import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { acceptArrivals } from "../receiving/accept.ts";
import type { ReadableEvent } from "../receiving/read-event.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { eventDeliveries } from "../db/schema/event-deliveries.ts";
import { useDatabase } from "../testing/use-database.ts";
import { readClaimRow } from "./claim-row.ts";
import { eventPhase, phaseIs } from "./phase.ts";
import { offerByOperator, offerRecorded, rearmByOperator } from "./rearm.ts";
import { type ClaimTrigger, decideClaim, phaseOf } from "./rules.ts";
import { takeDueEvents, takeLostEvent } from "./take.ts";
import { EVENT_PHASES } from "#shared/event-status.ts";

const database = useDatabase();
const ATTEMPTS_MAX = 8;
const ACCOUNTS = ["acct_served"];

type Columns = Partial<typeof events.$inferInsert>;
const at = (interval: string) => sql`now() + ${interval}::interval`;
const heldUntil = (interval: string) => ({
  claimToken: sql`gen_random_uuid()`,
  claimedBy: "w-1",
  leaseUntil: at(interval),
  attempt: 1,
});

/** Every state a row can be in that the rules tell apart. */
const ROWS: Record<string, Record<string, unknown>> = {
  queued: {},
  "queued again after a failure": { failures: 2, attempt: 2, lastErrorCode: "stripe_error" },
  held: { ...heldUntil("1 minute"), dueAt: at("1 minute") },
  "held under manual takeover": { ...heldUntil("1 minute"), dueAt: sql`'infinity'` },
  stale: { ...heldUntil("-1 minute"), dueAt: at("-1 minute") },
  "stale under manual takeover, not offered": { ...heldUntil("-1 minute"), dueAt: sql`'infinity'` },
  "stale under manual takeover, offered": { ...heldUntil("-1 minute"), dueAt: at("-1 second") },
  "stale with one try left": {
    ...heldUntil("-1 minute"),
    dueAt: at("-1 minute"),
    failures: ATTEMPTS_MAX - 2,
  },
  "stale with no try left": { ...heldUntil("-1 minute"), dueAt: at("-1 minute"), failures: ATTEMPTS_MAX - 1 },
  "stale after a Resend had re-armed it": {
    ...heldUntil("-1 minute"),
    dueAt: at("-1 minute"),
    rearmedAt: at("-2 minutes"),
  },
  retrying: { failures: 1, attempt: 1, dueAt: at("1 minute"), lastErrorCode: "stripe_error" },
  dead: { status: "dead", failures: 8, attempt: 8, lastErrorCode: "stripe_error" },
  "dead, re-armed a minute ago": {
    status: "dead",
    failures: 9,
    lastErrorCode: "stripe_error",
    rearmedAt: at("-1 minute"),
  },
  "dead, re-armed two hours ago": {
    status: "dead",
    failures: 9,
    lastErrorCode: "stripe_error",
    rearmedAt: at("-2 hours"),
  },
  processed: { status: "processed", outcome: "fulfilled", processedAt: at("0"), attempt: 1 },
  "not ours": { status: "processed", outcome: "not_ours", processedAt: at("0"), attempt: 1 },
  "recorded, now handled": { status: "processed", outcome: "recorded", processedAt: at("0") },
  "recorded, still not handled": {
    status: "processed",
    outcome: "recorded",
    processedAt: at("0"),
    eventType: "charge.updated",
    once: false,
  },
  "recorded of the wrong mode": {
    status: "processed",
    outcome: "recorded",
    processedAt: at("0"),
    lastErrorCode: "wrong_mode",
  },
  "recorded of an account served since": {
    status: "processed",
    outcome: "recorded",
    processedAt: at("0"),
    lastErrorCode: "account_not_served",
    account: "acct_served",
  },
  "recorded of an account not served": {
    status: "processed",
    outcome: "recorded",
    processedAt: at("0"),
    lastErrorCode: "account_not_served",
    account: "acct_other",
  },
};

async function insertRow(columns: Record<string, unknown>) {
  const row = {
    eventId: "evt_1",
    eventType: "checkout.session.completed",
    objectId: "cs_1",
    once: true,
    livemode: false,
  };
  await database()
    .db.insert(events)
    .values({ ...row, ...columns } as Columns & typeof row);
  const [made] = await database().db.select().from(events);
  if (!made) throw new Error("Bug!");
  return made;
}

function arrivalOf(row: typeof events.$inferSelect, eventId: string): ReadableEvent {
  const isHandled = row.eventType === "checkout.session.completed";
  const { eventType, objectId, livemode, account, once } = row;
  return {
    kind: "event",
    eventId,
    eventType,
    objectId,
    livemode,
    account,
    once,
    apiVersion: null,
    occurredAt: null,
    orderIdHint: null,
    settled: isHandled ? null : { outcome: "recorded", reason: null },
  };
}

/** What the SQL does to the row for a trigger, told in the words of the rules. */
async function carryOut(trigger: ClaimTrigger, row: typeof events.$inferSelect): Promise<string> {
  const { db } = database();
  const before = await readClaimRow(db, { eventId: "evt_1", accounts: ACCOUNTS });
  const lease = { worker: "w-2", leaseSeconds: 60, takeover: "automatic" as const };
  switch (trigger) {
    case "delivery":
    case "twin":
    case "backfill": {
      const event = arrivalOf(row, trigger === "twin" ? "evt_2" : "evt_1");
      const source = trigger === "backfill" ? "backfill" : "webhook";
      await acceptArrivals(db, [{ event, body: Buffer.from("{}"), signedAt: null, source }], {
        accounts: ACCOUNTS,
        attemptsMax: ATTEMPTS_MAX,
        onBringOnFailed: (error) => {
          throw error;
        },
      });
      const after = await readClaimRow(db, { eventId: "evt_1", accounts: ACCOUNTS });
      const [delivery] = await db.select().from(eventDeliveries);
      const moved = before?.status !== after?.status || before?.dueAt?.getTime() !== after?.dueAt?.getTime();
      return `${delivery?.verdict}${moved ? ", brought on" : ""}`;
    }
    case "worker": {
      // What a worker process does for a recorded event is the scheduler's offer and then the take.
      await offerRecorded(db, { accounts: ACCOUNTS, limit: 10 });
      const fresh = await takeDueEvents(db, { ...lease, batchSize: 5 });
      if (fresh.length === 1) return "take";
      const lost = await takeLostEvent(db, { ...lease, attemptsMax: ATTEMPTS_MAX });
      return lost.claim ? "take over" : lost.buriedEventId ? "bury" : "leave";
    }
    case "replay":
      return await db.transaction(async (tx) => {
        if (await offerByOperator(tx, "evt_1", { accounts: ACCOUNTS })) return "offer";
        return (await rearmByOperator(tx, "evt_1")) ? "rearm" : "unchanged";
      });
  }
}

/** What the rules say, in the same words. */
async function decided(trigger: ClaimTrigger): Promise<string> {
  const row = await readClaimRow(database().db, { eventId: "evt_1", accounts: ACCOUNTS });
  if (!row) throw new Error("Bug!");
  const decision = decideClaim(row, trigger, { now: row.now, attemptsMax: ATTEMPTS_MAX });
  switch (decision.act) {
    case "note": {
      const verdict = decision.then === "rearm" ? "rearmed" : decision.verdict;
      // An offer that finds the row due already changes nothing that could be seen.
      const isDueAlready = decision.then === "offer" && row.status === "processing" && row.dueAt !== null;
      return `${verdict}${decision.then === "nothing" || isDueAlready ? "" : ", brought on"}`;
    }
    case "take":
      return decision.takesOver ? "take over" : "take";
    case "refuse":
    case "nothing":
      return "unchanged";
    default:
      return decision.act;
  }
}

describe("the claim rules and the SQL that carries them out agree", () => {
  for (const [name, columns] of Object.entries(ROWS)) {
    test.for<ClaimTrigger>(["delivery", "twin", "worker", "replay", "backfill"])(
      `on a row that is ${name}, for a %s`,
      async (trigger) => {
        const row = await insertRow(columns);
        // A type that repeats for one object has no twins: a second event of it is news.
        if (trigger === "twin" && !row.once) return expect(await carryOut(trigger, row)).toBe("claimed");
        const expected = await decided(trigger);
        const isDueAlready = row.status === "processing" && row.dueAt.getTime() < Date.now();
        const done = await carryOut(trigger, row);
        expect(isDueAlready ? done.replace(", brought on", "") : done).toBe(expected);
      },
    );

    test(`on the phase of a row that is ${name}`, async () => {
      await insertRow(columns);
      const row = await readClaimRow(database().db, { eventId: "evt_1", accounts: ACCOUNTS });
      const [{ phase } = { phase: null }] = await database().db.select({ phase: eventPhase }).from(events);
      expect(phase).toBe(row && phaseOf(row, row.now));
      for (const candidate of EVENT_PHASES) {
        const found = await database()
          .db.select({ id: events.eventId })
          .from(events)
          .where(phaseIs(candidate));
        expect([candidate, found.length]).toEqual([candidate, candidate === phase ? 1 : 0]);
      }
    });
  }
});

test("no row leaves a delivery or a backfill to claim, and anything else to leave alone", () => {
  const context = { now: new Date(), attemptsMax: ATTEMPTS_MAX };
  const acts = (["delivery", "backfill", "twin", "worker", "replay"] as const).map(
    (t) => decideClaim(null, t, context).act,
  );
  expect(acts).toEqual(["claim", "claim", "leave", "leave", "leave"]);
});

// Otherwise the operator's first replay would kill it, right after the dialog said that a worker takes over.
test("a stale event at its last try is taken over after an operator's replay, not buried", async () => {
  await insertRow(ROWS["stale with no try left"] ?? {});
  await database().db.transaction((tx) => offerByOperator(tx, "evt_1", { accounts: ACCOUNTS }));
  const lease = { worker: "w-2", leaseSeconds: 60, takeover: "automatic" as const };
  const { claim, buriedEventId } = await takeLostEvent(database().db, {
    ...lease,
    attemptsMax: ATTEMPTS_MAX,
  });
  expect([claim?.eventId, buriedEventId]).toEqual(["evt_1", null]);
});

test("an event that an operator replays has all its tries again", async () => {
  await insertRow(ROWS.dead ?? {});
  await database().db.transaction((tx) => rearmByOperator(tx, "evt_1"));
  const [row] = await database().db.select().from(events).where(eq(events.eventId, "evt_1"));
  expect(row).toMatchObject({ status: "processing", failures: 0, rearmedAt: null, attempt: 8 });
});
