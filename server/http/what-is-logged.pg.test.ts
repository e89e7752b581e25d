import { describe, expect, test } from "vitest";
import { eventFilters, orderFilters } from "#shared/desk-inputs.ts";
import { ROLES } from "#shared/roles.ts";
import { readEventDetail } from "../claims/event-detail.ts";
import { listEvents } from "../claims/list-events.ts";
import { listOrders } from "../orders/list-orders.ts";
import { readOrderDetail } from "../orders/order-detail.ts";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { keptLog } from "../testing/kept-log.ts";
import { useDatabase } from "../testing/use-database.ts";
import { useWebhookDoor } from "../testing/webhook-door.ts";

const database = useDatabase();
const { stripe, drain, makeDue, state, granted } = useFulfilment(database);
const openDoor = useWebhookDoor(database);
const ORDER = { order_id: "order_1", user_id: "user_1" };
const completed = "checkout.session.completed";
const RETRIEVE = /^\/v1\/checkout\/sessions\/[^/]+$/;

/** What a person wrote or is called. None of it may be in any place but the payload, which is under lock and key. */
const PERSON = {
  name: "Rosalind Quimby",
  email: "rosalind@quimby.test",
  phone: "+41790001122",
  address: { line1: "Quimbystrasse 7", postal_code: "8099", city: "Quimbach", country: "CH" },
};
const PERSONAL_WORDS = ["Rosalind", "quimby", "+4179", "8099", "Quimbach", "sesame"];

const inJson = (shown: unknown) =>
  JSON.stringify(shown, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));

/** Which of them are shown, as text or as the bytes of a statement's parameter. */
function personalWordsIn(shown: unknown): string[] {
  const text = (typeof shown === "string" ? shown : inJson(shown)).toLowerCase();
  const formsOf = (word: string) => {
    const bytes = Buffer.from(word);
    return [word.toLowerCase(), bytes.toString("hex"), [...bytes].join(",")];
  };
  return PERSONAL_WORDS.filter((word) => formsOf(word).some((form) => text.includes(form)));
}

/** A paid session of a buyer about whom Stripe tells everything, in events and in answers. */
async function sessionOfAPerson(metadata: Record<string, string> = ORDER) {
  const made = await stripe().sessions.create({ metadata, email: PERSON.email });
  await stripe().controls.mutateSession(made.sessionId, {
    customer_details: PERSON,
    customer_email: PERSON.email,
    shipping_details: { name: PERSON.name, address: PERSON.address },
    custom_fields: [{ key: "note", type: "text", text: { value: "Open sesame" } }],
  });
  return { ...made, event: await stripe().eventOf(made.sessionId, { type: completed }) };
}

describe("a person's words", () => {
  // C83
  test("are in no log, list, page, error or audit, whether the order is granted or its handler fails", async () => {
    const { log, text } = keptLog();
    const door = await openDoor({ log });
    const { event, sessionId } = await sessionOfAPerson();
    const { db, sql } = database();
    await sql`alter table event_payloads add constraint refused check (length(body) < 10)`;
    expect((await door.post(event)).status).toBe(503);
    await sql`alter table event_payloads drop constraint refused`;
    expect((await door.post(event)).status).toBe(200);

    // First Stripe answers with half an object, then the database refuses a row that it repeats in its error.
    stripe().controls.answerNext({
      path: RETRIEVE,
      change: (body) => ({ ...body, amount_total: PERSON.email, line_items: PERSON.address }),
    });
    await drain({ log });
    await makeDue();
    await sql`alter table orders add constraint refused check (amount_total is null)`;
    await drain({ log });
    await sql`alter table orders drop constraint refused`;
    await makeDue();
    await drain({ log, handle: () => Promise.reject(new TypeError("The handler has a fault.")) });
    await makeDue();
    await drain({ log });
    expect((await state()).attempts.map((attempt) => attempt.errorCode)).toEqual([
      "stripe_answer_unreadable",
      "database_error",
      "handler_error",
      null,
    ]);
    expect(await granted()).toEqual({ grants: 1, credits: 40n });

    expect(text()).toContain(event.id);
    const shown: Record<string, unknown> = {
      log: text(),
      list: await listEvents(db, eventFilters.parse({}), undefined),
      orders: await listOrders(db, orderFilters.parse({}), undefined),
      order: await readOrderDetail(db, "order_1"),
      state: await state(),
      customers: await sql`select * from customers`,
    };
    for (const role of ROLES) shown[role] = await readEventDetail(db, { eventId: event.id, role });
    for (const [where, what] of Object.entries(shown)) expect(personalWordsIn(what), where).toEqual([]);

    // The search for them finds what is there: the payload has them all, and the redacted one keeps the ids.
    const [payload] = await sql`select convert_from(body, 'utf8') as body from event_payloads`;
    expect(personalWordsIn(payload?.body)).toEqual(PERSONAL_WORDS);
    expect(inJson(shown.support)).toContain(sessionId);
  });

  test("are not in the line about a body that was refused, nor in the answer", async () => {
    const { log, text } = keptLog();
    const door = await openDoor({ log });
    const { event } = await sessionOfAPerson();
    const answer = await door.post(event, { secret: "whsec_of_a_stranger" });
    expect(answer.status).toBe(400);
    expect(personalWordsIn(text())).toEqual([]);
    expect(personalWordsIn(answer.body)).toEqual([]);
  });
});

// Test events at the production address: for days people hunted a fault of the raw body that was none.
describe("what the log says of an event of the other mode", () => {
  // C67
  test("is that it was recorded, by whose id, once it is signed with a secret of ours; nothing acts on it", async () => {
    const { log, lines } = keptLog();
    const door = await openDoor({ log, livemode: true });
    const { event } = await sessionOfAPerson();
    const requests = stripe().controls.requests.length;
    expect(await door.post(event)).toMatchObject({ status: 200, body: { verdict: "claimed" } });
    await drain();
    expect(stripe().controls.requests.length).toBe(requests);
    expect((await state()).events).toMatchObject([{ outcome: "recorded", lastErrorCode: "wrong_mode" }]);
    expect(await granted()).toEqual({ grants: 0, credits: 0n });
    expect(lines()).toMatchObject([
      { level: "error", eventId: event.id, eventType: completed, livemode: false },
    ]);
  });

  // C67
  test("is that its signature failed, and not its mode, if the secret is none of ours", async () => {
    const { log, lines } = keptLog();
    const door = await openDoor({ log, livemode: true });
    const { event } = await sessionOfAPerson();
    expect(await door.post(event, { secret: "whsec_of_the_test_endpoint" })).toMatchObject({
      status: 400,
      body: { error: { code: "signature_invalid" } },
    });
    expect(door.refused).toEqual(["signature_invalid"]);
    expect(lines()).toMatchObject([{ level: "warn", code: "signature_invalid", status: 400 }]);
    expect((await state()).events).toEqual([]);
  });

  // C67
  test("is that the secret is marked for the other mode, where it is marked", async () => {
    const { log, lines } = keptLog();
    const secrets = [{ secret: "whsec_live", mode: "live" as const }];
    const door = await openDoor({ log, livemode: true, secrets });
    const { event } = await sessionOfAPerson();
    expect((await door.post(event, { secret: "whsec_live" })).status).toBe(400);
    expect(lines()).toMatchObject([{ level: "warn", code: "secret_of_other_mode" }]);
    expect((await state()).events).toEqual([]);
  });
});
