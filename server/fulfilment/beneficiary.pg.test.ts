import { describe, expect, test } from "vitest";
import { auditEntries } from "../db/schema/audit-entries.ts";
import { customers } from "../db/schema/customers.ts";
import { readOrderDetail } from "../orders/order-detail.ts";
import { forecastReplay } from "../replays/forecast.ts";
import { requestReplay } from "../replays/request.ts";
import { useFulfilment } from "../testing/fulfilment-bench.ts";
import { useDatabase } from "../testing/use-database.ts";

const database = useDatabase();
const { stripe, deliver, drain, state, granted } = useFulfilment(database);
const rules = { accounts: [], attemptsMax: 8 };

const credited = async () =>
  await database().sql<{ kind: string; ref: string; credits: string }[]>`
    select kind, ref, sum(delta) as credits from credit_ledger join customers using (customer_id)
    group by kind, ref order by ref`;

describe("whom an order credits", () => {
  // A wallet's address, another spelling, a shared mailbox: who looks a buyer up by e-mail credits nobody or a stranger. C60
  test("is the user the shop named, whatever e-mail address stands in the checkout", async () => {
    const wallet = "Buyer+Wallet@Example.TEST";
    for (const [order_id, user_id] of [
      ["order_1", "user_1"],
      ["order_2", "user_2"],
    ] as const) {
      const { sessionId } = await stripe().sessions.create({
        metadata: { order_id, user_id },
        email: wallet,
      });
      await stripe().controls.mutateSession(sessionId, { customer_details: { email: wallet } });
      await deliver(sessionId);
    }
    await drain();
    expect(await credited()).toEqual([
      { kind: "user", ref: "user_1", credits: "40" },
      { kind: "user", ref: "user_2", credits: "40" },
    ]);
  });

  test("is each guest alone, however alike their names and addresses are", async () => {
    const refs: string[] = [];
    for (let n = 0; n < 2; n++) {
      const { sessionId } = await stripe().sessions.create({ email: "buyer@example.test" });
      await deliver(sessionId);
      refs.push(sessionId);
    }
    await drain();
    expect((await credited()).map((row) => row.ref)).toEqual(refs.toSorted());
  });
});

describe("a Payment Link's session that names nobody", () => {
  // C57
  test("credits its own order, where support finds the money and to whom it may be assigned", async () => {
    const { sessionId, paymentIntentId } = await stripe().sessions.create({
      paymentLink: "plink_1",
      metadata: {},
    });
    await deliver(sessionId);
    await drain();
    expect((await state()).events[0]).toMatchObject({ status: "processed", outcome: "fulfilled" });
    const detail = await readOrderDetail(database().db, sessionId);
    expect(detail.order).toMatchObject({
      state: "paid",
      amountTotalMinor: 4900n,
      currency: "chf",
      customer: { kind: "guest", ref: sessionId },
    });
    expect(detail.payments).toMatchObject([{ paymentIntentId, grants: true }]);
    expect(await credited()).toEqual([{ kind: "guest", ref: sessionId, credits: "40" }]);
  });

  // Buyers can append client_reference_id to a link's address, and would credit whom they like.
  test("does not credit whom the buyer wrote into the link's address", async () => {
    const { sessionId } = await stripe().sessions.create({
      paymentLink: "plink_1",
      clientReferenceId: "user_rich",
      metadata: {},
    });
    await deliver(sessionId);
    await drain();
    expect(await database().db.select().from(customers)).toMatchObject([{ kind: "guest", ref: sessionId }]);
  });

  // After a replay that changed nothing everything read "delivered", although no order had been made. C57
  test("and sells nothing known is not called fulfilled, and a replay says that it is not ours still", async () => {
    const { db } = database();
    const { sessionId } = await stripe().sessions.create({
      paymentLink: "plink_1",
      items: [{ credits: null }],
      metadata: {},
    });
    const eventId = await deliver(sessionId);
    await drain();
    const said = await forecastReplay(db, { eventId, rules });
    const answer = await requestReplay(
      db,
      {
        requestId: crypto.randomUUID(),
        eventId,
        expectedAttempt: said.attempt,
        expectedPhase: said.phase,
        reason: "The customer says that it was paid.",
      },
      { rules, operator: { id: "operator_1", role: "ops" }, onDue: () => {} },
    );
    expect(answer).toMatchObject({ result: "replayed", act: "offer" });
    await drain();
    const { events, orders, attempts } = await state();
    expect(events[0]).toMatchObject({ status: "processed", outcome: "not_ours", attempt: 2, orderId: null });
    expect(attempts).toHaveLength(2);
    expect(orders).toEqual([]);
    expect(await db.$count(auditEntries)).toBe(1);
    expect(await granted()).toEqual({ grants: 0, credits: 0n });
  });
});
