import { desc, eq, sql } from "drizzle-orm";
import type { AuditView, EventDetail } from "#shared/desk-views.ts";
import type { Role } from "#shared/roles.ts";
import type { Db, Tx } from "../db/client.ts";
import { readEffectsOfEvent } from "../db/effect-views.ts";
import { auditEntries } from "../db/schema/audit-entries.ts";
import { eventAttempts } from "../db/schema/event-attempts.ts";
import { eventDeliveries as deliveries } from "../db/schema/event-deliveries.ts";
import { eventPayloads } from "../db/schema/event-payloads.ts";
import { processedStripeEvents as events } from "../db/schema/processed-stripe-events.ts";
import { user } from "../db/schema/sign-in.ts";
import { DomainError } from "../errors.ts";
import { eventRowColumns, knownCode } from "./event-row.ts";
import { redactPayload } from "./redact-payload.ts";

/** Of each kind of evidence the newest are shown. An event that Stripe sends for ever must not fill the page. */
const SHOWN_MAX = 100;

/**
 * Everything on record about one event, as it was at one moment. A twin's id leads to the event that carries its
 * claim. Throws DomainError `event_unknown`.
 */
export async function readEventDetail(
  db: Db,
  { eventId, role }: { eventId: string; role: Role },
): Promise<EventDetail> {
  // One snapshot: the status and the attempts that explain it must belong together.
  return await db.transaction(
    async (tx) => {
      const { now, ...event } = await readEvent(tx, eventId);
      const [{ payload, payloadBytes }, deliveryViews, deliveryCount, attempts, effects, audit] =
        await Promise.all([
          readPayload(tx, event.eventId, role),
          readDeliveries(tx, event.eventId),
          tx.$count(deliveries, eq(deliveries.winnerEventId, event.eventId)),
          readAttempts(tx, event.eventId),
          readEffectsOfEvent(tx, event.eventId),
          readAudit(tx, event.eventId),
        ]);
      return {
        now,
        event,
        deliveries: deliveryViews,
        deliveryCount,
        attempts,
        effects,
        audit,
        payload,
        payloadBytes,
      };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

async function readEvent(tx: Tx, eventId: string) {
  const winnerId = sql`coalesce(
    (select own.event_id from ${events} as own where own.event_id = ${eventId}),
    (select ${deliveries.winnerEventId} from ${deliveries} where ${deliveries.eventId} = ${eventId} limit 1))`;
  const [found] = await tx
    .select({
      ...eventRowColumns,
      apiVersion: events.apiVersion,
      occurredAt: events.occurredAt,
      livemode: events.livemode,
      once: events.once,
      now: sql<Date>`now()`.mapWith(events.createdAt),
    })
    .from(events)
    .where(sql`${events.eventId} = ${winnerId}`);
  if (!found) throw new DomainError("event_unknown");
  return found;
}

async function readPayload(tx: Tx, eventId: string, role: Role) {
  const [row] = await tx
    .select({ body: eventPayloads.body })
    .from(eventPayloads)
    .where(eq(eventPayloads.eventId, eventId))
    .limit(1);
  if (!row) return { payload: null, payloadBytes: null };
  return { payload: redactPayload(row.body, role), payloadBytes: row.body.byteLength };
}

async function readDeliveries(tx: Tx, eventId: string) {
  const newest = await tx
    .select({
      id: sql<string>`${deliveries.deliveryId}::text`,
      eventId: deliveries.eventId,
      verdict: deliveries.verdict,
      source: deliveries.source,
      receivedAt: deliveries.receivedAt,
      signedAt: deliveries.signedAt,
    })
    .from(deliveries)
    .where(eq(deliveries.winnerEventId, eventId))
    .orderBy(desc(deliveries.deliveryId))
    .limit(SHOWN_MAX);
  return newest.toReversed();
}

async function readAttempts(tx: Tx, eventId: string) {
  const newest = await tx
    .select({
      attempt: eventAttempts.attempt,
      worker: eventAttempts.worker,
      startedAt: eventAttempts.startedAt,
      endedAt: eventAttempts.endedAt,
      result: eventAttempts.result,
      errorCode: eventAttempts.errorCode,
      error: eventAttempts.error,
      refusedAt: eventAttempts.refusedAt,
    })
    .from(eventAttempts)
    .where(eq(eventAttempts.eventId, eventId))
    .orderBy(desc(eventAttempts.attempt))
    .limit(SHOWN_MAX);
  return newest.toReversed().map((attempt) => ({ ...attempt, errorCode: knownCode(attempt.errorCode) }));
}

async function readAudit(tx: Tx, eventId: string): Promise<AuditView[]> {
  const newest = await tx
    .select({
      sequence: auditEntries.sequence,
      at: auditEntries.at,
      actorId: auditEntries.actorId,
      actorName: user.name,
      actorRole: auditEntries.actorRole,
      action: auditEntries.action,
      result: auditEntries.result,
      refusalCode: auditEntries.refusalCode,
      reason: auditEntries.reason,
      before: auditEntries.before,
      after: auditEntries.after,
      hash: sql<string>`encode(${auditEntries.hash}, 'hex')`,
    })
    .from(auditEntries)
    .leftJoin(user, eq(user.id, auditEntries.actorId))
    .where(sql`${auditEntries.targetKind} = 'event' and ${auditEntries.targetId} = ${eventId}`)
    .orderBy(desc(auditEntries.sequence))
    .limit(SHOWN_MAX);
  return newest.toReversed().map((entry) => ({ ...entry, refusalCode: knownCode(entry.refusalCode) }));
}
