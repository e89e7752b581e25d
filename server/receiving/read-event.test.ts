import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../package-root.ts";
import { readEvent } from "./read-event.ts";

const options = { livemode: false, accounts: ["acct_served"] };
const read = (event: unknown) =>
  readEvent(Buffer.from(typeof event === "string" ? event : JSON.stringify(event)), options);
const snapshot = (overrides: Record<string, unknown> = {}) => ({
  id: "evt_1",
  object: "event",
  type: "checkout.session.completed",
  livemode: false,
  created: 1_796_000_000,
  api_version: "2026-10-28.endive",
  data: { object: { id: "cs_1", object: "checkout.session", metadata: { order_id: "order_1" } } },
  ...overrides,
});

describe("a signed body", () => {
  test("that is a snapshot event is read as far as the claim needs", () => {
    expect(read(snapshot())).toEqual({
      kind: "event",
      eventId: "evt_1",
      eventType: "checkout.session.completed",
      objectId: "cs_1",
      livemode: false,
      account: "",
      apiVersion: "2026-10-28.endive",
      occurredAt: new Date(1_796_000_000_000),
      once: true,
      orderIdHint: "order_1",
      settled: null,
    });
  });

  test.for([
    "null",
    "[]",
    '"x"',
    "123",
    "{}",
    "",
    "{",
    "not json",
    '{"object":"event"}',
    '{"object":"event","id":1,"type":"a"}',
  ])("that is no event is unreadable and nothing worse: %s", (body) => {
    expect(read(body)).toEqual({ kind: "unreadable" });
  });

  test("with a byte order mark reads like one without", () => {
    expect(read(`\uFEFF${JSON.stringify(snapshot())}`)).toMatchObject({ kind: "event", eventId: "evt_1" });
  });

  test.for(["a\u0000b", "\ud83d", "x".repeat(1001)])(
    "whose event id PostgreSQL cannot hold is unreadable",
    (id) => {
      expect(read(snapshot({ id }))).toEqual({ kind: "unreadable" });
    },
  );

  test.for(["a\u0000b", "\ud83d", "x".repeat(1001)])(
    "whose object id PostgreSQL cannot hold is malformed and never claimed by it",
    (id) => {
      const event = read(snapshot({ data: { object: { id } } }));
      expect(event).toMatchObject({ objectId: "evt_1", once: false, settled: { outcome: "malformed" } });
    },
  );

  test.for([null, undefined, {}, { object: null }, { object: {} }])(
    "of a handled type without an object is malformed",
    (data) => {
      expect(read(snapshot({ data }))).toMatchObject({
        objectId: "evt_1",
        settled: { outcome: "malformed" },
      });
    },
  );

  // balance.available has an object without an id: two of them must not be taken for twins.
  test("of another type whose object has no id is recorded under its own id", () => {
    const event = read(snapshot({ type: "balance.available", data: { object: { object: "balance" } } }));
    expect(event).toMatchObject({
      objectId: "evt_1",
      once: false,
      settled: { outcome: "recorded", reason: null },
    });
  });

  test("of the other mode is recorded with the reason", () => {
    expect(read(snapshot({ livemode: true }))).toMatchObject({
      settled: { outcome: "recorded", reason: "wrong_mode" },
    });
  });

  test("of a connected account is claimed if it is served and recorded if it is not", () => {
    expect(read(snapshot({ account: "acct_served" }))).toMatchObject({
      account: "acct_served",
      settled: null,
    });
    expect(read(snapshot({ account: "acct_other" }))).toMatchObject({
      account: "acct_other",
      settled: { outcome: "recorded", reason: "account_not_served" },
    });
  });

  // Stripe's set-up recommends thin destinations now; during a migration both forms of one event arrive.
  test("that is a thin event of a handled type is claimed as its snapshot twin", () => {
    const thin = {
      id: "evt_thin",
      object: "v2.core.event",
      type: "v1.checkout.session.completed",
      created: "2026-12-01T12:00:00.000Z",
      livemode: false,
      related_object: { id: "cs_1", type: "checkout.session", url: "/v1/checkout/sessions/cs_1" },
    };
    expect(read(thin)).toMatchObject({
      eventType: "checkout.session.completed",
      objectId: "cs_1",
      once: true,
      occurredAt: new Date("2026-12-01T12:00:00Z"),
      settled: null,
    });
    expect(read({ ...thin, type: "v1.charge.refunded" })).toMatchObject({
      eventType: "v1.charge.refunded",
      settled: { outcome: "recorded" },
    });
  });

  test.for([
    "charge.refunded",
    "refund.updated",
    "charge.dispute.closed",
    "payment_intent.payment_failed",
    "payout.paid",
  ])("of type %s, which repeats for one object, is never taken for a twin", (type) => {
    expect(read(snapshot({ type }))).toMatchObject({ once: false });
  });

  test.for([Number.MAX_SAFE_INTEGER, -1e20, "never", null, {}])(
    "with an impossible creation time loses only that",
    (created) => {
      expect(read(snapshot({ created }))).toMatchObject({ occurredAt: null, settled: null });
    },
  );
});

const fixtures = join(packageRoot(), "../shared/fixtures");
const folders = ["events", "events-derived"]
  .map((name) => join(fixtures, name))
  .filter((folder) => existsSync(folder));
if (folders.length === 0)
  console.warn("The folder of real payloads is not here: they are not read in this run.");

describe.runIf(folders.length > 0)("real payloads of many years", () => {
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  test("are each read as an event or kept as unreadable", () => {
    const kinds = files.map((file) => readEvent(readFileSync(file), options).kind);
    expect(kinds.filter((kind) => kind === "event").length).toBeGreaterThan(150);
    // The folder's notes name these: bare objects, a CloudEvents wrapper, events without an id.
    expect(kinds.filter((kind) => kind === "unreadable").length).toBeLessThan(25);
  });
});
