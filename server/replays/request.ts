import { and, eq } from "drizzle-orm";
import { type ReplayRequest, REASON_LENGTH_MIN } from "#shared/desk-inputs.ts";
import type { ReplayForecast, ReplayResult } from "#shared/desk-views.ts";
import type { RefusalCode } from "#shared/outcomes.ts";
import { hasPermission, type Role } from "#shared/roles.ts";
import { type AuditEntry, appendAudit, recordRefusal } from "../audit/append.ts";
import { type EventClaimRow, lockClaimRow } from "../claims/claim-row.ts";
import { offerByOperator, rearmByOperator } from "../claims/rearm.ts";
import { phaseOf } from "../claims/rules.ts";
import type { Db, Tx } from "../db/client.ts";
import { constraintOf } from "../db/errors.ts";
import { auditEntries } from "../db/schema/audit-entries.ts";
import { DomainError } from "../errors.ts";
import { failPoint } from "../fail-points.ts";
import { decideReplay, forecastReplay, type ReplayRules } from "./forecast.ts";

const ACTION = "event.replay";

export interface ReplayOptions {
  rules: ReplayRules;
  operator: { id: string; role: Role };
  /** Called after the commit when a worker has something to do. */
  onDue: () => void;
}

type Done = Pick<ReplayResult, "result" | "refusal" | "act" | "attempt">;

/**
 * An operator's replay: offers an event to the workers, or re-arms a dead one, if the claim rules allow it and the event
 * is still as the operator saw it. The audit entry is written in the same transaction.
 *
 * The same request id is one act, however often it is sent. A refusal changes nothing, is audited too, and comes back
 * with a new forecast. Throws DomainError when the role, the reason or the event id rules it out altogether.
 */
export async function requestReplay(
  db: Db,
  request: ReplayRequest,
  { rules, operator, onDue }: ReplayOptions,
): Promise<ReplayResult> {
  const refusalEntry = {
    actor: operator,
    action: ACTION,
    target: { kind: "event", id: request.eventId },
    reason: request.reason,
    before: { attempt: request.expectedAttempt, phase: request.expectedPhase },
    after: null,
    requestId: request.requestId,
  };
  const refuse = async (refusalCode: RefusalCode) =>
    await recordRefusal(db, { ...refusalEntry, refusalCode });

  const ruledOut = whyRuledOut(request, operator.role);
  if (ruledOut) {
    await refuse(ruledOut);
    throw new DomainError(ruledOut);
  }
  const done = await carryOut(db, request, { rules, operator });
  if (done === null) {
    await refuse("event_unknown");
    throw new DomainError("event_unknown");
  }
  if (done.refusal === null) {
    failPoint("replay.after_commit");
    onDue();
    return { ...done, forecast: null };
  }
  await refuse(done.refusal);
  return { ...done, forecast: await forecastReplay(db, { eventId: request.eventId, rules }) };
}

function whyRuledOut({ reason }: ReplayRequest, role: Role): "role_not_allowed" | "reason_too_short" | null {
  if (!hasPermission(role, "replay_events")) return "role_not_allowed";
  return reason.length < REASON_LENGTH_MIN ? "reason_too_short" : null;
}

/** Null if the event was never received. */
async function carryOut(
  db: Db,
  request: ReplayRequest,
  options: { rules: ReplayRules; operator: ReplayOptions["operator"] },
): Promise<Done | null> {
  try {
    return await db.transaction((tx) => replayLocked(tx, request, options));
  } catch (error) {
    // The same request id came in for another event at the same moment. Only one of the two is the act.
    if (constraintOf(error) !== "one_act_per_request") throw error;
    return { result: "refused", refusal: "event_changed", act: "refuse", attempt: request.expectedAttempt };
  }
}

async function replayLocked(
  tx: Tx,
  request: ReplayRequest,
  { rules, operator }: { rules: ReplayRules; operator: ReplayOptions["operator"] },
): Promise<Done | null> {
  const row = await lockClaimRow(tx, { eventId: request.eventId, accounts: rules.accounts });
  if (!row) return null;
  // After the lock: a double click waits there, and what the first one did is visible to this statement.
  const earlier = await findEarlierAct(tx, request);
  if (earlier) return earlier;

  const { attempt } = row;
  const phase = phaseOf(row, row.now);
  if (attempt !== request.expectedAttempt || phase !== request.expectedPhase) {
    return { result: "refused", refusal: "event_changed", act: "refuse", attempt };
  }
  const { act, refusal } = decideReplay(row, rules);
  if (refusal) return { result: "refused", refusal, act, attempt };
  // The lease can end between the lock and the write; then the row is no longer what was decided on.
  if (!(await write(tx, { row, act, rules }))) {
    return { result: "refused", refusal: "event_changed", act: "refuse", attempt };
  }
  const entry: AuditEntry = {
    actor: operator,
    action: ACTION,
    target: { kind: "event", id: row.eventId },
    result: "done",
    refusalCode: null,
    reason: request.reason,
    before: { attempt, phase, failures: row.failures, heldBy: row.claimedBy },
    after: { attempt, phase: "queued", act },
    requestId: request.requestId,
  };
  await appendAudit(tx, entry);
  failPoint("replay.before_commit");
  return { result: "replayed", refusal: null, act, attempt };
}

async function write(
  tx: Tx,
  { row, act, rules }: { row: EventClaimRow; act: ReplayForecast["act"]; rules: ReplayRules },
): Promise<boolean> {
  return act === "rearm"
    ? await rearmByOperator(tx, row.eventId)
    : await offerByOperator(tx, row.eventId, { accounts: rules.accounts });
}

async function findEarlierAct(tx: Tx, { requestId, eventId }: ReplayRequest): Promise<Done | null> {
  const [entry] = await tx
    .select({ targetId: auditEntries.targetId, before: auditEntries.before, after: auditEntries.after })
    .from(auditEntries)
    .where(and(eq(auditEntries.requestId, requestId), eq(auditEntries.result, "done")));
  if (!entry || entry.targetId !== eventId) return null;
  return {
    result: "repeated",
    refusal: null,
    act: entry.after?.act as ReplayForecast["act"],
    attempt: Number(entry.before?.attempt),
  };
}
