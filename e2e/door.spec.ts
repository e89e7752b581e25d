import { expect } from "@playwright/test";
import { test } from "./fixtures.ts";

test("whoever is not signed in is shown the way in, at whatever address they come", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("textbox", { name: /e-mail/i })).toBeVisible();
  await expect(page.getByRole("button", { name: /sign in/i })).toBeVisible();
  await page.screenshot({ path: "e2e/screenshots/sign-in.png" });

  await page.goto("/events/evt_of_a_link_in_a_mail");
  await expect(page.getByRole("button", { name: /sign in/i })).toBeVisible();
});

test("the page allows no inline script and frames of nobody", async ({ request }) => {
  const policy = (await request.get("/", { headers: { accept: "text/html" } })).headers()[
    "content-security-policy"
  ];
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
});

test("programs that ask for what is not there get an answer for programs", async ({ request }) => {
  for (const path of ["/api/v1/nothing", "/webhooks/nothing", "/assets/gone.js"]) {
    const answer = await request.get(path);
    expect(answer.status(), path).toBe(404);
    expect(await answer.json(), path).toHaveProperty("error");
  }
});

test("the health of the process and of what it needs can be asked", async ({ request }) => {
  expect((await request.get("/healthz")).status()).toBe(200);
  const ready = await request.get("/readyz");
  expect(await ready.json()).toMatchObject({ status: "ready" });
  expect(await (await request.get("/metrics")).text()).toContain("einmal_database_up 1");
});

test("an operator signs in with what the sandbox printed, and is at the events", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: /ops@/ }).click();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Events" })).toBeVisible();
});

test("a session that is there is used, at whatever address one comes", async ({ page, signedInAs }) => {
  await signedInAs("support");
  await page.goto("/orders");
  await expect(page.getByRole("heading", { name: "Orders" })).toBeVisible();
});
