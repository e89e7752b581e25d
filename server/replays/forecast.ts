import { eq } from "drizzle-orm";
import type { ReplayForecast } from "#shared/desk-views.ts";
import { type OrderState, PAID_ORDER_STATES } from "#shared/order-state.ts";
import { type EventClaimRow, readClaimRow } from "../claims/claim-row.ts";
import { decideClaim, phaseOf } from "../claims/rules.ts";
import type { Db, Tx } from "../db/client.ts";
import { effects } from "../db/schema/effects.ts";
import { orders } from "../db/schema/orders.ts";
import { DomainError } from "../errors.ts";

const PAID_STATES = new Set<OrderState>(PAID_ORDER_STATES);

export interface ReplayRules {
  /** Connected accounts served here. */
  accounts: readonly string[];
  attemptsMax: number;
}

type ReplayAct = Pick<ReplayForecast, "act" | "refusal" | "heldBy" | "leaseUntil">;

/**
 * What a replay of the event would do now: asked of the claim rules themselves, so that the words before the act and
 * after it are the same. Promises nothing: the act asks again, with the row locked.
 */
export async function forecastReplay(
  db: Db | Tx,
  { eventId, rules }: { eventId: string; rules: ReplayRules },
): Promise<ReplayForecast> {
  const row = await readClaimRow(db, { eventId, accounts: rules.accounts });
  if (!row) throw new DomainError("event_unknown");
  const decided = decideReplay(row, rules);
  const order = row.orderId === null ? null : await readOrder(db, row.orderId);
  const existing = row.orderId === null ? [] : await readEffects(db, row.orderId);
  const hasGrant = existing.some((effect) => effect.kind === "grant_credits");
  const acts = decided.act !== "nothing" && decided.act !== "refuse";
  // An order that was not paid when it was last read is granted nothing, unless Stripe says otherwise by then.
  const mayGrant = order === null || PAID_STATES.has(order.state);
  return {
    now: row.now,
    attempt: row.attempt,
    phase: phaseOf(row, row.now),
    ...decided,
    orderId: row.orderId,
    orderState: order?.state ?? null,
    existingEffects: existing,
    missingEffects: acts && mayGrant && !hasGrant ? ["grant_credits"] : [],
    creditsExpected: order?.credits ?? null,
    amountTotalMinor: order?.amountTotal ?? null,
    currency: order?.currency ?? null,
  };
}

/** The claim rules' answer to a replay, in the words of the desk. */
export function decideReplay(row: EventClaimRow, { attemptsMax }: ReplayRules): ReplayAct {
  const decision = decideClaim(row, "replay", { now: row.now, attemptsMax });
  const plain = { refusal: null, heldBy: row.claimedBy, leaseUntil: row.leaseUntil };
  switch (decision.act) {
    case "offer":
      return { ...plain, act: decision.takesOver ? "take_over" : "offer" };
    case "rearm":
      return { ...plain, act: "rearm" };
    case "refuse":
      return { act: "refuse", refusal: "event_held", heldBy: decision.heldBy, leaseUntil: decision.until };
    case "nothing":
      return { ...plain, act: "nothing", refusal: "event_settled" };
    case "claim":
    case "note":
    case "take":
    case "bury":
    case "leave":
      throw new Error(`Bug! A replay was to ${decision.act}.`);
  }
}

async function readOrder(db: Db | Tx, orderId: string) {
  const [order] = await db
    .select({
      state: orders.state,
      credits: orders.credits,
      amountTotal: orders.amountTotal,
      currency: orders.currency,
    })
    .from(orders)
    .where(eq(orders.orderId, orderId));
  return order ?? null;
}

async function readEffects(db: Db | Tx, orderId: string) {
  return await db
    .select({ kind: effects.kind, createdAt: effects.createdAt })
    .from(effects)
    .where(eq(effects.orderId, orderId))
    .orderBy(effects.createdAt);
}
