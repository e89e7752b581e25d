import { isIP } from "node:net";
import { z } from "zod";
import { type ArmedFailPoint, FAIL_POINTS } from "./fail-points.ts";
import type { WebhookSecret } from "./stripe/signing.ts";

export const ROLES_OF_A_PROCESS = ["web", "worker", "scheduler"] as const;
export type ProcessRole = (typeof ROLES_OF_A_PROCESS)[number];

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/**
 * Every variable of the environment that Einmal reads, and what each may hold. An empty value counts as unset
 * (compose files leave those behind), except for secrets: there it is a mistake that would open a door.
 */
export const variables = z.object({
  NODE_ENV: plain(z.string().default("development")),
  PORT: plain(integer({ min: 1, max: 65_535 }).default(4242)),
  LOG_LEVEL: plain(z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}.`).optional()),
  DATABASE_URL: plain(databaseUrl().optional()),
  DATABASE_DIRECT_URL: plain(databaseUrl().optional()),
  DATABASE_READ_URL: plain(databaseUrl().optional()),
  STRIPE_SECRET_KEY: secret().transform(stripeKey).optional(),
  STRIPE_WEBHOOK_SECRET: secret().transform(webhookSecrets).optional(),
  STRIPE_API_BASE: plain(z.string().transform(origin).optional()),
  STRIPE_ACCOUNTS: plain(z.string().default("").transform(accounts)),
  STRIPE_TOLERANCE_SECONDS: plain(positive({ max: 86_400 }).default(300)),
  STRIPE_READS_PER_SECOND: plain(positive({ max: 1_000 }).default(12)),
  EINMAL_SECRET: secret().optional(),
  EINMAL_ROLES: plain(z.string().default(ROLES_OF_A_PROCESS.join(",")).transform(roles)),
  EINMAL_URL: plain(z.string().transform(origin).optional()),
  EINMAL_TIMEZONE: plain(z.string().default("UTC").transform(timezone)),
  EINMAL_ORDERS: plain(oneOf(["open", "registered"]).default("open")),
  EINMAL_APP: plain(z.string().transform(appMark).optional()),
  EINMAL_TAKEOVER: plain(oneOf(["automatic", "manual"]).default("automatic")),
  // For tests and for several installations from one clone: where the embedded database and its lock live.
  EINMAL_FOLDER: plain(z.string().optional()),
  // For the crash matrix only, see fail-points.ts.
  EINMAL_FAIL_POINT: plain(z.string().transform(failPointAndFile).optional()),
  TRUSTED_PROXIES: plain(z.string().transform(proxies).optional()),
  // A handler stops ten seconds before its lease does, so that less than twenty leaves it no time to work.
  HANDLER_BUDGET_SECONDS: plain(integer({ min: 20, max: 3_600 }).default(60)),
  ATTEMPTS_MAX: plain(integer({ min: 1, max: 100 }).default(8)),
  PAYLOAD_RETENTION_DAYS: plain(integer({ min: 1, max: 3_650 }).default(90)),
});

export type Variables = z.output<typeof variables>;
export type VariableName = keyof Variables;

/** Where a person finds the right value, for those that cannot be read off the message. */
export const WHERE_TO_FIND: Partial<Record<VariableName, string>> = {
  STRIPE_SECRET_KEY:
    "Stripe Dashboard > Developers > API keys: a restricted key (rk_...) or the secret key (sk_...).",
  STRIPE_WEBHOOK_SECRET:
    "Stripe Dashboard > Developers > Webhooks > your endpoint > Signing secret (whsec_...), or the line that `stripe listen` prints.",
  EINMAL_SECRET: "Make one and keep it: openssl rand -base64 32",
  STRIPE_ACCOUNTS: "Stripe Dashboard > Connect > Accounts: ids that begin with acct_, separated by commas.",
  EINMAL_TIMEZONE: "A name of the IANA list, such as Europe/Berlin.",
  DATABASE_URL: "postgres://user:password@host:5432/database. Unset, Einmal brings its own PostgreSQL.",
};

type Refine = z.core.$RefinementCtx;

function refuse(ctx: Refine, message: string): never {
  ctx.addIssue({ code: "custom", message });
  return z.NEVER;
}

function plain<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => {
    const text = typeof value === "string" ? value.trim() : value;
    return text === "" ? undefined : text;
  }, schema);
}

function secret() {
  return z.string().trim().min(1, "is set but empty.");
}

function integer(range: { min: number; max: number }) {
  const message = `must be a whole number from ${range.min} to ${range.max}.`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.number().min(range.min, message).max(range.max, message));
}

function positive(range: { max: number }) {
  const message = `must be a number greater than 0 and at most ${range.max}.`;
  return z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, message)
    .transform(Number)
    .pipe(z.number().positive(message).max(range.max, message));
}

function failPointAndFile(text: string, ctx: Refine): ArmedFailPoint {
  const [, name, reachedFile = ""] = /^([^:]+):(.+)$/.exec(text) ?? [];
  const point = FAIL_POINTS.find((known) => known === name);
  if (!point)
    return refuse(ctx, `must be a fail point, a colon and a file. Points: ${FAIL_POINTS.join(", ")}.`);
  return { point, reachedFile };
}

function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, `must be ${words.join(" or ")}.`);
}

function databaseUrl() {
  const message = "must be an address like postgres://user:password@host:5432/database.";
  return z.string().refine((text) => {
    const url = parseUrl(text);
    return url !== null && ["postgres:", "postgresql:"].includes(url.protocol) && url.pathname.length > 1;
  }, message);
}

function origin(text: string, ctx: Refine): string {
  const url = parseUrl(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    return refuse(ctx, "must be an address that begins with http:// or https://.");
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "") {
    return refuse(ctx, "must be an address without a path, such as https://desk.example.com.");
  }
  return url.origin;
}

function stripeKey(key: string, ctx: Refine): string {
  if (/\s/.test(key)) return refuse(ctx, "holds white space inside the key.");
  if (key.startsWith("pk_"))
    return refuse(ctx, "is the publishable key (pk_...), which may not read payments.");
  if (key.startsWith("whsec_"))
    return refuse(ctx, "is a webhook signing secret (whsec_...), not an API key.");
  if (key.startsWith("sk_org_")) {
    return refuse(ctx, "is an organization key (sk_org_...); Einmal needs a key of one account.");
  }
  // The key decides between test and live. One that is taken for the wrong mode, because of a quote that an env file
  // left in it, would bind the database to that mode and settle every paid event of the other as none of ours.
  if (!/^[sr]k_(test|live)_[A-Za-z0-9_]+$/.test(key)) {
    return refuse(ctx, "must begin with sk_test_, rk_test_, sk_live_ or rk_live_, without quotes around it.");
  }
  return key;
}

function webhookSecrets(list: string, ctx: Refine): WebhookSecret[] {
  return list.split(",").map((item) => {
    const [, mode, value = ""] = /^(?:(live|test):)?(.*)$/s.exec(item.trim()) ?? [];
    if (value === "" || value === "whsec_") {
      return refuse(ctx, "has an empty item: with an empty secret anybody could sign events.");
    }
    if (/^(we|sk|rk|pk)_/.test(value)) {
      return refuse(ctx, `has an item that begins with ${value.slice(0, 3)}: that is no signing secret.`);
    }
    if (/[\s:]/.test(value)) {
      return refuse(ctx, "has an item that is neither whsec_..., live:whsec_... nor test:whsec_....");
    }
    return { secret: value, mode: mode === "live" || mode === "test" ? mode : null };
  });
}

function accounts(list: string, ctx: Refine): string[] {
  const ids = items(list);
  if (!ids.every((id) => /^acct_\w+$/.test(id))) {
    return refuse(ctx, "must be ids that begin with acct_, separated by commas.");
  }
  return ids;
}

function roles(list: string, ctx: Refine): ProcessRole[] {
  const wanted = items(list);
  if (
    wanted.length === 0 ||
    !wanted.every((role) => (ROLES_OF_A_PROCESS as readonly string[]).includes(role))
  ) {
    return refuse(ctx, `must name some of ${ROLES_OF_A_PROCESS.join(", ")}, separated by commas.`);
  }
  return ROLES_OF_A_PROCESS.filter((role) => wanted.includes(role));
}

function timezone(name: string, ctx: Refine): string {
  // Intl also takes offsets such as +02:00, which know nothing of the clock changes of a business day.
  if (/^[A-Za-z]/.test(name)) {
    try {
      return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    } catch {
      // Not a zone: said below, in words that help more than those of Intl.
    }
  }
  return refuse(ctx, "is not a time zone this machine knows.");
}

function appMark(text: string, ctx: Refine): { key: string; value: string } {
  const [, key, value] = /^([^=\s[\]]{1,40})=(.{1,500})$/.exec(text) ?? [];
  if (key === undefined || value === undefined) {
    return refuse(ctx, "must be key=value, the metadata that your own Checkout Sessions carry.");
  }
  return { key, value };
}

/** A number of hops, or the proxies' own addresses. Never "everybody": then a client could choose its address. */
function proxies(text: string, ctx: Refine): number | string[] {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const addresses = items(text);
  if (addresses.length === 0 || !addresses.every(isProxyAddress)) {
    return refuse(ctx, "must be the number of proxies in front, or their addresses (10.0.0.0/8, loopback).");
  }
  return addresses;
}

function isProxyAddress(text: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(text)) return true;
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** URL.parse() without needing the newest Node. */
export function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function items(list: string): string[] {
  const parts = list.split(",").map((item) => item.trim());
  return [...new Set(parts.filter((item) => item !== ""))];
}
