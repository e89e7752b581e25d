import { strict as assert } from "node:assert";
import { eq, sql } from "drizzle-orm";
import type { RefusalCode } from "#shared/outcomes.ts";
import type { Role } from "#shared/roles.ts";
import type { Db, Tx } from "../db/client.ts";
import { auditChainHead, auditEntries } from "../db/schema/audit-entries.ts";
import { toStorable } from "../db/storable-text.ts";
import { auditHash, canonicalJson } from "./chain.ts";

/**
 * What a human did, in ids only: never a name or an e-mail address, so that erasing a person leaves the chain whole.
 */
export interface AuditEntry {
  actor: { id: string; role: Role };
  /** noun.verb, as in event.replay. */
  action: string;
  target: { kind: string; id: string };
  result: "done" | "refused";
  refusalCode: RefusalCode | null;
  reason: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  /** The id the browser gave the request. A request that was carried out once is refused by a unique index. */
  requestId: string | null;
}

/**
 * Writes an entry into the chain, in the transaction of the act. Call it last: it locks the chain's head, which comes
 * after every other lock, and holds it until the commit. Throws on the unique index `one_act_per_request` if the
 * request has been carried out before.
 */
export async function appendAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  assert((entry.result === "refused") === (entry.refusalCode !== null));
  const [head] = await tx
    .select({
      entries: auditChainHead.entries,
      hash: auditChainHead.hash,
      // Asked after the wait for the head, so that instants rise with the sequence, and no finer than what is hashed.
      at: sql<Date>`date_trunc('milliseconds', clock_timestamp())`.mapWith(auditEntries.at),
    })
    .from(auditChainHead)
    .where(eq(auditChainHead.id, 1))
    .for("update");
  if (!head) throw new Error("Bug! The audit chain has no head.");

  const fields = {
    sequence: head.entries + 1n,
    at: head.at,
    actorId: entry.actor.id,
    actorRole: entry.actor.role,
    action: entry.action,
    targetKind: entry.target.kind,
    targetId: toStorable(entry.target.id),
    result: entry.result,
    refusalCode: entry.refusalCode,
    reason: entry.reason === null ? null : toStorable(entry.reason),
    before: asStored(entry.before),
    after: asStored(entry.after),
    // As the uuid type gives it back.
    requestId: entry.requestId?.toLowerCase() ?? null,
  };
  const hash = auditHash(head.hash, fields);
  await tx.insert(auditEntries).values({ ...fields, previousHash: head.hash, hash });
  await tx.update(auditChainHead).set({ entries: fields.sequence, hash }).where(eq(auditChainHead.id, 1));
}

/** Writes a refused act, in a transaction of its own, since there is no act whose transaction it could be in. */
export async function recordRefusal(
  db: Db,
  entry: Omit<AuditEntry, "result" | "refusalCode"> & { refusalCode: RefusalCode },
): Promise<void> {
  await db.transaction((tx) => appendAudit(tx, { ...entry, result: "refused" }));
}

/** The object as jsonb will give it back, since the hash must be of what can be read later. */
function asStored(value: Record<string, unknown> | null): Record<string, unknown> | null {
  return value === null ? null : (JSON.parse(toStorable(canonicalJson(value))) as Record<string, unknown>);
}
