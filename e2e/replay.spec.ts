import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";

/** Opens the oldest stale event and returns its id. The sandbox's first dead worker leaves one within a minute. */
async function openStaleEvent(page: Page): Promise<string> {
  await page.goto("/events?view=stale");
  const link = page.getByRole("link", { name: /^checkout\.session\./ }).first();
  await expect(link).toBeVisible({ timeout: 60_000 });
  await link.click();
  await expect(page).toHaveURL(/\/events\/evt_/);
  return decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");
}

// The morning after a deploy that killed a worker.
test("ops replays a stale event with a reason, sees what came of it, and finds it in the audit trail", async ({
  page,
  signedInAs,
}) => {
  test.setTimeout(120_000);
  await signedInAs("ops");
  await openStaleEvent(page);
  await page.getByRole("button", { name: "Replay", exact: true }).click();

  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("What will happen")).toBeVisible();
  const replayOnce = dialog.getByRole("button", { name: "Replay once" });
  await expect(replayOnce).toBeDisabled();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("too short");
  await expect(replayOnce).toBeDisabled();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("The worker died in the noon deploy.");
  await page.screenshot({ path: "e2e/screenshots/replay-dialog.png" });
  await replayOnce.click();

  await expect(dialog.getByText("What happened")).toBeVisible();
  await expect(dialog.getByText(/granted|The event is settled/i).first()).toBeVisible({ timeout: 30_000 });
  await page.screenshot({ path: "e2e/screenshots/replay-outcome.png" });
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("The worker died in the noon deploy.")).toBeVisible();
  await expect(page.getByText("Processed").first()).toBeVisible();
});

test("a dead event dies again by a replay as long as its price says nothing, and the dialog says so", async ({
  page,
  signedInAs,
}) => {
  test.setTimeout(90_000);
  await signedInAs("ops");
  await page.goto("/events?view=dead");
  const link = page.getByRole("link", { name: /^checkout\.session\./ }).first();
  await expect(link).toBeVisible({ timeout: 60_000 });
  await link.click();
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Customer waiting" }).click();
  await dialog.getByRole("button", { name: "Replay once" }).click();
  await expect(dialog.getByText(/ended dead: Price without credits/)).toBeVisible({ timeout: 30_000 });
});

test("support sees why replaying is not theirs, and the server refuses it too", async ({
  page,
  signedInAs,
  baseURL,
}) => {
  await signedInAs("support");
  await page.goto("/events?view=dead");
  const link = page.getByRole("link", { name: /^checkout\.session\./ }).first();
  await expect(link).toBeVisible({ timeout: 60_000 });
  await link.click();
  await expect(page).toHaveURL(/\/events\/evt_/);
  await expect(page.getByRole("button", { name: "Replay", exact: true })).toBeDisabled();
  await expect(
    page.getByText("Replay needs ops or admin. You are signed in as support.").first(),
  ).toBeAttached();
  await page.screenshot({ path: "e2e/screenshots/support-event.png" });

  const eventId = new URL(page.url()).pathname.split("/").at(-1);
  const request = {
    requestId: crypto.randomUUID(),
    eventId,
    expectedAttempt: 1,
    expectedPhase: "dead",
    reason: "I would like to replay this.",
  };
  const answer = await page.request.post("/trpc/replays.request", {
    data: { json: request },
    headers: { origin: baseURL ?? "" },
  });
  expect(answer.status()).toBe(403);
  expect(await answer.json()).toMatchObject({
    error: { json: { data: { outcomeCode: "role_not_allowed" } } },
  });
});
