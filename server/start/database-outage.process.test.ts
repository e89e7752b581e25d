import { expect, test } from "vitest";
import { useHosts } from "../testing/hosts.ts";

const hostsOf = useHosts();
const PAUSED = "The worker could not look for due events. It pauses.";

test("while its database is gone an Einmal answers 503, pauses longer each time, and goes on by itself once it is back", {
  timeout: 120_000,
}, async () => {
  const { database, sql, stripe, start } = hostsOf();
  const { sessionId } = await stripe.sessions.create({ metadata: { order_id: "order_1" } });
  const event = await stripe.eventOf(sessionId, { type: "checkout.session.completed" });
  const host = await start();

  await database.killHard();
  expect(await host.deliver(event)).toBe(503);
  const pauses = () => host.output().split(PAUSED).length - 1;
  await expect.poll(pauses, { timeout: 30_000 }).toBeGreaterThanOrEqual(3);
  const pausedOnce = pauses();
  await database.startAgain();

  await host.says("The worker looks for due events again.");
  // A worker that does not pause would have filled the log meanwhile.
  expect(pauses()).toBeLessThan(pausedOnce + 10);
  const events = await sql`select from processed_stripe_events`;
  const deliveries = await sql`select from event_deliveries`;
  expect([events.length, deliveries.length]).toEqual([0, 0]);

  expect(await host.deliver(event)).toBe(200);
  await expect
    .poll(async () => await sql`select order_id, kind from effects`, { timeout: 30_000 })
    .toEqual([{ order_id: "order_1", kind: "grant_credits" }]);
  host.kill("SIGTERM");
  expect(await host.ended).toEqual({ code: 0, signal: null });
});
