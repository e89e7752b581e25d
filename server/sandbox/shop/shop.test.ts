import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createStripe } from "../../stripe/client.ts";
import { type Emulator, startEmulator } from "../emulator.ts";
import { memoryOfThisProcess, type ShopMemory } from "./progress.ts";
import { planPurchase, START_TURNS } from "./purchase-plan.ts";
import { createShop, type Shop } from "./shop.ts";

describe("what the shop sells", () => {
  test("is the same again for the same seed, and another order each turn", () => {
    const plans = (seed: number) => Array.from({ length: 200 }, (_, turn) => planPurchase(turn, { seed }));
    expect(plans(7)).toEqual(plans(7));
    expect(plans(7)).not.toEqual(plans(8));
    expect(new Set(plans(7).map((plan) => plan.orderId)).size).toBe(200);
  });

  test("holds every habit and every kind of buyer before long", () => {
    const plans = Array.from({ length: 300 }, (_, turn) => planPurchase(turn, { seed: 1 }));
    expect(new Set(plans.map((plan) => plan.kind)).size).toBe(15);
    expect(new Set(plans.map((plan) => plan.packageKey)).size).toBe(6);
    const buyers = plans.map(({ buyer }) => `${buyer.userId !== null} ${buyer.isStripeCustomer}`);
    expect(new Set(buyers).size).toBe(4);
    expect(plans.every(({ buyer }) => buyer.email.endsWith("@example.test"))).toBe(true);
  });
});

describe("the sample shop", () => {
  let emulator: Emulator;
  let memory: ShopMemory;
  let shop: Shop;
  const stripe = () => createStripe({ secretKey: emulator.secretKey, apiBase: new URL(emulator.apiBase) });
  const openShop = () => createShop({ stripe: stripe(), emulator, memory, seed: 1 });
  const allSessions = async () => {
    const sessions = [];
    const expand = ["data.payment_intent"];
    for await (const session of stripe().checkout.sessions.list({ limit: 100, expand }))
      sessions.push(session);
    return sessions;
  };

  beforeEach(async () => {
    emulator = await startEmulator();
    memory = memoryOfThisProcess();
    shop = openShop();
  });
  afterEach(async () => {
    await shop.close();
    await emulator.stop();
  });

  test("leaves a session in every state after its first minute's purchases", async () => {
    for (let turn = 0; turn < START_TURNS; turn++) await shop.takeTurn();
    const states = new Set(
      (await allSessions()).map((session) => {
        const intent = session.payment_intent;
        const paid = typeof intent === "object" && intent !== null ? intent.status : "no payment";
        return `${session.status} ${session.payment_status} ${paid}`;
      }),
    );
    expect([...states].toSorted()).toEqual([
      "complete no_payment_required no payment",
      "complete paid succeeded",
      "complete unpaid processing",
      "complete unpaid requires_payment_method",
      "expired unpaid no payment",
      "open unpaid no payment",
    ]);
  });

  test("pays one order twice, and names the order on session and payment", async () => {
    for (let turn = 0; turn < START_TURNS; turn++) await shop.takeTurn();
    const sessions = await allSessions();
    const orders = sessions.map((session) => session.metadata?.order_id ?? "");
    expect(orders.every((orderId) => /^order_\d+$/.test(orderId))).toBe(true);
    expect(orders.length - new Set(orders).size).toBe(1);
    for (const { payment_intent: intent, metadata } of sessions) {
      if (typeof intent === "object" && intent !== null)
        expect(intent.metadata).toEqual({ order_id: metadata?.order_id });
    }
  });

  // Each is a dead event that only a person clears: a sandbox left alone must not pile them up.
  test("sells the price without credits six times and never again", async () => {
    const kinds = [];
    for (let turn = 0; turn < 600; turn++) {
      await memory.save({ ...(await memory.load()), turns: turn });
      if (planPurchase(turn, { seed: 1 }).kind === "without_credits")
        kinds.push((await shop.takeTurn()).kind);
    }
    expect(kinds.length).toBeGreaterThan(6);
    expect(kinds.filter((kind) => kind === "without_credits")).toHaveLength(6);
  });

  test("goes on where it stopped, with the prices it had", async () => {
    const first = await shop.takeTurn();
    await shop.close();
    shop = openShop();
    const second = await shop.takeTurn();
    expect([first.turn, second.turn]).toEqual([0, 1]);
    expect((await stripe().prices.list({ limit: 100 })).data).toHaveLength(6);
  });

  test("keeps selling after a purchase that failed", async () => {
    emulator.controls.failNext({ path: /checkout\/sessions$/, method: "POST", status: 500 });
    await expect(shop.takeTurn()).rejects.toThrow("told to fail");
    expect((await shop.takeTurn()).turn).toBe(1);
    expect(await allSessions()).toHaveLength(1);
  });
});
