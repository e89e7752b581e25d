import { describe, expect, test } from "vitest";
import type { DeliveryVerdict } from "#shared/event-status.ts";
import { offerRecorded } from "../claims/rearm.ts";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { keptLog } from "../testing/kept-log.ts";
import { useDatabase } from "../testing/use-database.ts";

const database = useDatabase();
const { stripe, deliver, receive, drain, state, granted } = useFulfilment(database);
const ORDER = { order_id: "order_1", user_id: "user_1" };
const OURS = { key: "app", value: "credits" };
const completed = "checkout.session.completed";

const foreignEvent = (number: number, type: string, object: object) => ({
  id: `evt_foreign_${number}`,
  object: "event",
  type,
  livemode: false,
  created: 1_796_000_000,
  data: { object },
});

/** How many requests Stripe gets while `act` runs. */
async function requestsDuring(act: () => Promise<unknown>): Promise<number> {
  const before = stripe().controls.requests.length;
  await act();
  return stripe().controls.requests.length - before;
}

// One Stripe account may serve several applications. Refusing the others' events gets the endpoint disabled.
describe("events of another application", () => {
  // C58
  test("are each accepted, looked at no more than once, and neither retried, granted nor worth an alert", async () => {
    const verdicts: DeliveryVerdict[] = [];
    for (let n = 0; n < 100; n++) {
      const intent = { id: `pi_foreign_${n}`, object: "payment_intent", metadata: { app: "shop" } };
      verdicts.push(await receive(foreignEvent(n, "payment_intent.succeeded", intent)));
    }
    verdicts.push(await receive(foreignEvent(100, "customer.created", { id: "cus_foreign" })));
    verdicts.push(await receive(foreignEvent(101, "foo.bar", { id: "foo_foreign" })));
    for (let n = 0; n < 20; n++) {
      const metadata = { app: "shop", order_id: `their_order_${n}` };
      await deliver((await stripe().sessions.create({ metadata })).sessionId);
    }
    const { log, lines } = keptLog();

    expect(await requestsDuring(() => drain({ log }, OURS))).toBe(20);

    expect(verdicts).toEqual(Array.from({ length: 102 }, () => "claimed"));
    const { events, orders, attempts } = await state();
    expect(events.map((event) => event.status)).toEqual(Array.from({ length: 122 }, () => "processed"));
    expect(events.filter((event) => event.outcome === "recorded")).toHaveLength(102);
    expect(events.filter((event) => event.outcome === "not_ours")).toHaveLength(20);
    expect(attempts.map((attempt) => attempt.attempt)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(orders).toEqual([]);
    expect(await granted()).toEqual({ grants: 0, credits: 0n });
    expect(lines().filter((line) => line.level !== "info")).toEqual([]);
  });
});

describe("an event of a connected account", () => {
  // Without the Stripe-Account header Stripe knows no such session. C65
  test("that is served is read with its account named, and granted", async () => {
    const { sessionId } = await stripe().sessions.create({ account: "acct_served", metadata: ORDER });
    await deliver(sessionId, completed, "acct_served");
    await drain();
    const asked = stripe().controls.requests.filter((request) => request.path.endsWith(sessionId));
    expect(asked.map((request) => request.account)).toEqual(["acct_served"]);
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });

  // A blanket rule against other accounts would throw away the payments of the one that is configured tomorrow. C65
  test("that is not served is recorded with the reason, and granted once it is served", async () => {
    const { sessionId } = await stripe().sessions.create({ account: "acct_new", metadata: ORDER });
    await deliver(sessionId, completed, "acct_new");
    expect(await requestsDuring(() => drain())).toBe(0);
    expect((await state()).events[0]).toMatchObject({
      status: "processed",
      outcome: "recorded",
      lastErrorCode: "account_not_served",
      attempt: 0,
    });
    expect(await offerRecorded(database().db, { accounts: ["acct_served"], limit: 10 })).toBe(0);

    expect(await offerRecorded(database().db, { accounts: ["acct_served", "acct_new"], limit: 10 })).toBe(1);
    await drain();
    expect((await state()).orders[0]).toMatchObject({ account: "acct_new", state: "paid" });
    expect(await granted()).toEqual({ grants: 1, credits: 40n });
  });
});

describe("an event of the other mode", () => {
  // A live endpoint for connected accounts gets their test events too, signed with the live secret. C67
  test.for(["", "acct_served"])(
    "has no effect and costs no call to Stripe, ever, from account '%s'",
    async (account) => {
      const { sessionId } = await stripe().sessions.create({ account, metadata: ORDER });
      const event = await stripe().eventOf(sessionId, { type: completed, account });
      const accounts = ["acct_served"];
      const calls = await requestsDuring(async () => {
        await receive({ ...event, livemode: true, ...(account !== "" && { account }) });
        expect(await offerRecorded(database().db, { accounts, limit: 10 })).toBe(0);
        await drain();
      });
      expect(calls).toBe(0);
      expect((await state()).events[0]).toMatchObject({
        status: "processed",
        outcome: "recorded",
        lastErrorCode: "wrong_mode",
        attempt: 0,
      });
      expect(await granted()).toEqual({ grants: 0, credits: 0n });
    },
  );
});
