import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isOutcomeCode } from "#shared/outcomes.ts";
import { countEvents, listEventTypes } from "../claims/event-counts.ts";
import { eventDeliveries } from "../db/schema/event-deliveries.ts";
import { eventPayloads } from "../db/schema/event-payloads.ts";
import { packageRoot } from "../package-root.ts";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { useDatabase } from "../testing/use-database.ts";
import { useWebhookDoor, type WebhookDoor } from "../testing/webhook-door.ts";

/** Payloads as real integrations published them, from 2013 to 2026. They belong to others and are not in this repository. */
const fixtures = join(packageRoot(), "../shared/fixtures");
const corpus = ["events", "events-derived"]
  .map((name) => join(fixtures, name))
  .filter(existsSync)
  .flatMap((folder) =>
    readdirSync(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) })),
  );
const typesFile = join(fixtures, "event-types.txt");
const isAbsent = corpus.length === 0 || !existsSync(typesFile);
if (isAbsent) console.warn(`No corpus of payloads in ${fixtures}: its tests are skipped.`);

const database = useDatabase();
const { stripe, drain, makeDue, state, granted } = useFulfilment(database);
const openDoor = useWebhookDoor(database);
const ATTEMPTS_MAX = 8;

/** Sends each to the door. Whatever it is, it is signed, so that nothing but its being stored may be answered. */
async function postAll(door: WebhookDoor, bodies: readonly (Uint8Array | string)[]): Promise<string[]> {
  const verdicts: string[] = [];
  for (const body of bodies) {
    const answer = await door.postBytes(body);
    expect(answer).toMatchObject({ status: 200, body: { received: true } });
    verdicts.push((answer.body as { verdict: string }).verdict);
  }
  return verdicts;
}

/** Lets workers try until nothing is left to try. */
async function drainForGood(): Promise<void> {
  for (let n = 0; n < ATTEMPTS_MAX; n++) {
    await drain();
    await makeDue();
  }
  await drain();
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** The same payload as a different event about a different object: many files share the ids of a template. */
function withOwnIds(bytes: Buffer, suffix: string): string {
  const event: unknown = JSON.parse(bytes.toString());
  if (typeof event !== "object" || event === null || !("id" in event)) return bytes.toString();
  const data = "data" in event ? (event.data as { object?: { id?: unknown } | null }) : undefined;
  const object = data?.object;
  if (object && typeof object.id === "string") object.id = `${object.id}${suffix}`;
  return JSON.stringify({ ...event, id: `${String(event.id)}${suffix}` });
}

async function expectOnePaidOrder(door: WebhookDoor, livemode: boolean): Promise<void> {
  const { sessionId } = await stripe().sessions.create({ metadata: { order_id: "order_after" } });
  const event = await stripe().eventOf(sessionId, { type: "checkout.session.completed" });
  expect((await door.post({ ...event, livemode })).status).toBe(200);
  await drain();
  expect(await granted()).toEqual({ grants: 1, credits: 40n });
}

describe.skipIf(isAbsent)("every payload of the corpus, signed and sent", () => {
  // As they are: template ids repeat, so most of them are redeliveries. C01
  test("as it was published is answered 200, and a paid order is granted afterwards", async () => {
    const door = await openDoor();
    const verdicts = await postAll(
      door,
      corpus.map(({ bytes }) => bytes),
    );
    const { db } = database();
    expect(door.refused).toEqual([]);
    expect(await db.$count(eventDeliveries)).toBe(corpus.length);
    const firsts = verdicts.filter((verdict) => verdict === "claimed" || verdict === "twin");
    expect(await db.$count(eventPayloads)).toBe(firsts.length);
    await drainForGood();
    await expectOnePaidOrder(door, false);
    console.info(`Corpus as published: ${corpus.length} files, 0 server errors`, tally(verdicts));
  });

  test.for([false, true])(
    "as an event of its own ends with a known outcome, and stops no worker (live installation: %s)",
    async (livemode) => {
      const door = await openDoor({ livemode });
      const bodies = corpus.map(({ bytes }, n) => withOwnIds(bytes, `_${n}`));
      const verdicts = await postAll(door, bodies);
      await drainForGood();

      const { events, attempts, orders } = await state();
      expect(tally(verdicts)).toEqual({
        claimed: events.length,
        unreadable: corpus.length - events.length,
      });
      const ends = events.map((event) => ({
        ...event,
        end: event.status === "dead" ? event.lastErrorCode : (event.lastErrorCode ?? event.outcome),
      }));
      expect(ends.filter(({ status }) => status === "processing")).toEqual([]);
      expect(ends.filter(({ end }) => end === null || !isOutcomeCode(end))).toEqual([]);
      expect(attempts.filter((attempt) => attempt.endedAt === null)).toEqual([]);
      // Nobody here paid: what a payload says of money is never believed.
      expect(orders).toEqual([]);
      expect(await granted()).toEqual({ grants: 0, credits: 0n });
      await expectEachKept(bodies);
      await expectOnePaidOrder(door, livemode);
      const summary = tally([
        ...ends.map(({ status, end }) => `${status}: ${end}`),
        ...verdicts.filter((verdict) => verdict === "unreadable"),
      ]);
      console.info(
        `Corpus to a ${livemode ? "live" : "test"} installation: ${bodies.length} files, 0 server errors`,
        summary,
      );
    },
  );

  /** Byte for byte, and where a person looks: an event under its type, anything else counted as unreadable. */
  async function expectEachKept(bodies: readonly string[]): Promise<void> {
    const { db } = database();
    const kept = [
      ...(await db.select({ body: eventPayloads.body }).from(eventPayloads)),
      ...(await db.select({ body: eventDeliveries.body }).from(eventDeliveries)),
    ].flatMap(({ body }) => (body ? [Buffer.from(body).toString()] : []));
    expect(kept.toSorted()).toEqual(bodies.toSorted());
    const { events } = await state();
    const [counts, types] = await Promise.all([countEvents(db), listEventTypes(db)]);
    expect(counts.lastDay).toMatchObject({
      claimed: events.length,
      unreadable: bodies.length - events.length,
    });
    expect(types).toEqual([...new Set(events.map((event) => event.eventType))].toSorted());
  }
});

test.skipIf(isAbsent)(
  "an event of every type that Stripe names is stored and has a known outcome",
  async () => {
    const types = readFileSync(typesFile, "utf8")
      .split("\n")
      .map((line) => line.replace(/^\+/, "").trim())
      .filter((line) => /^[a-z0-9_]+(\.[a-z0-9_]+)+$/.test(line));
    expect(types.length).toBeGreaterThan(200);
    const door = await openDoor();
    const verdicts = await postAll(
      door,
      types.map((type, n) =>
        JSON.stringify({
          id: `evt_${n}`,
          object: type.startsWith("v2.") ? "v2.core.event" : "event",
          type,
          livemode: false,
          created: 1_796_000_000,
          data: { object: { id: `obj_${n}`, object: "thing" } },
        }),
      ),
    );
    await drainForGood();
    expect(tally(verdicts)).toEqual({ claimed: types.length });
    const { events } = await state();
    expect(tally(events.map((event) => `${event.status}: ${event.lastErrorCode ?? event.outcome}`))).toEqual({
      // The four about a checkout session, which Stripe does not know here.
      "dead: stripe_object_not_found": 4,
      "processed: recorded": types.length - 4,
    });
  },
);
