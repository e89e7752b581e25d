import { expect } from "@playwright/test";
import { test } from "./fixtures.ts";

test("a view of the events is a link: what is filtered stands in the address and survives a reload", async ({
  page,
  signedInAs,
}) => {
  await signedInAs("support");
  await page.goto("/");
  await expect(page).toHaveURL(/\/events/);
  await page
    .getByRole("navigation", { name: "Views of the events" })
    .getByRole("link", { name: /^All/ })
    .click();
  await expect(page).toHaveURL(/view=all/);
  await expect(
    page.getByRole("link", { name: /^(checkout|payment_intent|charge|customer)\./ }).first(),
  ).toBeVisible();
  await page.reload();
  await expect(
    page.getByRole("navigation", { name: "Views of the events" }).getByRole("link", { name: /^All/ }),
  ).toHaveAttribute("aria-current", /.+/);
});

test("any id finds its event, from the search box and by the keyboard alone", async ({
  page,
  signedInAs,
}) => {
  await signedInAs("support");
  await page.goto("/orders?view=paid");
  const order = page.getByRole("link", { name: /^order_/ }).first();
  await expect(order).toBeVisible({ timeout: 60_000 });
  const orderId = (await order.getAttribute("href"))?.split("/").at(-1) ?? "";

  await page.goto("/events");
  await expect(page.getByRole("heading", { name: "Events" })).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.insertText(` ${orderId} `);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: "checkout.session.completed" }).first()).toBeVisible();
  await expect(page.getByText(orderId).first()).toBeVisible();
});

test("what nobody knows is said to be unknown, with what to do next", async ({ page, signedInAs }) => {
  await signedInAs("support");
  await page.goto("/events?view=all&q=evt_that_never_came");
  await expect(page.getByText(/evt_that_never_came/).first()).toBeVisible();
  await page.goto("/orders/order_that_never_was");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("a payload shows ids and amounts and hides who the buyer is", async ({ page, signedInAs }) => {
  await signedInAs("support");
  await page.goto("/events?view=processed&type=checkout.session.completed");
  const link = page.getByRole("link", { name: "checkout.session.completed" }).first();
  await expect(link).toBeVisible({ timeout: 60_000 });
  await link.click();
  await expect(page.getByText("Payload")).toBeVisible();
  await expect(page.getByText("hidden").first()).toBeVisible();
  expect(await page.content()).not.toMatch(/[a-z0-9.]+@example\.test"/);
});
