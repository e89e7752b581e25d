import { createHash } from "node:crypto";
import type { Role } from "#shared/roles.ts";

/** What an audit entry's hash covers: every column but the hash itself. */
export interface AuditFields {
  sequence: bigint;
  at: Date;
  actorId: string;
  actorRole: Role;
  action: string;
  targetKind: string;
  targetId: string;
  result: "done" | "refused";
  refusalCode: string | null;
  reason: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  requestId: string | null;
}

/**
 * The hash of an entry: SHA-256 over the hash before it (nothing for the first) followed by the UTF-8 bytes of the
 * entry's canonical JSON. Anybody with the rows can compute it again.
 */
export function auditHash(previousHash: Uint8Array, fields: AuditFields): Uint8Array {
  return createHash("sha256").update(previousHash).update(canonicalJson(fields), "utf8").digest();
}

/** JSON without white space, object keys sorted, bigint as a decimal string, instants as ISO 8601 in UTC with milliseconds. */
export function canonicalJson(value: unknown): string {
  if (typeof value === "bigint") return JSON.stringify(value.toString());
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined);
    const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${sorted.map(([key, one]) => `${JSON.stringify(key)}:${canonicalJson(one)}`).join(",")}}`;
  }
  return JSON.stringify(value ?? null);
}
