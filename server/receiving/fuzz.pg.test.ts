import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isOutcomeCode } from "#shared/outcomes.ts";
import { readEventDetail } from "../claims/event-detail.ts";
import { HANDLED_TYPES } from "../claims/event-types.ts";
import { eventDeliveries } from "../db/schema/event-deliveries.ts";
import { eventPayloads } from "../db/schema/event-payloads.ts";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { useDatabase } from "../testing/use-database.ts";
import { useWebhookDoor, type WebhookDoor } from "../testing/webhook-door.ts";

const database = useDatabase();
const { stripe, drain, makeDue, state, granted } = useFulfilment(database);
const openDoor = useWebhookDoor(database);
const MEBIBYTE = 1024 * 1024;
const RUNS = 400;

/** An event that looks whole. Stripe knows nothing of its session. */
const whole = (session: object = {}) => ({
  id: "evt_fuzzed",
  object: "event",
  api_version: "2026-11-18.dahlia",
  created: 1_796_000_000,
  livemode: false,
  type: "checkout.session.completed",
  data: {
    object: {
      id: "cs_fuzzed",
      object: "checkout.session",
      metadata: { order_id: "order_fuzzed" },
      ...session,
    },
  },
});

const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));
/** Text of any code units: NUL, halves of surrogate pairs and all. */
const wildText = fc.array(codeUnit, { maxLength: 30 }).map((units) => units.join(""));
const wildNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }).map(Number),
);
const wildValue = fc.oneof(
  wildText,
  wildNumber,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }),
);
const fuzzedEvent = fc.record({
  id: fc.oneof(
    fc.uuid().map((id) => `evt_${id}`),
    wildValue,
  ),
  object: fc.oneof(fc.constantFrom("event", "v2.core.event"), wildValue),
  type: fc.oneof(fc.constantFrom(...HANDLED_TYPES, "v1.checkout.session.completed"), wildValue),
  livemode: fc.oneof(fc.constant(false), wildValue),
  account: fc.oneof(fc.constant(undefined), wildValue),
  context: fc.oneof(fc.constant(undefined), wildValue),
  api_version: fc.oneof(fc.constant("2026-11-18.dahlia"), wildValue),
  created: fc.oneof(fc.constant(1_796_000_000), wildValue),
  data: fc.oneof(
    fc.record({
      object: fc.oneof(
        fc.record({
          id: fc.oneof(
            fc.uuid().map((id) => `cs_${id}`),
            wildValue,
          ),
          metadata: fc.oneof(fc.record({ order_id: wildValue }), wildValue),
        }),
        wildValue,
      ),
    }),
    wildValue,
  ),
});

async function expectNothingLost(door: WebhookDoor, bodies: readonly (Uint8Array | string)[]): Promise<void> {
  const { db } = database();
  expect(door.refused).toEqual([]);
  expect(await db.$count(eventDeliveries)).toBe(bodies.length);
  for (let n = 0; n < 9; n++) {
    await drain();
    await makeDue();
  }
  const { events, orders } = await state();
  const ends = events.map(({ status, outcome, lastErrorCode }) => ({
    status,
    end: lastErrorCode ?? outcome,
  }));
  expect(ends.filter(({ status, end }) => status === "processing" || !isOutcomeCode(end ?? ""))).toEqual([]);
  expect(orders).toEqual([]);
  for (const { eventId } of events) await readEventDetail(db, { eventId, role: "admin" });

  const { sessionId } = await stripe().sessions.create({ metadata: { order_id: "order_after" } });
  await door.post(await stripe().eventOf(sessionId, { type: "checkout.session.completed" }));
  await drain();
  expect(await granted()).toEqual({ grants: 1, credits: 40n });
}

describe("a signed body that is no whole event", () => {
  test("is answered 200 and kept, wherever it was cut off", async () => {
    const door = await openDoor();
    const text = JSON.stringify(whole({ customer_details: { name: "Zoë 🎉 Łukasz 李" } }));
    const bytes = Buffer.from(text);
    // Before the last brace: at no length may it pass for an event.
    const bodies = Array.from({ length: bytes.length }, (_, length) => bytes.subarray(0, length));
    for (const body of bodies) {
      expect(await door.postBytes(body)).toMatchObject({ status: 200, body: { verdict: "unreadable" } });
    }
    const deliveries = await database().db.select().from(eventDeliveries).orderBy(eventDeliveries.deliveryId);
    expect(deliveries.map(({ body }) => Buffer.from(body ?? []).length)).toEqual(
      bodies.map((body) => body.length),
    );
    await expectNothingLost(door, bodies);
  });

  test("is answered 200 and has a known end, whatever any field holds", async () => {
    const door = await openDoor();
    const bodies: string[] = [];
    await fc.assert(
      fc.asyncProperty(fuzzedEvent, async (event) => {
        const body = JSON.stringify(event);
        bodies.push(body);
        const { status } = await door.postBytes(body);
        expect(status).toBe(200);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    await expectNothingLost(door, bodies);
  });

  test("is answered 200 and has a known end, whichever of its bytes are others", async () => {
    const door = await openDoor();
    const original = Buffer.from(JSON.stringify(whole()));
    const bodies: Uint8Array[] = [];
    const changes = fc.array(
      fc.tuple(fc.nat({ max: original.length - 1 }), fc.integer({ min: 0, max: 255 })),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(changes, async (replacements) => {
        const body = Buffer.from(original);
        for (const [at, byte] of replacements) body[at] = byte;
        bodies.push(body);
        expect((await door.postBytes(body)).status).toBe(200);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    await expectNothingLost(door, bodies);
  });
});

describe("a signed event that is strange", () => {
  const id = '"id":"evt_fuzzed","object":"event","type":"checkout.session.completed","livemode":false';
  const session = '{"id":"cs_fuzzed","metadata":{"order_id":"order_fuzzed"}}';

  test.for<[string, string]>([
    [
      "arrays ten thousand deep",
      `{${id},"data":{"object":${session},"deep":${"[".repeat(10_000)}${"]".repeat(10_000)}}}`,
    ],
    [
      "objects ten thousand deep",
      `{${id},"data":{"object":${session},"deep":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}}`,
    ],
    [
      "every key twice",
      `{"id":"evt_first","type":"ping",${id},"data":{"object":{"id":"cs_first"}},"data":{"object":${session}}}`,
    ],
    [
      "keys of the prototype",
      `{${id},"__proto__":{"livemode":true},"constructor":1,"data":{"object":${session}}}`,
    ],
    ["numbers beyond 2^53", `{${id},"created":9007199254740993,"amount":1e400,"data":{"object":${session}}}`],
    ["NUL and half a pair", `{${id},"data":{"object":${session},"note":"\\u0000\\ud83d"}}`],
  ])(
    "with %s is claimed by the ids that JSON gives it, and dies for want of its session",
    async ([, body]) => {
      const door = await openDoor();
      expect(await door.postBytes(body)).toMatchObject({
        status: 200,
        body: { verdict: "claimed", event: "evt_fuzzed" },
      });
      const [payload] = await database().db.select().from(eventPayloads);
      expect(Buffer.from(payload?.body ?? []).equals(Buffer.from(body))).toBe(true);
      await expectNothingLost(door, [body]);
      const claimed = (await state()).events.find((event) => event.eventId === "evt_fuzzed");
      expect(claimed).toMatchObject({
        objectId: "cs_fuzzed",
        livemode: false,
        status: "dead",
        lastErrorCode: "stripe_object_not_found",
      });
    },
  );

  test("is accepted with a mebibyte and refused with a byte more, of which nothing is kept", async () => {
    const door = await openDoor();
    const empty = JSON.stringify({ ...whole(), note: "" });
    const ofSize = (bytes: number) => JSON.stringify({ ...whole(), note: "x".repeat(bytes - empty.length) });
    expect(await door.postBytes(ofSize(MEBIBYTE + 1))).toMatchObject({
      status: 413,
      body: { error: { code: "body_too_large" } },
    });
    expect(await database().db.$count(eventDeliveries)).toBe(0);
    const fitting = ofSize(MEBIBYTE);
    expect(await door.postBytes(fitting)).toMatchObject({ status: 200, body: { verdict: "claimed" } });
    expect(door.refused.splice(0)).toEqual(["body_too_large"]);
    await expectNothingLost(door, [fitting]);
  });
});
