import { describe, expect, test } from "vitest";
import { parseConfig } from "../config.ts";
import { announce, type StartFacts } from "./announcement.ts";

const STRIPE = { STRIPE_SECRET_KEY: "sk_test_verysecret", STRIPE_WEBHOOK_SECRET: "whsec_verysecret" };

function announced(env: NodeJS.ProcessEnv, facts: Partial<StartFacts> = {}): string {
  const { config, warnings } = parseConfig(env);
  return announce({
    config,
    version: "1.2.3",
    port: 4242,
    signIns: [],
    firstAdminLink: null,
    sandbox: null,
    notes: [],
    warnings,
    ...facts,
  });
}

describe("the announcement", () => {
  test("of a sandbox says so, and how to get in", () => {
    const text = announced(
      {},
      {
        signIns: [{ email: "ops@example.test", password: "open-door", role: "ops" }],
        sandbox: { apiBase: "http://127.0.0.1:4243", secretFile: null },
      },
    );
    expect(text).toMatch(/Mode +SANDBOX/);
    expect(text).toMatch(/Desk +http:\/\/localhost:4242/);
    expect(text).toMatch(/ops@example\.test +open-door +ops/);
    expect(text).toContain("http://127.0.0.1:4243");
  });

  // It is the first thing that people paste into a public thread.
  test("never holds a key, a secret or a password of the environment", () => {
    const text = announced({
      ...STRIPE,
      EINMAL_SECRET: "verysecret-verysecret-verysecret-very",
      DATABASE_URL: "postgres://einmal:verysecret@db.example.com/shop",
    });
    expect(text).not.toContain("verysecret");
    expect(text).toContain("shop at db.example.com:5432");
  });

  test.each<[string, NodeJS.ProcessEnv, string]>([
    ["mail", {}, "No e-mail"],
    ["notices", {}, "No notice to your shop"],
    ["live events in test mode", STRIPE, "No live events"],
    ["test events in live mode", { ...STRIPE, STRIPE_SECRET_KEY: "sk_live_1" }, "No test events"],
    ["processing without the role", { EINMAL_ROLES: "web" }, "No processing in this process"],
    ["sign-in from elsewhere", STRIPE, "set EINMAL_URL"],
  ])("says that there is no %s", (_what, env, expected) => {
    expect(announced(env)).toContain(expected);
  });

  test("of a process without the desk names no address of it", () => {
    expect(announced({ EINMAL_ROLES: "worker" })).not.toContain("http://localhost:4242");
  });

  test("shows the first admin's link and what is suspicious in the environment", () => {
    const text = announced(
      { ...STRIPE, EINMAL_TIMEZON: "UTC" },
      { firstAdminLink: "http://localhost:4242/welcome#token=1" },
    );
    expect(text).toContain("/welcome#token=1");
    expect(text).toContain("Did you mean EINMAL_TIMEZONE?");
  });
});
