import { asc, eq, type SQL } from "drizzle-orm";
import type { EffectView } from "#shared/desk-views.ts";
import type { Db, Tx } from "./client.ts";
import { creditLedger } from "./schema/credit-ledger.ts";
import { effects } from "./schema/effects.ts";

/** An order has a handful; the limit is for the day that somebody finds a way to make many. */
const SHOWN_MAX = 100;

/** The effects that an event brought about, oldest first, with what each booked. */
export function readEffectsOfEvent(db: Db | Tx, eventId: string): Promise<EffectView[]> {
  return readEffects(db, eq(effects.eventId, eventId));
}

/** The effects of an order, whichever events brought them about. */
export function readEffectsOfOrder(db: Db | Tx, orderId: string): Promise<EffectView[]> {
  return readEffects(db, eq(effects.orderId, orderId));
}

async function readEffects(db: Db | Tx, which: SQL): Promise<EffectView[]> {
  return await db
    .select({
      effectId: effects.effectId,
      orderId: effects.orderId,
      kind: effects.kind,
      subject: effects.subject,
      eventId: effects.eventId,
      attempt: effects.attempt,
      credits: creditLedger.delta,
      createdAt: effects.createdAt,
    })
    .from(effects)
    .leftJoin(creditLedger, eq(creditLedger.effectId, effects.effectId))
    .where(which)
    .orderBy(asc(effects.createdAt), asc(effects.effectId))
    .limit(SHOWN_MAX);
}
