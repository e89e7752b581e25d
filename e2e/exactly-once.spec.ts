import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import Stripe from "stripe";
import { test } from "./fixtures.ts";

// The promise of the product, through every layer: real client, real signatures, real HTTP, real database, the desk.
test("ten deliveries of one paid session at once, and a twin, make one event and one grant on the desk", async ({
  page,
  request,
  signedInAs,
}) => {
  const { secret, stripe, emulator } = sandbox();
  const prices = await stripe.prices.list({ limit: 10 });
  const price = prices.data.find((one) => one.metadata.credits === "40");
  const session = await stripe.checkout.sessions.create({
    mode: "payment",
    line_items: [{ price: price?.id ?? "", quantity: 2 }],
    success_url: "https://shop.example.test/thanks",
    metadata: { order_id: "order_by_hand", user_id: "user_by_hand" },
  });
  const paid = await request.post(`${emulator}/sandbox/sessions/${session.id}/pay`, {
    data: { deliver: false },
  });
  expect(paid.status()).toBe(200);

  const object = await stripe.checkout.sessions.retrieve(session.id);
  const bodyOf = (id: string) =>
    JSON.stringify({
      id,
      object: "event",
      api_version: Stripe.API_VERSION,
      created: Math.floor(Date.now() / 1000),
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type: "checkout.session.completed",
      data: { object },
    });
  const bodies = [...Array.from({ length: 10 }, () => bodyOf("evt_by_hand")), bodyOf("evt_by_hand_twin")];
  const answers = await Promise.all(
    bodies.map((body) =>
      request.post("/webhooks/stripe", {
        data: Buffer.from(body),
        headers: {
          "content-type": "application/json",
          "stripe-signature": stripe.webhooks.generateTestHeaderString({ payload: body, secret }),
        },
      }),
    ),
  );
  expect(answers.map((answer) => answer.status())).toEqual(bodies.map(() => 200));

  await signedInAs("ops");
  await page.goto("/events/evt_by_hand_twin");
  await expect(page.getByText("Processed").first()).toBeVisible({ timeout: 30_000 });
  const detail = await (
    await page.request.get(
      `/trpc/events.get?input=${encodeURIComponent('{"json":{"eventId":"evt_by_hand_twin"}}')}`,
    )
  ).json();
  const { event, effects, deliveryCount, attempts } = detail.result.data.json;
  expect([deliveryCount, effects.length, effects[0].kind, attempts.length]).toEqual([
    11,
    1,
    "grant_credits",
    1,
  ]);
  expect(["evt_by_hand", "evt_by_hand_twin"]).toContain(event.eventId);

  await page.goto("/orders/order_by_hand");
  await expect(page.getByText("1 of 1").first()).toBeVisible();
  await expect(page.getByText("80", { exact: true }).first()).toBeVisible();
});

/** The emulator beside the instance under test, whose secret lies in its folder. */
function sandbox() {
  const folder = process.env.EINMAL_TEST_FOLDER ?? "";
  const emulator = process.env.EINMAL_TEST_EMULATOR ?? "";
  const { hostname, port } = new URL(emulator);
  return {
    emulator,
    secret: readFileSync(join(folder, "webhook-secret"), "utf8").trim(),
    stripe: new Stripe("sk_test_einmal_sandbox", { host: hostname, port: Number(port), protocol: "http" }),
  };
}
