import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { deserialize, type SuperJSONResult } from "superjson";
import Stripe from "stripe";
import { z } from "zod";
import { freePort } from "../server/free-port.ts";
import { packageRoot } from "../server/package-root.ts";
import { type EinmalProcess, startedEinmal } from "../server/testing/einmal-process.ts";
import { makeOwnFolder } from "../server/testing/own-folder.ts";
import type { ChaosView } from "../shared/desk-views.ts";
import { signIn } from "./fixtures.ts";

const CHAOS_MS = 120_000;
const SIZES = [
  { name: "wide", width: 1440, height: 900 },
  { name: "narrow", width: 390, height: 844 },
] as const;

// An Einmal of its own: chaos would break the pages that the other specs look at. While the database is down its answers
// are errors, so that this spec does not ask the browser's console to be empty.
let folder: string;
let url: string;
let emulator: string;
let einmal: EinmalProcess;

test.beforeEach(async () => {
  folder = makeOwnFolder();
  const port = await freePort();
  const main = join(packageRoot(), "dist/server/main.js");
  const env = { PORT: String(port), EINMAL_FOLDER: folder, HANDLER_BUDGET_SECONDS: "20" };
  einmal = await startedEinmal(env, { main });
  url = `http://localhost:${port}`;
  emulator = /emulator at (\S+)/.exec(einmal.output())?.[1] ?? "";
});
test.afterEach(async () => {
  einmal.kill("SIGTERM");
  const { code } = await einmal.ended;
  rmSync(folder, { recursive: true, force: true });
  expect(code, einmal.output().slice(-4000)).toBe(0);
});

/** The state as the page reads it, or null while the database is away. */
async function stateOf(page: Page): Promise<ChaosView | null> {
  const answer = await page.request.get(`${url}/trpc/chaos.state`);
  if (!answer.ok()) return null;
  const { result } = z.object({ result: z.object({ data: z.unknown() }) }).parse(await answer.json());
  return deserialize<ChaosView>(result.data as SuperJSONResult);
}

/** The orders that Stripe's stand-in took money for since an instant, by its own books. */
async function paidOrders(since: Date): Promise<Set<string>> {
  const { hostname, port } = new URL(emulator);
  const stripe = new Stripe("sk_test_einmal_sandbox", {
    host: hostname,
    port: Number(port),
    protocol: "http",
  });
  const orders = new Set<string>();
  for await (const session of stripe.checkout.sessions.list({ limit: 100 })) {
    const isPaid = session.status === "complete" && session.payment_status !== "unpaid";
    const orderId = session.metadata?.order_id;
    if (isPaid && orderId !== undefined && session.created * 1000 >= since.getTime()) orders.add(orderId);
  }
  return orders;
}

test("with everything that goes wrong turned on for two minutes, every order ends at exactly one grant", async ({
  page,
}) => {
  test.setTimeout(CHAOS_MS + 360_000);
  await signIn(page, { role: "ops", origin: url });
  await page.goto(`${url}/chaos`);
  await expect(page.getByText("Everything is calm.")).toBeVisible();

  await page.getByRole("combobox", { name: "Time between two kills of the database" }).selectOption("20");
  await page.getByRole("button", { name: "Turn everything on" }).click();
  const dialog = page.getByRole("dialog", { name: "Kill the database every 20 s?" });
  await expect(dialog).toContainText("Nothing that was committed is lost");
  await dialog.getByRole("button", { name: "Turn everything on" }).click();
  await expect(page.getByText(/^On since /)).toBeVisible();
  for (const name of ["Twins", "Failing Stripe", "A worker is killed", "The database is killed"]) {
    await expect(page.getByRole("switch", { name })).toBeChecked();
  }

  const startedMs = Date.now();
  const seen: ChaosView[] = [];
  await expect
    .poll(
      async () => {
        const state = await stateOf(page);
        if (state) seen.push(state);
        return Date.now() - startedMs >= CHAOS_MS && (state?.run?.tally.databaseKills ?? 0) >= 3;
      },
      { timeout: CHAOS_MS + 60_000, intervals: [1000] },
    )
    .toBe(true);
  // Whoever looked, and whenever they did, saw as many grants as paid orders.
  expect(seen.filter(({ books }) => books.notExactlyOne !== 0)).toEqual([]);
  await page.screenshot({ path: "e2e/screenshots/chaos-raging.png", fullPage: true });

  // Pressed again if the database was away when it was pressed, as the page says then.
  await expect(async () => {
    const off = page.getByRole("button", { name: "Turn everything off" });
    if (await off.isEnabled()) await off.click({ timeout: 2000 });
    await expect(page.getByText(/^Everything is calm\. The last run/)).toBeVisible();
  }).toPass({ timeout: 60_000 });

  const run = seen.at(-1)?.run;
  const since = new Date((run?.startedAt.getTime() ?? 0) + 1000);
  const paid = await paidOrders(since);
  expect(paid.size).toBeGreaterThan(50);
  expect(run?.deliveries.twins).toBeGreaterThan(50);
  expect(run?.deliveries.redeliveries).toBeGreaterThan(50);
  expect(run?.tally.workersKilled).toBeGreaterThanOrEqual(6);
  expect(run?.tally.answersFailed).toBeGreaterThan(20);
  expect(run?.takenOver).toBeGreaterThan(0);

  const notYet = new Set(paid);
  await expect
    .poll(
      async () => {
        for (const orderId of notYet) if ((await grantsOf(page, orderId)) === 1) notYet.delete(orderId);
        return [...notYet];
      },
      { timeout: 240_000, intervals: [2000] },
    )
    .toEqual([]);
  const end = await stateOf(page);
  expect(end?.books).toMatchObject({ notExactlyOne: 0 });
  expect(end?.books.grants).toBe((end?.books.ordersPaid ?? 0) - (end?.books.withoutCredits ?? 0));
});

async function grantsOf(page: Page, orderId: string): Promise<number> {
  const input = encodeURIComponent(JSON.stringify({ json: { orderId } }));
  const answer = await page.request.get(`${url}/trpc/orders.get?input=${input}`);
  if (!answer.ok()) return 0;
  const body = z.object({
    result: z.object({
      data: z.object({ json: z.object({ order: z.object({ grantsActual: z.number() }) }) }),
    }),
  });
  return body.parse(await answer.json()).result.data.json.order.grantsActual;
}

test("chaos is thrown switch by switch, asks before it kills the database, and is closed to who may only read", async ({
  page,
}) => {
  test.setTimeout(120_000);
  await signIn(page, { role: "support", origin: url });
  await page.goto(`${url}/chaos`);
  await expect(
    page.getByText("Chaos needs ops or admin. You are signed in as support.").first(),
  ).toBeVisible();
  await expect(page.getByRole("switch", { name: "Twins" })).toBeDisabled();

  await signIn(page, { role: "admin", origin: url });
  await page.goto(`${url}/chaos`);
  // By keyboard alone.
  await page.getByRole("switch", { name: "Twins" }).focus();
  await page.keyboard.press("Space");
  await expect(page.getByText(/^On since /)).toBeVisible();
  await page.getByRole("switch", { name: "The database is killed" }).focus();
  await page.keyboard.press("Space");
  const dialog = page.getByRole("dialog", { name: /^Kill the database every/ });
  await expect(dialog).toBeVisible();
  await page.screenshot({ path: "e2e/screenshots/chaos-confirm.png" });
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("switch", { name: "The database is killed" })).not.toBeChecked();

  // The server that is gone is said, and the switch stays where it was.
  await page.route(/chaos\.change/, (route) => route.abort());
  await page.getByRole("switch", { name: "Reordering" }).click();
  await expect(page.getByRole("alert")).toContainText("The server did not answer");
  await expect(page.getByRole("switch", { name: "Reordering" })).not.toBeChecked();
  await page.unroute(/chaos\.change/);

  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.screenshot({
        path: `e2e/screenshots/chaos-on-${size.name}-${colorScheme}.png`,
        fullPage: true,
      });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Turn everything off" }).click();
  await expect(page.getByText(/^Everything is calm\. The last run/)).toBeVisible();
});
