import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createStripe } from "../stripe/client.ts";
import { type Emulator, startEmulator } from "./emulator.ts";

/** What one-off packages look like to a shop: a price with credits, sold through the API. */
async function sell(emulator: Emulator, options: { quantity?: number; customerEmail?: string } = {}) {
  const stripe = clientOf(emulator);
  const product = await stripe.products.create({ name: "40 credits", metadata: { credits: "40" } });
  const price = await stripe.prices.create({ product: product.id, currency: "CHF", unit_amount: 4900 });
  const session = await stripe.checkout.sessions.create({
    mode: "payment",
    line_items: [{ price: price.id, quantity: options.quantity ?? 1 }],
    success_url: "https://shop.example.test/thanks",
    customer_email: options.customerEmail ?? "kim@example.test",
    client_reference_id: "user_7731",
    metadata: { order_id: "order_10482", user_id: "user_7731" },
    payment_intent_data: { metadata: { order_id: "order_10482" } },
  });
  return { product, price, session };
}

function clientOf(emulator: Emulator, secretKey = emulator.secretKey) {
  return createStripe({ secretKey, apiBase: new URL(emulator.apiBase) });
}

const WHOLE_ORDER = ["payment_intent.latest_charge", "line_items.data.price.product", "customer"];

describe("the Stripe emulator, asked by the real client", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator();
  });
  afterEach(() => emulator.stop());

  test("sells a package: the session is open and unpaid until the buyer pays", async () => {
    const { session } = await sell(emulator, { quantity: 2 });
    expect(session).toMatchObject({
      object: "checkout.session",
      status: "open",
      payment_status: "unpaid",
      payment_intent: null,
      amount_subtotal: 9800,
      amount_total: 9800,
      currency: "chf",
      customer: null,
      metadata: { order_id: "order_10482", user_id: "user_7731" },
    });
    expect(session).not.toHaveProperty("line_items");
    expect(session).not.toHaveProperty("sandbox");
    expect(session.lastResponse.requestId).toMatch(/^req_/);

    await emulator.sessions.pay(session.id);

    const paid = await clientOf(emulator).checkout.sessions.retrieve(session.id, { expand: WHOLE_ORDER });
    expect(paid).toMatchObject({
      status: "complete",
      payment_status: "paid",
      customer_details: { email: "kim@example.test" },
      payment_intent: {
        object: "payment_intent",
        status: "succeeded",
        amount_received: 9800,
        metadata: { order_id: "order_10482" },
        latest_charge: { object: "charge", paid: true, amount: 9800, balance_transaction: null },
      },
      line_items: {
        has_more: false,
        data: [{ quantity: 2, price: { unit_amount: 4900, product: { metadata: { credits: "40" } } } }],
      },
    });
  });

  test("answers ids where nothing is expanded, and the objects by those ids", async () => {
    const stripe = clientOf(emulator);
    const made = await emulator.sessions.create({
      state: "paid",
      customer: "new",
      email: "lou@example.test",
    });
    const session = await stripe.checkout.sessions.retrieve(made.sessionId);
    expect(session).toMatchObject({ payment_intent: made.paymentIntentId, customer: made.customerId });

    const intent = await stripe.paymentIntents.retrieve(made.paymentIntentId ?? "");
    expect(intent.latest_charge).toBe(made.chargeId);
    expect(await stripe.charges.retrieve(made.chargeId ?? "")).toMatchObject({ payment_intent: intent.id });
    expect(await stripe.customers.retrieve(made.customerId ?? "")).toMatchObject({
      email: "lou@example.test",
    });
    expect(await stripe.prices.retrieve(made.priceIds[0] ?? "", { expand: ["product"] })).toMatchObject({
      metadata: { credits: "40" },
      product: { id: made.productIds[0] },
    });
  });

  // A session shows ten items; whoever grants from those alone cheats the buyer of the rest.
  test("shows ten of twelve line items in the session and the rest by paging", async () => {
    const items = Array.from({ length: 12 }, (_, index) => ({ quantity: index + 1 }));
    const { sessionId } = await emulator.sessions.create({ items });
    const stripe = clientOf(emulator);

    const session = await stripe.checkout.sessions.retrieve(sessionId, { expand: ["line_items"] });
    const first = session.line_items?.data ?? [];
    expect(first).toHaveLength(10);
    expect(session.line_items?.has_more).toBe(true);

    const rest = await stripe.checkout.sessions.listLineItems(sessionId, {
      limit: 100,
      starting_after: first.at(-1)?.id ?? "",
      expand: ["data.price.product"],
    });
    expect(rest.data.map((item) => item.quantity)).toEqual([11, 12]);
    expect(rest.data[0]?.price).toMatchObject({ product: { object: "product" } });

    const all = [];
    for await (const item of stripe.checkout.sessions.listLineItems(sessionId, { limit: 5 })) all.push(item);
    expect(all.map((item) => item.quantity)).toEqual(items.map((item) => item.quantity));
  });

  test("lists sessions newest first and finds the one of a payment", async () => {
    const made = [];
    for (let index = 0; index < 3; index++) made.push(await emulator.sessions.create({ state: "paid" }));
    const stripe = clientOf(emulator);
    const first = await stripe.checkout.sessions.list({ limit: 2 });
    expect(first.data.map((session) => session.id)).toEqual([made[2]?.sessionId, made[1]?.sessionId]);
    const second = await stripe.checkout.sessions.list({
      limit: 2,
      starting_after: made[1]?.sessionId ?? "",
    });
    expect(second.data.map((session) => session.id)).toEqual([made[0]?.sessionId]);
    expect(second.has_more).toBe(false);
    const back = await stripe.checkout.sessions.list({ limit: 1, ending_before: made[0]?.sessionId ?? "" });
    expect(back).toMatchObject({ has_more: true, data: [{ id: made[1]?.sessionId }] });
    const found = await stripe.checkout.sessions.list({ payment_intent: made[1]?.paymentIntentId ?? "" });
    expect(found.data.map((session) => session.id)).toEqual([made[1]?.sessionId]);
  });

  test.for([
    ["jpy", 4900, undefined],
    ["kwd", 15_000, undefined],
    ["kwd", 15_001, "divisible by 10"],
    ["ugx", 500, undefined],
    ["ugx", 550, "divisible by 100"],
    ["usd", 100_000_000, "no more than"],
  ] as const)("takes or refuses an amount as %s counts it: %i", async ([currency, amount, refusal]) => {
    const create = clientOf(emulator).prices.create({
      currency,
      unit_amount: amount,
      product_data: { name: "Credits" },
    });
    if (refusal === undefined) expect(await create).toMatchObject({ currency, unit_amount: amount });
    else await expect(create).rejects.toThrow(refusal);
  });

  test("gives a package away: a whole coupon leaves nothing to pay and no payment intent", async () => {
    const stripe = clientOf(emulator);
    const { price } = await sell(emulator);
    const coupon = await stripe.coupons.create({ percent_off: 100 });
    const session = await stripe.checkout.sessions.create({
      mode: "payment",
      line_items: [{ price: price.id, quantity: 3 }],
      discounts: [{ coupon: coupon.id }],
    });
    expect(session).toMatchObject({ amount_subtotal: 14_700, amount_total: 0 });
    await expect(emulator.sessions.pay(session.id, { method: "card" })).rejects.toThrow("method free");

    await emulator.sessions.pay(session.id, { method: "free" });

    expect(await stripe.checkout.sessions.retrieve(session.id, { expand: WHOLE_ORDER })).toMatchObject({
      status: "complete",
      payment_status: "no_payment_required",
      payment_intent: null,
      customer: null,
    });
  });

  test("holds a bank transfer as processing until the bank answers, once", async () => {
    const stripe = clientOf(emulator);
    const read = (id: string) =>
      stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent.latest_charge"] });
    const good = await emulator.sessions.create({ state: "unpaid" });
    expect(await read(good.sessionId)).toMatchObject({
      status: "complete",
      payment_status: "unpaid",
      payment_intent: { status: "processing", latest_charge: { paid: false, status: "pending" } },
    });
    await emulator.sessions.settle(good.sessionId);
    expect(await read(good.sessionId)).toMatchObject({
      payment_status: "paid",
      payment_intent: { status: "succeeded", amount_received: 4900, latest_charge: { paid: true } },
    });
    await expect(emulator.sessions.settle(good.sessionId)).rejects.toThrow("no delayed payment");

    const bad = await emulator.sessions.create({ state: "failed" });
    expect(await read(bad.sessionId)).toMatchObject({
      status: "complete",
      payment_status: "unpaid",
      payment_intent: {
        status: "requires_payment_method",
        last_payment_error: { decline_code: "insufficient_funds" },
      },
    });
  });

  test("expires only an open session, and lets nobody pay an expired one", async () => {
    const stripe = clientOf(emulator);
    const { session } = await sell(emulator);
    expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: "expired" });
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toMatchObject({ statusCode: 400 });
    await expect(emulator.sessions.pay(session.id)).rejects.toThrow("This one is expired.");
  });

  test("lets only one of two buyers' clicks pay a session", async () => {
    const { session } = await sell(emulator);
    const clicks = await Promise.allSettled([1, 2, 3].map(() => emulator.sessions.pay(session.id)));
    expect(clicks.filter((click) => click.status === "fulfilled")).toHaveLength(1);
  });

  // The desk's advice for a price without credits is to set its metadata and replay.
  test("shows a price's metadata as it is now in a session sold before", async () => {
    const stripe = clientOf(emulator);
    const { sessionId, priceIds } = await emulator.sessions.create({ items: [{ credits: null }] });
    await stripe.prices.update(priceIds[0] ?? "", { metadata: { credits: "25", colour: "red" } });
    await stripe.prices.update(priceIds[0] ?? "", { metadata: { colour: "" } });
    const session = await stripe.checkout.sessions.retrieve(sessionId, { expand: ["line_items"] });
    expect(session.line_items?.data[0]?.price?.metadata).toEqual({ credits: "25" });
  });

  test("shows an account's objects only to requests for that account", async () => {
    const { sessionId } = await emulator.sessions.create({ account: "acct_berlin" });
    const stripe = clientOf(emulator);
    const asked = { stripeAccount: "acct_berlin" };
    expect(await stripe.checkout.sessions.retrieve(sessionId, {}, asked)).toMatchObject({ id: sessionId });
    for (const account of [undefined, { stripeAccount: "acct_other" }]) {
      await expect(stripe.checkout.sessions.retrieve(sessionId, {}, account)).rejects.toMatchObject({
        code: "resource_missing",
      });
    }
  });

  test("refuses a missing or foreign key with 401, without repeating the key", async () => {
    const foreign = clientOf(emulator, "sk_test_somebody_else");
    const refused = foreign.checkout.sessions.retrieve("cs_test_x");
    await expect(refused).rejects.toMatchObject({ type: "StripeAuthenticationError", statusCode: 401 });
    await expect(refused).rejects.not.toThrow("somebody_else");
    const bare = await fetch(`${emulator.apiBase}/v1/checkout/sessions/cs_test_x`);
    expect(bare.status).toBe(401);
  });

  test("says which object is missing and which parameter is wrong, in Stripe's terms", async () => {
    const stripe = clientOf(emulator);
    await expect(stripe.checkout.sessions.retrieve("cs_test_none")).rejects.toMatchObject({
      type: "StripeInvalidRequestError",
      statusCode: 404,
      code: "resource_missing",
    });
    const create = (given: object) => stripe.rawRequest("POST", "/v1/checkout/sessions", given);
    await expect(create({ mode: "payment" })).rejects.toMatchObject({
      statusCode: 400,
      code: "parameter_missing",
      param: "line_items",
    });
    const { price } = await sell(emulator);
    const items = [{ price: price.id, quantity: 1 }];
    await expect(create({ mode: "payment", line_items: items, colour: "red" })).rejects.toMatchObject({
      code: "parameter_unknown",
      param: "colour",
    });
    await expect(
      create({ mode: "payment", line_items: [{ price: "price_none", quantity: 1 }] }),
    ).rejects.toMatchObject({ code: "resource_missing", param: "line_items[0][price]" });
    await expect(
      create({ mode: "payment", line_items: items, metadata: { nul: "a\u0000b" } }),
    ).rejects.toMatchObject({ statusCode: 400, param: "metadata[nul]" });
    await expect(
      stripe.checkout.sessions.retrieve((await sell(emulator)).session.id, { expand: ["colour"] }),
    ).rejects.toThrow("cannot be expanded (colour)");
    await expect(stripe.rawRequest("GET", "/v1/nothing")).rejects.toMatchObject({ statusCode: 404 });
  });
});
