import { describe, expect, test } from "vitest";
import { useDatabase } from "../testing/use-database.ts";
import { type AuditEntry, appendAudit, recordRefusal } from "./append.ts";
import { canonicalJson } from "./chain.ts";
import { verifyAudit } from "./verify.ts";

const database = useDatabase();
const act: AuditEntry = {
  actor: { id: "operator_1", role: "ops" },
  action: "event.replay",
  target: { kind: "event", id: "evt_1" },
  result: "done",
  refusalCode: null,
  reason: "The worker died at noon.",
  before: { phase: "stale", attempt: 1 },
  after: { phase: "queued", attempt: 1 },
  requestId: null,
};
const append = (overrides: Partial<AuditEntry> = {}) =>
  database().db.transaction((tx) => appendAudit(tx, { ...act, ...overrides }));
/** What somebody with the database owner's rights could do: switch the triggers off and write history anew. */
const forge = (statement: string) =>
  database().sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx.unsafe(statement);
  });

describe("the audit chain", () => {
  test("is whole when it is empty, and after every act", async () => {
    expect(await verifyAudit(database().db)).toEqual({ entries: 0n, firstBroken: null });
    for (let n = 0; n < 3; n++) await append();
    await recordRefusal(database().db, { ...act, refusalCode: "event_held" });
    expect(await verifyAudit(database().db)).toEqual({ entries: 4n, firstBroken: null });
  });

  test("stays whole whatever an operator typed", async () => {
    await append({ reason: "a\u0000b \ud83d Zoë 🎉", requestId: "6F2F7C1E-3C63-4B39-9D0A-0D8B3A9F7A10" });
    expect(await verifyAudit(database().db)).toEqual({ entries: 1n, firstBroken: null });
  });

  test("numbers acts without a gap when many are done at once, and loses none", async () => {
    await Promise.all(Array.from({ length: 20 }, () => append()));
    expect(await verifyAudit(database().db)).toEqual({ entries: 20n, firstBroken: null });
  });

  test("leaves no trace of an act that was rolled back, and stays whole", async () => {
    await append();
    const undone = database().db.transaction(async (tx) => {
      await appendAudit(tx, act);
      throw new Error("undo");
    });
    await expect(undone).rejects.toThrow("undo");
    await append();
    expect(await verifyAudit(database().db)).toEqual({ entries: 2n, firstBroken: null });
  });

  test.for([
    ["a changed reason", "update audit_entries set reason = 'Nothing happened.' where sequence = 2", 2n],
    ["a changed actor", "update audit_entries set actor_id = 'operator_2' where sequence = 2", 2n],
    ["a changed detail", `update audit_entries set after = '{"phase": "dead"}' where sequence = 2`, 2n],
    ["an entry taken out", "delete from audit_entries where sequence = 2", 2n],
    [
      "an entry put in at the end",
      `insert into audit_entries (sequence, at, actor_id, actor_role, action, target_kind, target_id, result, previous_hash, hash)
        select 4, at, actor_id, actor_role, action, target_kind, target_id, result, hash, hash
        from audit_entries where sequence = 3`,
      4n,
    ],
    ["the newest entry cut off", "delete from audit_entries where sequence = 3", 3n],
    [
      "the newest entry cut off and the count mended",
      "delete from audit_entries where sequence = 3; update audit_chain_head set entries = 2",
      3n,
    ],
  ] as const)("names the first broken entry after %s", async ([, statement, firstBroken]) => {
    for (let n = 0; n < 3; n++) await append();
    await forge(statement);
    expect(await verifyAudit(database().db)).toMatchObject({ firstBroken });
  });

  test.for(["update audit_entries set reason = ''", "delete from audit_entries", "truncate audit_entries"])(
    "is append-only: %s",
    async (statement) => {
      await append();
      await expect(database().sql.unsafe(statement)).rejects.toThrow("append-only");
    },
  );

  test("takes one request's act once", async () => {
    const requestId = "6f2f7c1e-3c63-4b39-9d0a-0d8b3a9f7a10";
    const results = await Promise.allSettled([append({ requestId }), append({ requestId })]);
    expect(results.map((one) => one.status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await verifyAudit(database().db)).toEqual({ entries: 1n, firstBroken: null });
  });
});

test("canonical JSON is the same whatever the order of the keys", () => {
  expect(canonicalJson({ b: 1n, a: [new Date(0), null, { d: true, c: undefined }] })).toBe(
    '{"a":["1970-01-01T00:00:00.000Z",null,{"d":true}],"b":"1"}',
  );
});
