import { expect, test } from "vitest";
import { HOST_SECRETS, useHosts } from "../testing/hosts.ts";

const hostsOf = useHosts();
const READ = /^\/v1\/checkout\/sessions\/[^/]+$/;

const eventOfOrder = async (orderId: string) => {
  const { stripe } = hostsOf();
  const { sessionId } = await stripe.sessions.create({ metadata: { order_id: orderId } });
  const made = { type: "checkout.session.completed" };
  return { event: await stripe.eventOf(sessionId, made), twin: await stripe.eventOf(sessionId, made) };
};
const grantsOf = async (prefix: string) =>
  (
    await hostsOf()
      .sql`select order_id, count(*)::int from effects where order_id like ${`${prefix}%`} group by 1`
  ).map(({ order_id, count }) => [order_id, count]);

// Two endpoints that Stripe sends to, three hosts behind them: nothing in memory can take part in the decision. C07 C08
test("sixty deliveries of one act at three processes at once, under two secrets and two ids, are one claim and one grant", {
  timeout: 120_000,
}, async () => {
  const { sql, start } = hostsOf();
  const hosts = await Promise.all([start(), start(), start()]);
  const { event, twin } = await eventOfOrder("burst_1");
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const host = hosts[n % hosts.length];
      if (!host) throw new Error("Bug! There are three.");
      return await host.deliver(n % 5 === 4 ? twin : event, HOST_SECRETS[n % 2]);
    }),
  );
  expect(new Set(answers)).toEqual(new Set([200]));
  await expect
    .poll(async () => await sql`select status from processed_stripe_events`, { timeout: 30_000 })
    .toMatchObject([{ status: "processed" }]);

  expect(await grantsOf("burst_")).toEqual([["burst_1", 1]]);
  const [ledger] = await sql`select count(*)::int, sum(delta)::int from credit_ledger`;
  expect(ledger).toEqual({ count: 1, sum: 40 });
  const verdicts = await sql`select verdict = 'claimed' as is_claim, count(*)::int from event_deliveries
    group by 1 order by 1`;
  expect([...verdicts]).toEqual([
    { is_claim: false, count: 59 },
    { is_claim: true, count: 1 },
  ]);
  const [attempts] = await sql`select count(*)::int from event_attempts`;
  expect(attempts).toEqual({ count: 1 });
  for (const host of hosts) host.kill("SIGTERM");
  for (const host of hosts) expect(await host.ended).toEqual({ code: 0, signal: null });
});

test("in a rolling deploy the old process finishes what it holds while the new one works, and each order is granted once", {
  timeout: 120_000,
}, async () => {
  const { sql, stripe, start } = hostsOf();
  const old = await start();
  let answerOld = () => {};
  stripe.controls.delayNext({ path: READ, until: new Promise<void>((resolve) => (answerOld = resolve)) });
  const asked = stripe.controls.requests.length;
  expect(await old.deliver((await eventOfOrder("deploy_held")).event)).toBe(200);
  await expect.poll(() => stripe.controls.requests.length, { interval: 20 }).toBeGreaterThan(asked);

  const successor = await start();
  old.kill("SIGTERM");
  const orders = await Promise.all(Array.from({ length: 20 }, (_, n) => eventOfOrder(`deploy_${n}`)));
  const answers = orders.flatMap(({ event, twin }) => [successor.deliver(event), successor.deliver(twin)]);
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  await expect.poll(async () => (await grantsOf("deploy_")).length, { timeout: 30_000 }).toBe(20);
  // The old one is still there, and nobody took its event away.
  const held = await sql`select attempt, failures from processed_stripe_events where status = 'processing'`;
  expect([...held]).toEqual([{ attempt: 1, failures: 0 }]);

  answerOld();
  expect(await old.ended).toEqual({ code: 0, signal: null });
  const grants = await grantsOf("deploy_");
  expect(grants).toHaveLength(21);
  expect(new Set(grants.map(([, count]) => count))).toEqual(new Set([1]));
  const attempts = await sql`select distinct result from event_attempts`;
  expect([...attempts]).toEqual([{ result: "processed" }]);
  successor.kill("SIGTERM");
  expect(await successor.ended).toEqual({ code: 0, signal: null });
});
