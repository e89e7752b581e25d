import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";

const SIZES = [
  { name: "wide", width: 1440, height: 900 },
  { name: "narrow", width: 390, height: 844 },
] as const;
const SCHEMES = ["light", "dark"] as const;

/** The address of the first event in a view that has one. */
async function firstEvent(page: Page, view: string): Promise<string> {
  await page.goto(`/events?view=${view}`);
  const link = page.getByRole("link", { name: /^checkout\.session\./ }).first();
  await expect(link).toBeVisible({ timeout: 60_000 });
  return (await link.getAttribute("href")) ?? "";
}

async function firstOrder(page: Page): Promise<string> {
  await page.goto("/orders?view=paid");
  const link = page.getByRole("link", { name: /^order_/ }).first();
  await expect(link).toBeVisible({ timeout: 60_000 });
  return (await link.getAttribute("href")) ?? "";
}

test("every page is readable in both themes and on a phone, and free of accessibility faults", async ({
  page,
  signedInAs,
}) => {
  test.setTimeout(240_000);
  await signedInAs("admin");
  const pages = {
    events: "/events?view=all",
    "events-unfinished": "/events",
    "event-dead": await firstEvent(page, "dead"),
    "event-processed": await firstEvent(page, "processed"),
    orders: "/orders",
    "orders-not-exactly-one": "/orders?view=not_exactly_one",
    order: await firstOrder(page),
    operators: "/settings/operators",
    chaos: "/chaos",
    "no-such-event": "/events/evt_that_never_came",
  };
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    for (const [name, address] of Object.entries(pages)) {
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await page.goto(address);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
        const isPageScrolledSideways = await page.evaluate(
          () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
        );
        expect(isPageScrolledSideways, `${name} at ${size.width} px scrolls sideways`).toBe(false);
        await page.screenshot({ path: `e2e/screenshots/${name}-${size.name}-${scheme}.png`, fullPage: true });
      }
      const { violations } = await new AxeBuilder({ page })
        .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
        .analyze();
      expect(
        violations.map(({ id, nodes }) => [id, nodes.map((node) => node.target)]),
        `${name}, ${scheme}`,
      ).toEqual([]);
    }
  }
});
