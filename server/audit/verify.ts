import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { auditChainHead, auditEntries } from "../db/schema/audit-entries.ts";
import { auditHash } from "./chain.ts";

const BATCH = 500;

export interface ChainVerdict {
  /** How many entries the chain's head speaks of. */
  entries: bigint;
  /** The first entry that was changed, taken out or put in from outside; null if the chain is whole. */
  firstBroken: bigint | null;
}

/**
 * Recomputes the chain from its first entry. Reads in batches and in no transaction, so that it may run beside
 * everything else however long the chain is; entries that come meanwhile are not looked at.
 */
export async function verifyAudit(db: Db): Promise<ChainVerdict> {
  const { entries, hash: headHash, firstBeyond } = await readHead(db);
  let checked = 0n;
  let hash: Uint8Array = new Uint8Array();
  while (checked < entries) {
    const rows = await readBatch(db, { after: checked, upTo: entries });
    for (const { previousHash, hash: stated, ...fields } of rows) {
      const isNext = fields.sequence === checked + 1n && isSame(previousHash, hash);
      if (!isNext || !isSame(stated, auditHash(hash, fields))) return { entries, firstBroken: checked + 1n };
      checked = fields.sequence;
      hash = stated;
    }
    if (rows.length === 0) return { entries, firstBroken: checked + 1n };
  }
  // The rows agree with each other, but not with the head: what came after them was cut off.
  if (!isSame(hash, headHash)) return { entries, firstBroken: entries + 1n };
  return { entries, firstBroken: firstBeyond };
}

/** Read in one statement: an entry that the head of the same moment does not speak of was put in from outside. */
async function readHead(db: Db): Promise<{ entries: bigint; hash: Uint8Array; firstBeyond: bigint | null }> {
  const beyond = sql<string | null>`(select min(${auditEntries.sequence}) from ${auditEntries}
    where ${auditEntries.sequence} > ${auditChainHead.entries})`;
  const [head] = await db
    .select({ entries: auditChainHead.entries, hash: auditChainHead.hash, beyond })
    .from(auditChainHead)
    .where(eq(auditChainHead.id, 1));
  if (!head) throw new Error("Bug! The audit chain has no head.");
  return { ...head, firstBeyond: head.beyond === null ? null : BigInt(head.beyond) };
}

async function readBatch(db: Db, { after, upTo }: { after: bigint; upTo: bigint }) {
  return await db
    .select()
    .from(auditEntries)
    .where(and(gt(auditEntries.sequence, after), lte(auditEntries.sequence, upTo)))
    .orderBy(asc(auditEntries.sequence))
    .limit(BATCH);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
