import { request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { readEventDetail } from "../claims/event-detail.ts";
import { listEvents } from "../claims/list-events.ts";
import { eventFilters } from "#shared/desk-inputs.ts";
import { eventPayloads } from "../db/schema/event-payloads.ts";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { useDatabase } from "../testing/use-database.ts";
import { useWebhookDoor, type WebhookDoor } from "../testing/webhook-door.ts";

const database = useDatabase();
const { stripe, drain, state, granted } = useFulfilment(database);
const openDoor = useWebhookDoor(database);
const ORDER = { order_id: "order_1", user_id: "user_1" };
const RETRIEVE = /^\/v1\/checkout\/sessions\/[^/]+$/;
const completed = "checkout.session.completed";

async function paidEvent(id?: string) {
  const { sessionId } = await stripe().sessions.create({ metadata: ORDER, ...(id !== undefined && { id }) });
  return await stripe().eventOf(sessionId, { type: completed });
}

/** Writes a signed body to the socket in pieces, cut in the middle of its first four-byte character. */
function postCut(door: WebhookDoor, payload: string, contentType: string): Promise<number | undefined> {
  const bytes = Buffer.from(payload);
  const cut = bytes.findIndex((byte) => byte >= 0xf0) + 2;
  return new Promise((resolve, reject) => {
    const headers = { ...door.headersOf(payload), "content-type": contentType };
    const sending = httpRequest(door.url, { method: "POST", headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sending.on("error", reject);
    sending.write(bytes.subarray(0, cut), () => sending.end(bytes.subarray(cut)));
  });
}

async function storedPayload(): Promise<string> {
  const [payload] = await database().db.select().from(eventPayloads);
  return Buffer.from(payload?.body ?? []).toString();
}

describe("an event whose text is not ASCII", () => {
  // Decoded as something else, or counted in characters, it failed its signature. C04
  test.for(["application/json; charset=utf-8", "application/json; charset=iso-8859-1"])(
    "is kept to the byte and granted once, cut in the middle of a character and called %s",
    async (contentType) => {
      const event = await paidEvent();
      const payload = JSON.stringify({ ...event, note: "Zoë 🎉 Łukasz 李" });
      const door = await openDoor();
      expect(await postCut(door, payload, contentType)).toBe(200);
      await drain();
      expect(await storedPayload()).toBe(payload);
      expect(await granted()).toEqual({ grants: 1, credits: 40n });
    },
  );

  // C82
  test.for([
    ["NUL", "a\u0000b"],
    ["half a surrogate pair", "\ud83d"],
    ["the letters of an escape", "\\u0000"],
  ] as const)("is granted although a buyer wrote %s, and every byte stays", async ([, text]) => {
    const event = await paidEvent();
    const sessionId = String(event.data.object.id);
    const custom = { custom_fields: [{ key: "note", type: "text", text: { value: text } }] };
    await stripe().controls.mutateSession(sessionId, custom);
    const sent = await stripe().eventOf(sessionId, { type: completed });
    const door = await openDoor();
    expect((await door.post(sent)).status).toBe(200);
    await drain();
    expect(await storedPayload()).toBe(JSON.stringify(sent));
    expect((await state()).events[0]).toMatchObject({ status: "processed", outcome: "fulfilled" });
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
    await expect(readEventDetail(database().db, { eventId: sent.id, role: "admin" })).resolves.toBeDefined();
  });
});

describe("an event of another API version", () => {
  // Fields had moved: the old path held null, nothing threw, and what was decided on it was wrong. C62
  test.for(["2020-08-27", "2025-03-31.basil", null])(
    "has the same end as one of ours, whatever its payload looks like: %s",
    async (apiVersion) => {
      const event = await paidEvent();
      const object = {
        id: event.data.object.id,
        payment_status: "unpaid",
        amount_total: 1,
        metadata: { credits: "9" },
      };
      const door = await openDoor();
      await door.post({ ...event, api_version: apiVersion, data: { object } });
      await drain();
      const { events, orders } = await state();
      expect(events[0]).toMatchObject({ outcome: "fulfilled", apiVersion, orderId: "order_1" });
      expect(orders[0]).toMatchObject({ state: "paid", amountTotal: 4900n });
      expect(await granted()).toEqual({ grants: 1, credits: 40n });
      const { event: shown } = await readEventDetail(database().db, { eventId: event.id, role: "support" });
      expect(shown.apiVersion).toBe(apiVersion);
    },
  );
});

describe("ids that are longer than anybody planned for", () => {
  const long = (prefix: string, length: number) => prefix.padEnd(length, "x");

  // One id beyond its column made everything about that object fail, for ever. C76
  test("are kept whole, whatever they begin with", async () => {
    const ids = {
      event: long("evt_", 255),
      session: long("cs_live_a1", 70),
      intent: long("pi_secret_", 60),
      charge: long("py_", 255),
      account: long("acct_", 255),
    };
    const event = await stripe()
      .sessions.create({ metadata: ORDER, account: ids.account, id: ids.session })
      .then(() =>
        stripe().eventOf(ids.session, { type: completed, account: ids.account, eventId: ids.event }),
      );
    stripe().controls.answerNext({
      path: RETRIEVE,
      change: (body) => {
        const intent = body.payment_intent as { latest_charge: object };
        const latest_charge = { ...intent.latest_charge, id: ids.charge };
        return { ...body, payment_intent: { ...intent, id: ids.intent, latest_charge } };
      },
    });
    const door = await openDoor({ accounts: [ids.account] });
    expect((await door.post({ ...event, account: ids.account })).status).toBe(200);
    await drain();
    const { events, orders, payments } = await state();
    expect(events[0]).toMatchObject({
      eventId: ids.event,
      objectId: ids.session,
      account: ids.account,
      outcome: "fulfilled",
    });
    expect(orders[0]).toMatchObject({ checkoutSessionId: ids.session, account: ids.account });
    expect(payments[0]).toMatchObject({ paymentIntentId: ids.intent, chargeId: ids.charge });
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });
});

describe("an event that is large", () => {
  // C80
  test.for([99, 101, 900])(
    "with %i kB is kept whole, granted, and not carried into the list",
    async (kilobytes) => {
      const event = await paidEvent();
      const note = "x".repeat(kilobytes * 1000);
      const sent = { ...event, note };
      const door = await openDoor();
      expect((await door.post(sent)).status).toBe(200);
      await drain();
      expect(await storedPayload()).toBe(JSON.stringify(sent));
      expect(await granted()).toEqual({ grants: 1, credits: 40n });
      const { rows } = await listEvents(database().db, eventFilters.parse({ view: "all" }), undefined);
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows).length).toBeLessThan(2000);
    },
  );
});
