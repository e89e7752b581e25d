import { afterEach, describe, expect, test } from "vitest";
import { createStripe } from "../stripe/client.ts";
import { useDatabase } from "../testing/use-database.ts";
import { type Emulator, startEmulator } from "./emulator.ts";
import { postgresStore } from "./postgres-store.ts";

describe("an emulator that keeps its objects in PostgreSQL", () => {
  const database = useDatabase();
  const running: Emulator[] = [];
  const start = async () => {
    const emulator = await startEmulator({ store: postgresStore(database().db) });
    running.push(emulator);
    const stripe = createStripe({ secretKey: emulator.secretKey, apiBase: new URL(emulator.apiBase) });
    return { emulator, stripe };
  };
  afterEach(async () => {
    for (const emulator of running.splice(0)) await emulator.stop();
  });

  // Without this an event that waits for its retry dies of a 404 because the sandbox was restarted.
  test("finds a session with its payment, items and event again after a restart", async () => {
    const first = await start();
    const made = await first.emulator.sessions.create({ items: [{}, {}], customer: "new" });
    const event = await first.emulator.eventOf(made.sessionId, { type: "checkout.session.completed" });
    await first.emulator.stop();

    const { stripe, emulator } = await start();
    const session = await stripe.checkout.sessions.retrieve(made.sessionId, {
      expand: ["payment_intent.latest_charge", "line_items.data.price.product", "customer"],
    });
    expect(session).toMatchObject({
      payment_status: "paid",
      payment_intent: { latest_charge: { id: made.chargeId } },
      customer: { id: made.customerId },
    });
    expect(session.line_items?.data.map((item) => item.price?.id)).toEqual(made.priceIds);
    expect(await stripe.events.retrieve(event.id)).toMatchObject({ type: "checkout.session.completed" });
    await expect(emulator.sessions.pay(made.sessionId)).rejects.toThrow("This one is complete.");
  });

  test("pages lists in both directions and keeps their order when an object changes", async () => {
    const { stripe } = await start();
    const ids: string[] = [];
    for (const name of ["a", "b", "c", "d"]) ids.push((await stripe.customers.create({ name })).id);
    await stripe.customers.update(ids[0] ?? "", { metadata: { seen: "yes" } });
    const page = async (given: object) => {
      const list = await stripe.customers.list(given);
      return [list.data.map((customer) => customer.name).join(""), list.has_more];
    };
    expect(await page({ limit: 3 })).toEqual(["dcb", true]);
    expect(await page({ limit: 3, starting_after: ids[1] })).toEqual(["a", false]);
    expect(await page({ limit: 2, ending_before: ids[0] })).toEqual(["cb", true]);
    expect(await page({ limit: 2, ending_before: ids[2] })).toEqual(["d", false]);
  });

  test("finds the session of a payment", async () => {
    const { emulator, stripe } = await start();
    const wanted = await emulator.sessions.create();
    await emulator.sessions.create();
    const found = await stripe.checkout.sessions.list({ payment_intent: wanted.paymentIntentId ?? "" });
    expect(found.data.map((session) => session.id)).toEqual([wanted.sessionId]);
  });

  test("keeps the accounts apart", async () => {
    const { emulator, stripe } = await start();
    const { sessionId } = await emulator.sessions.create({ account: "acct_berlin" });
    await expect(stripe.checkout.sessions.retrieve(sessionId)).rejects.toMatchObject({ statusCode: 404 });
    expect((await stripe.checkout.sessions.list()).data).toEqual([]);
  });
});
