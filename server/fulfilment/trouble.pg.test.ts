import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { offerByOperator } from "../claims/rearm.ts";
import { takeDueEvents } from "../claims/take.ts";
import { catalogItems } from "../db/schema/catalog-items.ts";
import { orders } from "../db/schema/orders.ts";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { useDatabase } from "../testing/use-database.ts";
import { applyDecision, OrderMoved } from "./apply.ts";
import { decide } from "./decide.ts";
import { fulfilEvent } from "./fulfil.ts";
import { readOrder } from "./read.ts";

const database = useDatabase();
const { stripe, reader, deliver, redeliver, drain, makeDue, state, granted } = useFulfilment(database);
const ORDER = { order_id: "order_1", user_id: "user_1" };
const RETRIEVE = /^\/v1\/checkout\/sessions\/[^/]+$/;

describe("a price without credits", () => {
  test("lets the event die with a hint while the order stands as paid, and a replay grants once the price is mended", async () => {
    const { sessionId, priceIds } = await stripe().sessions.create({
      items: [{ credits: null }],
      metadata: ORDER,
    });
    const eventId = await deliver(sessionId);
    await drain();
    const dead = await state();
    expect(dead.events[0]).toMatchObject({
      status: "dead",
      lastErrorCode: "price_without_credits",
      orderId: "order_1",
      attempt: 1,
    });
    expect(dead.events[0]?.lastError).toContain(priceIds[0]);
    expect(dead.orders[0]).toMatchObject({ state: "paid", credits: null });
    expect(dead.payments[0]).toMatchObject({ grants: false });

    await database()
      .db.insert(catalogItems)
      .values({ priceId: priceIds[0] ?? "", credits: 70n });
    await database()
      .sql`update processed_stripe_events set status = 'processing', due_at = now(), failures = 0 where event_id = ${eventId}`;
    await drain();
    const mended = await state();
    expect(mended.events[0]).toMatchObject({ status: "processed", outcome: "fulfilled", attempt: 2 });
    expect(mended.payments[0]).toMatchObject({ grants: true });
    expect(await granted()).toEqual({ grants: 1, credits: 70n });
  });

  test.for(["40.5", "-3", "forty", "", "99999999999999"])("is one that says %s", async (credits) => {
    const { sessionId } = await stripe().sessions.create({
      items: [{ priceMetadata: { credits } }],
      metadata: ORDER,
    });
    await deliver(sessionId);
    await drain();
    expect((await state()).events[0]).toMatchObject({
      status: "dead",
      lastErrorCode: "price_without_credits",
    });
  });

  test("takes its product's word", async () => {
    const { sessionId } = await stripe().sessions.create({
      items: [{ credits: null, productMetadata: { credits: "12" } }],
      metadata: ORDER,
    });
    await deliver(sessionId);
    await drain();
    expect((await granted()).credits).toBe(12n);
  });
});

describe("a session that is not ours", () => {
  // Somebody forgot the credits, or the order id: mended in Stripe, an operator's replay must find the order.
  test("can be replayed once its price says what it is worth", async () => {
    const { sessionId, priceIds } = await stripe().sessions.create({
      items: [{ credits: null }],
      metadata: {},
    });
    const eventId = await deliver(sessionId);
    await drain();
    await database()
      .db.insert(catalogItems)
      .values({ priceId: priceIds[0] ?? "", credits: 70n });
    await database().db.transaction((tx) => offerByOperator(tx, eventId, { accounts: [] }));
    await drain();
    expect(await granted()).toEqual({ grants: 1, credits: 70n });
  });

  test("is settled and leaves no order", async () => {
    const { sessionId } = await stripe().sessions.create({
      items: [{ credits: null }],
      metadata: { app: "shop" },
    });
    await deliver(sessionId);
    await drain();
    const { events, orders: made } = await state();
    expect(events[0]).toMatchObject({ status: "processed", outcome: "not_ours", orderId: null });
    expect(made).toEqual([]);
  });

  test("is one of another application when ours is named", async () => {
    const { sessionId } = await stripe().sessions.create({ metadata: { ...ORDER, app: "shop" } });
    await deliver(sessionId);
    await drain({}, { key: "app", value: "credits" });
    expect((await state()).events[0]).toMatchObject({ outcome: "not_ours" });
  });
});

describe("trouble with Stripe", () => {
  async function afterFailure(fail: () => void) {
    const { sessionId } = await stripe().sessions.create({ metadata: ORDER });
    const eventId = await deliver(sessionId);
    fail();
    await drain();
    const [event] = (await state()).events;
    expect(await granted()).toEqual({ grants: 0, credits: 0n });
    // What failed must not count as seen: sent again it neither ends the event nor starts it early.
    expect(await redeliver(eventId)).toBe("redelivery");
    expect((await state()).events).toEqual([event]);
    await makeDue();
    await drain();
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
    return event;
  }

  // C24
  test.for([
    ["a server error", 500, "stripe_error"],
    ["a lost connection", "reset", "stripe_unreachable"],
    ["not found yet", 404, "stripe_object_not_found"],
    ["a refused key", 401, "stripe_key_refused"],
  ] as const)("such as %s is kept, counted and retried", async ([, status, code]) => {
    const event = await afterFailure(() =>
      stripe().controls.failNext({ path: RETRIEVE, status, times: status === "reset" ? 2 : 1 }),
    );
    expect(event).toMatchObject({ status: "processing", failures: 1, attempt: 1, lastErrorCode: code });
  });

  test("such as a rate limit is retried and never counts as a failure", async () => {
    const event = await afterFailure(() => stripe().controls.failNext({ path: RETRIEVE, status: 429 }));
    expect(event).toMatchObject({ status: "processing", failures: 0, lastErrorCode: "stripe_rate_limited" });
  });

  // C31
  test("such as an answer without line items is retried, not taken for an empty order", async () => {
    const event = await afterFailure(() =>
      stripe().controls.answerNext({ path: RETRIEVE, change: (body) => ({ ...body, line_items: null }) }),
    );
    expect(event).toMatchObject({ failures: 1, lastErrorCode: "stripe_answer_unreadable" });
  });

  test("such as a proxy's page is retried", async () => {
    const event = await afterFailure(() =>
      stripe().controls.failNext({ path: RETRIEVE, status: 200, body: "<html>busy</html>" }),
    );
    expect(event).toMatchObject({ failures: 1, lastErrorCode: "stripe_error" });
  });

  test("such as a request it refuses for good kills the event at once, with Stripe's words", async () => {
    const { sessionId } = await stripe().sessions.create({ metadata: ORDER });
    await deliver(sessionId);
    stripe().controls.failNext({
      path: RETRIEVE,
      status: 400,
      body: { error: { type: "invalid_request_error", message: "Bad expand." } },
    });
    await drain();
    const [event] = (await state()).events;
    expect(event).toMatchObject({ status: "dead", lastErrorCode: "stripe_refused" });
    expect(event?.lastError).toContain("Bad expand.");
  });

  test("such as a payment status nobody knows is never read as paid", async () => {
    const { sessionId } = await stripe().sessions.create({ metadata: ORDER });
    await deliver(sessionId);
    await stripe().controls.mutateSession(sessionId, { payment_status: "partially_paid" });
    await drain();
    expect((await state()).events[0]).toMatchObject({
      status: "dead",
      lastErrorCode: "unknown_payment_status",
    });
    expect(await granted()).toEqual({ grants: 0, credits: 0n });
  });

  test("such as an attempt whose time is up writes nothing", async () => {
    const { sessionId } = await stripe().sessions.create({ metadata: ORDER });
    await deliver(sessionId);
    const [claim] = await takeDueEvents(database().db, {
      worker: "ada",
      leaseSeconds: 60,
      takeover: "automatic",
      batchSize: 1,
    });
    if (!claim) throw new Error("Bug!");
    const late = fulfilEvent({ db: database().db, reader: reader(), app: null }, claim, {
      deadline: new Date(Date.now() - 1),
    });
    await expect(late).rejects.toThrow(/too late|No time/);
    expect(await granted()).toEqual({ grants: 0, credits: 0n });
  });
});

describe("the database itself refuses", () => {
  async function paidOrder() {
    const { sessionId } = await stripe().sessions.create({ metadata: ORDER });
    await deliver(sessionId);
    await drain();
  }

  // C25: processed and the grant commit in one transaction, never one without the other.
  test("half a fulfilment: if the grant cannot be written, the event is not processed", async () => {
    const { sql } = database();
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$`;
    await sql`create trigger refused before insert on credit_ledger execute function refuse()`;
    const { sessionId } = await stripe().sessions.create({ metadata: ORDER });
    await deliver(sessionId);
    await drain();
    expect(await state()).toMatchObject({
      events: [{ status: "processing", lastErrorCode: "database_error" }],
      orders: [],
      payments: [],
      effects: [],
    });
    await sql`drop function refuse cascade`;
    await makeDue();
    await drain();
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });

  test.for([
    [
      "a second grant of an order",
      "insert into effects (order_id, kind, event_id, attempt) values ('order_1', 'grant_credits', 'evt_x', 1)",
      "one_effect_per_order_kind_subject",
    ],
    [
      "a second granting payment of an order",
      "insert into payments (payment_id, order_id, checkout_session_id, grants) values ('pi_x', 'order_1', 'cs_x', true)",
      "one_granting_payment_per_order",
    ],
    [
      "a grant under another subject",
      "insert into effects (order_id, kind, subject, event_id, attempt) values ('order_1', 'grant_credits', '2', 'evt_x', 1)",
      "the_grant_has_no_subject",
    ],
    [
      "a second ledger line of an effect",
      "insert into credit_ledger (customer_id, order_id, effect_id, delta) select customer_id, order_id, effect_id, 1 from credit_ledger",
      "one_ledger_line_per_effect",
    ],
    [
      "a ledger line without an effect",
      "insert into credit_ledger (customer_id, order_id, effect_id, delta) select customer_id, order_id, gen_random_uuid(), 1 from credit_ledger",
      "ledger_line_belongs_to_its_effect",
    ],
    [
      "a ledger line of nothing",
      "insert into credit_ledger (customer_id, order_id, effect_id, delta) select customer_id, order_id, effect_id, 0 from credit_ledger",
      "delta_is_a_change",
    ],
    ["to change the ledger", "update credit_ledger set delta = 1000", "append-only"],
    ["to remove a grant", "delete from effects", "append-only"],
    ["to empty the ledger", "truncate credit_ledger", "append-only"],
  ] as const)("%s", async ([, statement, words]) => {
    await paidOrder();
    await expect(database().sql.unsafe(statement)).rejects.toThrow(words);
  });

  // A host that vanished in mid-transaction keeps its locks. Waiting for them for ever would idle every worker.
  test("to let a worker wait for an order's lock beyond its deadline", async () => {
    await paidOrder();
    const { sql } = database();
    const vanished = await sql.reserve();
    await vanished`begin`;
    await vanished`select from orders for update`;
    const { sessionId } = await stripe().sessions.create({ metadata: ORDER });
    await deliver(sessionId);
    await drain({ budgetSeconds: 12 });
    const { events } = await state();
    expect(events.find((event) => event.objectId === sessionId)).toMatchObject({
      status: "processing",
      claimToken: null,
      lastErrorCode: "database_error",
    });
    await vanished`rollback`;
    vanished.release();
  });

  test("two writers of one order at once: the second waits for the first, and then finds that the order moved", async () => {
    const { db, sql } = database();
    const { sessionId } = await stripe().sessions.create({ state: "unpaid", metadata: ORDER });
    await deliver(sessionId);
    await drain();
    await deliver(sessionId, "checkout.session.async_payment_failed");
    await deliver(sessionId, "checkout.session.async_payment_succeeded");
    const [one, two] = await takeDueEvents(db, {
      worker: "ada",
      leaseSeconds: 60,
      takeover: "automatic",
      batchSize: 2,
    });
    if (!one || !two) throw new Error("Bug!");
    const options = {
      sessionId,
      account: "",
      orderIdHint: "order_1",
      deadline: new Date(Date.now() + 30_000),
    };
    const reading = await readOrder(reader(), options);
    const decision = decide(reading.now, reading.before, {
      app: null,
      eventType: "checkout.session.completed",
    });
    if (decision.act === "wait") throw new Error("Bug!");

    let commit: () => void = () => {};
    const mayCommit = new Promise<void>((resolve) => (commit = resolve));
    let applied: () => void = () => {};
    const isApplied = new Promise<void>((resolve) => (applied = resolve));
    const first = db.transaction(async (tx) => {
      await applyDecision(tx, one, { decision, reading });
      applied();
      await mayCommit;
    });
    await isApplied;
    const second = db.transaction((tx) => applyDecision(tx, two, { decision, reading }));
    const refused = expect(second).rejects.toBeInstanceOf(OrderMoved);
    await expect
      .poll(async () => (await sql`select 1 from pg_locks where not granted`).length, {
        interval: 5,
        timeout: 10_000,
      })
      .toBeGreaterThan(0);
    commit();
    await first;
    await refused;
  });

  test("to write an order that moved since it was read: the reading is repeated", async () => {
    const { sessionId } = await stripe().sessions.create({ metadata: ORDER });
    await deliver(sessionId);
    await drain();
    const before = stripe().controls.requests.length;
    await deliver(sessionId, "checkout.session.async_payment_succeeded");
    let answer: () => void = () => {};
    stripe().controls.delayNext({
      path: RETRIEVE,
      until: new Promise<void>((resolve) => (answer = resolve)),
    });
    const draining = drain();
    await expect
      .poll(() => stripe().controls.requests.length, { interval: 5, timeout: 10_000 })
      .toBe(before + 1);
    await database().db.update(orders).set({ version: 7n }).where(eq(orders.orderId, "order_1"));
    answer();
    await draining;
    expect((await state()).orders[0]?.version).toBe(8n);
    expect(stripe().controls.requests.length - before).toBe(2);
  });
});
