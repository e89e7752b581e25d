import { and, eq, inArray, sql } from "drizzle-orm";
import type { DeliveryVerdict } from "#shared/event-status.ts";
import { claimRowColumns } from "../claims/claim-row.ts";
import { offerByDelivery, rearmByDelivery } from "../claims/rearm.ts";
import { type ClaimRow, decideClaim } from "../claims/rules.ts";
import type { Db, Tx } from "../db/client.ts";
import { limitTransaction } from "../db/limits.ts";
import { eventDeliveries } from "../db/schema/event-deliveries.ts";
import { eventPayloads } from "../db/schema/event-payloads.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { failPoint } from "../fail-points.ts";
import type { ReadableEvent, ReadEvent } from "./read-event.ts";

/** One verified body on its way into the database. */
export interface Arrival {
  event: ReadEvent;
  body: Uint8Array;
  signedAt: Date | null;
  source: "webhook" | "backfill";
}

export interface Accepted {
  verdict: DeliveryVerdict;
  winnerEventId: string | null;
  /** True if a worker has something to do now. */
  isDue: boolean;
}

/** Longest the door waits for the database before Stripe is asked to send again. */
const DOOR_SECONDS_MAX = 8;

export interface AcceptOptions {
  accounts: readonly string[];
  attemptsMax: number;
  /** Told when a committed batch could not offer or re-arm what it found lying. */
  onBringOnFailed: (error: unknown) => void;
}

interface Winner extends ClaimRow {
  eventId: string;
  eventType: string;
  objectId: string;
  livemode: boolean;
  account: string;
  once: boolean;
  now: Date;
}

/**
 * The claim transaction: makes a batch of arrivals durable and says what each was. When it returns, everything
 * is committed and may be answered with 2xx; when it throws, nothing is.
 *
 * Why two batches that hold the same keys in opposite order do not deadlock: each inserts its claims in one
 * statement, sorted by the second key and then the first, so whoever meets a key first also goes first.
 */
export async function acceptArrivals(
  db: Db,
  arrivals: readonly Arrival[],
  options: AcceptOptions,
): Promise<Accepted[]> {
  const noted = await db.transaction(async (tx) => {
    await limitTransaction(tx, { seconds: DOOR_SECONDS_MAX });
    const claimed = await insertClaims(tx, arrivals);
    failPoint("receiving.between_statements");
    // A second statement with a snapshot of its own: a winner that committed while ours waited for its key was
    // invisible to the first.
    const winners = await findWinners(tx, arrivals, { claimed, accounts: options.accounts });
    const notes = await noteDeliveries(tx, arrivals, {
      claimed,
      winners,
      attemptsMax: options.attemptsMax,
    });
    failPoint("receiving.before_claim_commit");
    return notes;
  });
  failPoint("receiving.after_claim_commit");
  // Committed: whatever happens now, every arrival is durable and is answered so. What a failure leaves lying is
  // brought on by the next delivery or by an operator.
  return await bringOn(db, noted, options).catch((error: unknown) => {
    options.onBringOnFailed(error);
    return noted.map(asAccepted);
  });
}

async function insertClaims(tx: Tx, arrivals: readonly Arrival[]): Promise<Set<string>> {
  const rows = arrivals.flatMap(({ event }) => (event.kind === "event" ? [claimJson(event)] : []));
  if (rows.length === 0) return new Set();
  const inserted = await tx.execute<{ event_id: string }>(sql`
    insert into ${events} (event_id, event_type, object_id, status, once, livemode, account, api_version,
      occurred_at, outcome, last_error_code, processed_at, order_id)
    select event_id, event_type, object_id, case when outcome is null then 'processing' else 'processed' end, once,
      livemode, account, api_version, occurred_at, outcome, reason, case when outcome is not null then now() end, order_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as arrival (event_id text, event_type text, object_id text,
      once boolean, livemode boolean, account text, api_version text, occurred_at timestamptz, outcome text,
      reason text, order_id text)
    where not exists (select from ${events} as own where own.event_id = arrival.event_id)
      and not exists (
        select from ${events} as other
        where arrival.once and other.once and other.object_id = arrival.object_id
          and other.event_type = arrival.event_type and other.livemode = arrival.livemode
          and other.account = arrival.account)
    order by object_id, event_type, event_id
    on conflict do nothing
    returning event_id`);
  return new Set(inserted.map((row) => row.event_id));
}

function claimJson(event: ReadableEvent) {
  return {
    event_id: event.eventId,
    event_type: event.eventType,
    object_id: event.objectId,
    once: event.once,
    livemode: event.livemode,
    account: event.account,
    api_version: event.apiVersion,
    occurred_at: event.occurredAt,
    outcome: event.settled?.outcome ?? null,
    reason: event.settled?.reason ?? null,
    order_id: event.orderIdHint,
  };
}

/** The rows that carry the claims of arrivals which were not (all) claimed by this batch. */
async function findWinners(
  tx: Tx,
  arrivals: readonly Arrival[],
  { claimed, accounts }: { claimed: ReadonlySet<string>; accounts: readonly string[] },
): Promise<Winner[]> {
  const readable = arrivals.flatMap(({ event }) => (event.kind === "event" ? [event] : []));
  // The usual batch holds only news: then there is nothing to look up.
  if (readable.length === claimed.size) return [];
  const rest = readable.filter((event) => !claimed.has(event.eventId));
  const columns = {
    ...claimRowColumns(accounts),
    eventId: events.eventId,
    eventType: events.eventType,
    objectId: events.objectId,
    livemode: events.livemode,
    account: events.account,
    once: events.once,
    now: sql<Date>`now()`.mapWith(events.createdAt),
  };
  const ids = readable.map((event) => event.eventId);
  const own = tx.select(columns).from(events).where(inArray(events.eventId, ids));
  const objectIds = rest.filter((event) => event.once).map((event) => event.objectId);
  if (objectIds.length === 0) return await own;
  const other = tx
    .select(columns)
    .from(events)
    .where(and(inArray(events.objectId, objectIds), eq(events.once, true)));
  return [...(await own), ...(await other)];
}

function winnerOf(event: ReadableEvent, winners: readonly Winner[]): Winner | undefined {
  return (
    winners.find((winner) => winner.eventId === event.eventId) ??
    winners.find(
      (winner) =>
        winner.once &&
        winner.objectId === event.objectId &&
        winner.eventType === event.eventType &&
        winner.livemode === event.livemode &&
        winner.account === event.account,
    )
  );
}

interface Noted extends Accepted {
  deliveryId: bigint;
  then: "nothing" | "offer" | "rearm";
}

async function noteDeliveries(
  tx: Tx,
  arrivals: readonly Arrival[],
  {
    claimed,
    winners,
    attemptsMax,
  }: { claimed: ReadonlySet<string>; winners: readonly Winner[]; attemptsMax: number },
): Promise<Noted[]> {
  // Of several arrivals of one id in a batch, the first is the claim and the others are redeliveries.
  const unclaimedYet = new Set(claimed);
  const notes = arrivals.map((arrival) => {
    const { event } = arrival;
    if (event.kind === "unreadable") {
      return {
        arrival,
        verdict: "unreadable" as const,
        eventId: null,
        winnerEventId: null,
        isDue: false,
        then: "nothing" as const,
      };
    }
    if (unclaimedYet.delete(event.eventId)) {
      const isDue = event.settled === null;
      return {
        arrival,
        verdict: "claimed" as const,
        eventId: event.eventId,
        winnerEventId: event.eventId,
        isDue,
        then: "nothing" as const,
      };
    }
    const winner = winnerOf(event, winners);
    if (!winner) throw new Error(`Bug! ${event.eventId} was neither claimed nor has it a winner.`);
    const trigger =
      arrival.source === "backfill" ? "backfill" : winner.eventId === event.eventId ? "delivery" : "twin";
    const decision = decideClaim(winner, trigger, { now: winner.now, attemptsMax });
    if (decision.act !== "note") throw new Error(`Bug! A delivery of a known event was to ${decision.act}.`);
    return {
      arrival,
      verdict: decision.verdict,
      eventId: event.eventId,
      winnerEventId: winner.eventId,
      isDue: false,
      then: decision.then,
    };
  });
  const inserted = await tx
    .insert(eventDeliveries)
    .values(
      notes.map((note) => ({
        eventId: note.eventId,
        winnerEventId: note.winnerEventId,
        verdict: note.verdict,
        source: note.arrival.source,
        signedAt: note.arrival.signedAt,
        body: note.verdict === "unreadable" ? note.arrival.body : null,
      })),
    )
    .returning({ deliveryId: eventDeliveries.deliveryId });
  await keepPayloads(tx, notes);
  return notes.map(({ arrival: _, ...note }, index) => {
    const deliveryId = inserted[index]?.deliveryId;
    if (deliveryId === undefined) throw new Error("Bug! A delivery was not noted.");
    return { ...note, deliveryId };
  });
}

/**
 * Keeps the bytes of each event: the claim's, and a twin's at its first arrival. Two batches that bring the same twin at
 * the same instant may both keep them, which harms nobody; in the same microsecond they meet in the key, which must
 * not refuse a batch either. Sorted, as the claims are, so that two such batches do not deadlock.
 */
async function keepPayloads(
  tx: Tx,
  notes: readonly { verdict: DeliveryVerdict; eventId: string | null; arrival: Arrival }[],
): Promise<void> {
  const twinIds = notes.flatMap((note) =>
    note.verdict === "twin" && note.eventId !== null ? [note.eventId] : [],
  );
  const known = new Set<string>();
  if (twinIds.length > 0) {
    const rows = await tx
      .select({ eventId: eventPayloads.eventId })
      .from(eventPayloads)
      .where(inArray(eventPayloads.eventId, twinIds));
    for (const row of rows) known.add(row.eventId);
  }
  const kept = new Map<string, Uint8Array>();
  for (const { verdict, eventId, arrival } of notes) {
    const isFirst = verdict === "claimed" || (verdict === "twin" && eventId !== null && !known.has(eventId));
    if (isFirst && eventId !== null && !kept.has(eventId)) kept.set(eventId, arrival.body);
  }
  if (kept.size === 0) return;
  const rows = [...kept].map(([eventId, body]) => ({ eventId, body }));
  await tx
    .insert(eventPayloads)
    .values(rows.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1)))
    .onConflictDoNothing();
}

/**
 * Offers and re-arms what a delivery found lying, before the 2xx and in a transaction of its own: it skips rows
 * that a worker or an operator has locked, so a delivery never waits for either.
 */
async function bringOn(db: Db, noted: readonly Noted[], { accounts }: AcceptOptions): Promise<Accepted[]> {
  const idsTo = (then: Noted["then"]) => [
    ...new Set(
      noted.flatMap((note) =>
        note.then === then && note.winnerEventId !== null ? [note.winnerEventId] : [],
      ),
    ),
  ];
  const toOffer = idsTo("offer");
  const toRearm = idsTo("rearm");
  if (toOffer.length + toRearm.length === 0) return noted.map(asAccepted);

  return await db.transaction(async (tx) => {
    await limitTransaction(tx, { seconds: DOOR_SECONDS_MAX });
    const offered = new Set(await offerByDelivery(tx, toOffer, { accounts }));
    const rearmed = new Set(await rearmByDelivery(tx, toRearm));
    const result = noted.map((note): Noted => {
      const winnerEventId = note.winnerEventId ?? "";
      // Only the delivery that brought it back is called so; the next one finds it queued.
      if (note.then === "rearm" && rearmed.delete(winnerEventId))
        return { ...note, verdict: "rearmed", isDue: true };
      return { ...note, isDue: note.isDue || offered.has(winnerEventId) };
    });
    const rearmedIds = result.filter((note) => note.verdict === "rearmed").map((note) => note.deliveryId);
    if (rearmedIds.length > 0) {
      await tx
        .update(eventDeliveries)
        .set({ verdict: "rearmed" })
        .where(inArray(eventDeliveries.deliveryId, rearmedIds));
    }
    failPoint("receiving.before_bring_on_commit");
    return result.map(asAccepted);
  });
}

function asAccepted({ verdict, winnerEventId, isDue }: Noted): Accepted {
  return { verdict, winnerEventId, isDue };
}
