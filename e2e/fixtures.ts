import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { z } from "zod";
import type { Role } from "../shared/roles.ts";

const bootFacts = z.object({
  signIns: z.array(z.object({ email: z.string(), password: z.string(), role: z.string() })),
});

interface Fixtures {
  /** Signs this test's browser in as one of the sandbox's operators. */
  signedInAs: (role: Role) => Promise<void>;
  /** Fails the test if the page said an error or broke the content security policy. */
  faultless: undefined;
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;
/** Each role signs in once per run: the server rightly limits how often one address may try. */
const sessions = new Map<Role, Cookies>();

export const test = base.extend<Fixtures>({
  signedInAs: async ({ page, context, baseURL }, use) => {
    await use(async (role) => {
      const cookies = sessions.get(role) ?? (await signIn(page, { role, origin: baseURL ?? "" }));
      sessions.set(role, cookies);
      await context.addCookies(cookies);
    });
  },
  faultless: [
    async ({ page }, use) => {
      const faults = watchFaults(page);
      await use(undefined);
      expect(faults, "what the page complained of").toEqual([]);
    },
    { auto: true },
  ],
});

/** Errors of scripts and everything the browser writes as an error, which breaches of the policy are part of. */
function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    // The browser notes every 4xx answer as an error. That a signed-out page is told so is its way of learning it.
    const isRefusal = /the server responded with a status of 40[13]/.test(message.text());
    if (message.type() === "error" && !isRefusal) faults.push(message.text());
  });
  return faults;
}

/** Signs the browser in at an Einmal as one of its sandbox's operators. */
export async function signIn(page: Page, { role, origin }: { role: Role; origin: string }): Promise<Cookies> {
  const { signIns } = bootFacts.parse(await (await page.request.get(`${origin}/boot.json`)).json());
  const one = signIns.find((candidate) => candidate.role === role);
  if (!one) throw new Error(`The sandbox has no operator with the role ${role}.`);
  const answer = await page.request.post(`${origin}/api/auth/sign-in/email`, {
    data: { email: one.email, password: one.password },
    headers: { origin },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return await page.context().cookies();
}
