import { expect } from "@playwright/test";
import { test } from "./fixtures.ts";

test("an admin invites a colleague with a role, who joins by the one-time link, once", async ({
  page,
  signedInAs,
  browser,
}) => {
  await signedInAs("admin");
  await page.goto("/settings/operators");
  await page.getByRole("button", { name: "Invite operator" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /e-mail/i }).fill("new.colleague@example.test");
  await dialog.getByRole("textbox", { name: /name/i }).fill("New Colleague");
  await dialog.getByRole("combobox", { name: /role/i }).selectOption("finance");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const shown = page.getByText(/\/welcome#token=/);
  await expect(shown).toBeVisible();
  const link = (await shown.textContent()) ?? "";
  await page.screenshot({ path: "e2e/screenshots/invitation-link.png" });

  const context = await browser.newContext();
  const theirs = await context.newPage();
  await theirs.goto(link);
  await expect(theirs.getByText(/You join as finance/i)).toBeVisible();
  await theirs.screenshot({ path: "e2e/screenshots/welcome.png" });
  await theirs.getByRole("textbox", { name: "Name" }).fill("New Colleague");
  await theirs.getByLabel("New password").fill("a sentence is the best password");
  await theirs.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(theirs.getByRole("heading", { name: "Events" })).toBeVisible();

  await theirs.goto("about:blank");
  await theirs.goto(link);
  await expect(theirs.getByText("Link not valid")).toBeVisible();
  await context.close();
});
