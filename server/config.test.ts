import { describe, expect, test } from "vitest";
import { parseConfig } from "./config.ts";
import { StartRefused } from "./start-refused.ts";

const LONG_SECRET = "0123456789abcdef0123456789abcdef";
const STRIPE = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };
const PRODUCTION = { ...STRIPE, NODE_ENV: "production", EINMAL_SECRET: LONG_SECRET };

function configOf(env: NodeJS.ProcessEnv) {
  return parseConfig(env).config;
}

function refusalOf(env: NodeJS.ProcessEnv): string {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof StartRefused) return error.message;
    throw error;
  }
  return "";
}

test("an empty environment is a complete sandbox", () => {
  expect(configOf({})).toMatchObject({
    mode: "sandbox",
    isProduction: false,
    port: 4242,
    roles: ["web", "worker", "scheduler"],
    database: null,
    stripe: { secretKey: null, webhookSecrets: [], apiBase: null, toleranceSeconds: 300, readsPerSecond: 12 },
    timezone: "UTC",
    orders: "open",
    app: null,
    takeover: "automatic",
    handlerBudgetSeconds: 60,
    attemptsMax: 8,
    payloadRetentionDays: 90,
  });
});

test.each([
  ["sk_test_1", "test"],
  ["rk_test_1", "test"],
  ["sk_live_1", "live"],
  ["rk_live_1", "live"],
])("the key %s makes the mode %s", (key, mode) => {
  expect(configOf({ ...STRIPE, STRIPE_SECRET_KEY: key }).mode).toBe(mode);
});

test("several signing secrets may be given, each marked with the mode it may sign for", () => {
  const list = "whsec_old, live:whsec_new,test:whsec_cli";
  expect(configOf({ ...STRIPE, STRIPE_WEBHOOK_SECRET: list }).stripe.webhookSecrets).toEqual([
    { secret: "whsec_old", mode: null },
    { secret: "whsec_new", mode: "live" },
    { secret: "whsec_cli", mode: "test" },
  ]);
});

describe("what is given is taken over", () => {
  test.each<[NodeJS.ProcessEnv, object]>([
    [{ PORT: "80" }, { port: 80 }],
    [{ PORT: "  " }, { port: 4242 }],
    [{ EINMAL_ROLES: "scheduler, web" }, { roles: ["web", "scheduler"] }],
    [{ EINMAL_URL: "https://desk.example.com/" }, { url: "https://desk.example.com" }],
    [{ EINMAL_TIMEZONE: "Europe/Berlin" }, { timezone: "Europe/Berlin" }],
    [{ EINMAL_APP: "app=shop=1" }, { app: { key: "app", value: "shop=1" } }],
    [{ EINMAL_TAKEOVER: "manual" }, { takeover: "manual" }],
    [{ EINMAL_ORDERS: "open" }, { orders: "open" }],
    [{ HANDLER_BUDGET_SECONDS: "20" }, { handlerBudgetSeconds: 20 }],
    [{ TRUSTED_PROXIES: "2" }, { trustedProxies: 2 }],
    [{ TRUSTED_PROXIES: "loopback, 10.0.0.0/8,::1" }, { trustedProxies: ["loopback", "10.0.0.0/8", "::1"] }],
    [{ LOG_LEVEL: "debug" }, { logLevel: "debug" }],
    [
      { DATABASE_URL: "postgres://a@h/d" },
      { database: { url: "postgres://a@h/d", directUrl: "postgres://a@h/d", readUrl: null } },
    ],
    [
      { DATABASE_URL: "postgres://a@h/d", DATABASE_DIRECT_URL: "postgres://a@direct/d" },
      { database: { url: "postgres://a@h/d", directUrl: "postgres://a@direct/d", readUrl: null } },
    ],
    [{ ...STRIPE, STRIPE_ACCOUNTS: "acct_1, acct_2" }, { stripe: { accounts: ["acct_1", "acct_2"] } }],
    [
      { ...STRIPE, STRIPE_API_BASE: "http://localhost:12111" },
      { stripe: { apiBase: "http://localhost:12111" } },
    ],
    [{ STRIPE_TOLERANCE_SECONDS: "0.5" }, { stripe: { toleranceSeconds: 0.5 } }],
    [PRODUCTION, { isProduction: true, mode: "test", signInSecret: LONG_SECRET }],
  ])("%j", (env, expected) => {
    expect(configOf(env)).toMatchObject(expected);
  });
});

describe("what cannot be right refuses the start and names the variable", () => {
  test.each<[NodeJS.ProcessEnv, string]>([
    [{ PORT: "0" }, "PORT must be a whole number"],
    [{ PORT: "70000" }, "PORT must be a whole number"],
    [{ PORT: "80a" }, "PORT must be a whole number"],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be one of"],
    [{ STRIPE_TOLERANCE_SECONDS: "0" }, "STRIPE_TOLERANCE_SECONDS must be a number greater than 0"],
    [{ STRIPE_TOLERANCE_SECONDS: "-5" }, "STRIPE_TOLERANCE_SECONDS must be a number greater than 0"],
    [{ STRIPE_TOLERANCE_SECONDS: "NaN" }, "STRIPE_TOLERANCE_SECONDS must be a number greater than 0"],
    [{ STRIPE_TOLERANCE_SECONDS: "Infinity" }, "STRIPE_TOLERANCE_SECONDS must be a number greater than 0"],
    [{ STRIPE_READS_PER_SECOND: "0" }, "STRIPE_READS_PER_SECOND must be"],
    [{ HANDLER_BUDGET_SECONDS: "19" }, "HANDLER_BUDGET_SECONDS must be a whole number from 20"],
    [{ ATTEMPTS_MAX: "0" }, "ATTEMPTS_MAX must be"],
    [{ PAYLOAD_RETENTION_DAYS: "0" }, "PAYLOAD_RETENTION_DAYS must be"],
    [{ EINMAL_ROLES: "web,cook" }, "EINMAL_ROLES must name some of"],
    [{ EINMAL_ROLES: "," }, "EINMAL_ROLES must name some of"],
    [{ EINMAL_TIMEZONE: "Mars/Olympus" }, "EINMAL_TIMEZONE is not a time zone"],
    [{ EINMAL_TIMEZONE: "+02:00" }, "EINMAL_TIMEZONE is not a time zone"],
    [{ EINMAL_APP: "shop" }, "EINMAL_APP must be key=value"],
    [{ EINMAL_APP: "=shop" }, "EINMAL_APP must be key=value"],
    // What an env file leaves in: taken for a test key, it would settle every live event as none of ours.
    [
      { STRIPE_SECRET_KEY: '"sk_live_abc"', STRIPE_WEBHOOK_SECRET: "whsec_1" },
      "STRIPE_SECRET_KEY must begin with",
    ],
    [{ STRIPE_SECRET_KEY: "hello", STRIPE_WEBHOOK_SECRET: "whsec_1" }, "STRIPE_SECRET_KEY must begin with"],
    [{ EINMAL_ORDERS: "closed" }, "EINMAL_ORDERS must be open or registered"],
    [{ EINMAL_ORDERS: "registered" }, "EINMAL_ORDERS is registered, but this version cannot"],
    [{ EINMAL_TAKEOVER: "never" }, "EINMAL_TAKEOVER must be automatic or manual"],
    [{ EINMAL_URL: "desk.example.com" }, "EINMAL_URL must be an address"],
    [{ EINMAL_URL: "https://example.com/desk" }, "EINMAL_URL must be an address without a path"],
    [{ TRUSTED_PROXIES: "true" }, "TRUSTED_PROXIES must be"],
    [{ TRUSTED_PROXIES: "10.0.0.0/33" }, "TRUSTED_PROXIES must be"],
    [{ DATABASE_URL: "mysql://a@h/d" }, "DATABASE_URL must be an address"],
    [{ DATABASE_URL: "postgres://a@h" }, "DATABASE_URL must be an address"],
    [{ DATABASE_READ_URL: "postgres://a@h/d" }, "DATABASE_READ_URL is set without DATABASE_URL"],
    [{ STRIPE_SECRET_KEY: "sk_test_1" }, "STRIPE_WEBHOOK_SECRET is missing"],
    [{ STRIPE_SECRET_KEY: "", STRIPE_WEBHOOK_SECRET: "whsec_1" }, "STRIPE_SECRET_KEY is set but empty"],
    [{ ...STRIPE, STRIPE_SECRET_KEY: "pk_live_1" }, "STRIPE_SECRET_KEY is the publishable key"],
    [{ ...STRIPE, STRIPE_SECRET_KEY: "whsec_1" }, "STRIPE_SECRET_KEY is a webhook signing secret"],
    [{ ...STRIPE, STRIPE_WEBHOOK_SECRET: "" }, "STRIPE_WEBHOOK_SECRET is set but empty"],
    [{ ...STRIPE, STRIPE_WEBHOOK_SECRET: "  " }, "STRIPE_WEBHOOK_SECRET is set but empty"],
    [{ ...STRIPE, STRIPE_WEBHOOK_SECRET: "whsec_1," }, "STRIPE_WEBHOOK_SECRET has an empty item"],
    [{ ...STRIPE, STRIPE_WEBHOOK_SECRET: "live:" }, "STRIPE_WEBHOOK_SECRET has an empty item"],
    [
      { ...STRIPE, STRIPE_WEBHOOK_SECRET: "we_123" },
      "STRIPE_WEBHOOK_SECRET has an item that begins with we_",
    ],
    [
      { ...STRIPE, STRIPE_WEBHOOK_SECRET: "prod:whsec_1" },
      "STRIPE_WEBHOOK_SECRET has an item that is neither",
    ],
    [{ ...STRIPE, STRIPE_ACCOUNTS: "cus_1" }, "STRIPE_ACCOUNTS must be ids"],
    [
      { ...STRIPE, STRIPE_API_BASE: "http://localhost:1/v1" },
      "STRIPE_API_BASE must be an address without a path",
    ],
    [{ STRIPE_API_BASE: "http://localhost:1" }, "STRIPE_API_BASE is set without STRIPE_SECRET_KEY"],
    [
      { ...STRIPE, STRIPE_SECRET_KEY: "rk_live_1", STRIPE_API_BASE: "http://proxy:80" },
      "STRIPE_API_BASE would send a live key over plain http",
    ],
    [{ EINMAL_FAIL_POINT: "somewhere:reached" }, "EINMAL_FAIL_POINT must be a fail point"],
    [{ EINMAL_FAIL_POINT: "worker.after_take" }, "EINMAL_FAIL_POINT must be a fail point"],
    [{ ...PRODUCTION, EINMAL_FAIL_POINT: "worker.after_take:reached" }, "EINMAL_FAIL_POINT would stop"],
    [
      { ...STRIPE, STRIPE_SECRET_KEY: "sk_live_1", EINMAL_FAIL_POINT: "worker.after_take:reached" },
      "EINMAL_FAIL_POINT would stop",
    ],
    [{ ...PRODUCTION, EINMAL_SECRET: "short" }, "EINMAL_SECRET is too short"],
    [{ ...PRODUCTION, EINMAL_SECRET: undefined }, "EINMAL_SECRET is missing"],
    [{ ...PRODUCTION, STRIPE_SECRET_KEY: undefined }, "STRIPE_SECRET_KEY is missing"],
    [{ ...PRODUCTION, STRIPE_WEBHOOK_SECRET: undefined }, "STRIPE_WEBHOOK_SECRET is missing"],
  ])("%j: %s", (env, expected) => {
    expect(refusalOf(env)).toContain(expected);
  });
});

test("every fault is listed at once, with where to find the right value", () => {
  const message = refusalOf({ NODE_ENV: "production", PORT: "x", EINMAL_TIMEZONE: "Mars/Olympus" });
  expect(message).toContain("5 settings are wrong");
  for (const name of [
    "STRIPE_SECRET_KEY",
    "STRIPE_WEBHOOK_SECRET",
    "EINMAL_SECRET",
    "PORT",
    "EINMAL_TIMEZONE",
  ]) {
    expect(message).toContain(name);
  }
  expect(message).toContain("Signing secret");
  expect(message).toContain("openssl rand -base64 32");
});

// A start log is the first thing that people paste into a public thread.
test("no refusal repeats a value, since it may be a secret", () => {
  const message = refusalOf({
    STRIPE_SECRET_KEY: "pk_live_verysecret",
    STRIPE_WEBHOOK_SECRET: "prod:whsec_verysecret",
    DATABASE_URL: "mysql://user:verysecret@host/d",
    EINMAL_URL: "https://user:verysecret@host",
  });
  expect(message).toContain("4 settings are wrong");
  expect(message).not.toContain("verysecret");
});

test("the config cannot be changed after it was read", () => {
  const config = configOf(STRIPE);
  expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
  expect(() => Object.assign(config.stripe, { secretKey: "sk_live_1" })).toThrow(TypeError);
});

describe("a name that looks like one of ours is questioned", () => {
  test.each([
    ["EINMAL_TIMEZON", "Did you mean EINMAL_TIMEZONE?"],
    ["STRIPE_WEBHOOK_SECRETS", "Did you mean STRIPE_WEBHOOK_SECRET?"],
    ["DATABSE_URL", "Did you mean DATABASE_URL?"],
    ["EINMAL_COLOUR", "EINMAL_COLOUR is set but means nothing here."],
  ])("%s", (name, expected) => {
    expect(parseConfig({ [name]: "x" }).warnings).toEqual([expect.stringContaining(expected)]);
  });

  test("and names of other programs are not", () => {
    expect(parseConfig({ PATH: "/bin", PORTS: "1", STRIPE_PUBLISHABLE_KEY: "pk_1" }).warnings).toEqual([]);
  });
});
