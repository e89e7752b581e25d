import { join } from "node:path";
import type { Mode } from "#shared/desk-views.ts";
import {
  parseUrl,
  type ProcessRole,
  type VariableName,
  type Variables,
  variables,
  WHERE_TO_FIND,
} from "./config-variables.ts";
import { findSuspects } from "./config-suspects.ts";
import type { ArmedFailPoint } from "./fail-points.ts";
import { packageRoot } from "./package-root.ts";
import type { WebhookSecret } from "./stripe/signing.ts";
import { StartRefused } from "./start-refused.ts";

export interface Config {
  readonly mode: Mode;
  readonly isProduction: boolean;
  readonly port: number;
  readonly roles: readonly ProcessRole[];
  /** null: the person at the terminal decides, see main.ts. */
  readonly logLevel: string | null;
  /** Where the embedded database, its password and its lock live. */
  readonly folder: string;
  /** null: Einmal runs a PostgreSQL of its own. */
  readonly database: Readonly<{ url: string; directUrl: string; readUrl: string | null }> | null;
  readonly stripe: Readonly<{
    /** null in the sandbox only. */
    secretKey: string | null;
    webhookSecrets: readonly WebhookSecret[];
    /** null: Stripe itself. */
    apiBase: string | null;
    accounts: readonly string[];
    toleranceSeconds: number;
    readsPerSecond: number;
  }>;
  /** null: the one that the database keeps. */
  readonly signInSecret: string | null;
  /** The desk's public address, without a slash at its end. */
  readonly url: string | null;
  readonly trustedProxies: number | readonly string[] | null;
  readonly timezone: string;
  readonly orders: "open" | "registered";
  readonly app: Readonly<{ key: string; value: string }> | null;
  readonly takeover: "automatic" | "manual";
  readonly handlerBudgetSeconds: number;
  readonly attemptsMax: number;
  readonly payloadRetentionDays: number;
  /** Where this process is to be stopped by a test; null in every real one. */
  readonly failPoint: ArmedFailPoint | null;
}

/** One thing wrong with the environment. Never holds the value, which may be a secret. */
export interface ConfigFault {
  name: VariableName;
  problem: string;
}

const IN_PRODUCTION = ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "EINMAL_SECRET"] as const;
const SECRET_LENGTH_MIN = 32;

/**
 * Reads the whole environment once. Throws a StartRefused that lists every fault at once; what is merely
 * suspicious comes back as warnings.
 */
export function parseConfig(env: NodeJS.ProcessEnv): { config: Config; warnings: string[] } {
  const parsed = variables.safeParse(env);
  const faults: ConfigFault[] = (parsed.error?.issues ?? []).map((issue) => ({
    name: String(issue.path[0]) as VariableName,
    problem: issue.message,
  }));
  for (const fault of [...missing(env), ...contradictions(env)]) {
    if (!faults.some((known) => known.name === fault.name)) faults.push(fault);
  }
  if (faults.length > 0 || !parsed.success) throw new StartRefused(describeFaults(faults));
  return { config: Object.freeze(toConfig(parsed.data)), warnings: findSuspects(env) };
}

function missing(env: NodeJS.ProcessEnv): ConfigFault[] {
  if (env.NODE_ENV?.trim() === "production") {
    return IN_PRODUCTION.filter((name) => !env[name]).map((name) => ({
      name,
      problem: "is missing, and NODE_ENV=production needs it.",
    }));
  }
  if (env.STRIPE_SECRET_KEY && !env.STRIPE_WEBHOOK_SECRET) {
    const problem =
      "is missing: with a STRIPE_SECRET_KEY but no signing secret, every event would be refused.";
    return [{ name: "STRIPE_WEBHOOK_SECRET", problem }];
  }
  return [];
}

function contradictions(env: NodeJS.ProcessEnv): ConfigFault[] {
  const faults: ConfigFault[] = [];
  const secret = env.EINMAL_SECRET?.trim();
  if (env.NODE_ENV?.trim() === "production" && secret && secret.length < SECRET_LENGTH_MIN) {
    const problem = `is too short: production needs at least ${SECRET_LENGTH_MIN} characters.`;
    faults.push({ name: "EINMAL_SECRET", problem });
  }
  const isReal = env.NODE_ENV?.trim() === "production" || modeOf(env.STRIPE_SECRET_KEY) === "live";
  if (isReal && env.EINMAL_FAIL_POINT?.trim()) {
    const problem = "would stop this process in the middle of real work: it is for tests only.";
    faults.push({ name: "EINMAL_FAIL_POINT", problem });
  }
  if (env.EINMAL_ORDERS?.trim() === "registered") {
    // Taking the word and fulfilling unregistered orders all the same would give away what it is set to protect.
    const problem = "is registered, but this version cannot register orders yet: leave it at open.";
    faults.push({ name: "EINMAL_ORDERS", problem });
  }
  for (const name of ["DATABASE_DIRECT_URL", "DATABASE_READ_URL"] as const) {
    if (env[name]?.trim() && !env.DATABASE_URL?.trim()) {
      faults.push({ name, problem: "is set without DATABASE_URL, so that it names another database." });
    }
  }
  const apiBase = parseUrl(env.STRIPE_API_BASE?.trim() ?? "");
  if (apiBase && !env.STRIPE_SECRET_KEY) {
    const problem = "is set without STRIPE_SECRET_KEY: without a key the sandbox's own emulator is used.";
    faults.push({ name: "STRIPE_API_BASE", problem });
  }
  if (apiBase?.protocol === "http:" && modeOf(env.STRIPE_SECRET_KEY) === "live" && !isLoopback(apiBase)) {
    faults.push({ name: "STRIPE_API_BASE", problem: "would send a live key over plain http: use https." });
  }
  return faults;
}

function isLoopback(url: URL): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
}

function modeOf(secretKey: string | undefined): Mode {
  if (!secretKey) return "sandbox";
  return /^(sk|rk)_live_/.test(secretKey.trim()) ? "live" : "test";
}

function describeFaults(faults: ConfigFault[]): string {
  const count = faults.length === 1 ? "One setting is" : `${faults.length} settings are`;
  const lines = faults.map(({ name, problem }) => {
    const where = WHERE_TO_FIND[name];
    return `  ${name} ${problem}${where ? `\n      ${where}` : ""}`;
  });
  return `${count} wrong in the environment.\n\n${lines.join("\n")}\n\nMend them and start again.`;
}

function toConfig(env: Variables): Config {
  const mode = modeOf(env.STRIPE_SECRET_KEY);
  return {
    mode,
    isProduction: env.NODE_ENV === "production",
    port: env.PORT,
    roles: Object.freeze(env.EINMAL_ROLES),
    logLevel: env.LOG_LEVEL ?? null,
    folder: env.EINMAL_FOLDER ?? join(packageRoot(), ".einmal"),
    database: env.DATABASE_URL
      ? Object.freeze({
          url: env.DATABASE_URL,
          directUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
          readUrl: env.DATABASE_READ_URL ?? null,
        })
      : null,
    stripe: Object.freeze({
      secretKey: env.STRIPE_SECRET_KEY ?? null,
      webhookSecrets: Object.freeze(env.STRIPE_WEBHOOK_SECRET ?? []),
      apiBase: env.STRIPE_API_BASE ?? null,
      accounts: Object.freeze(env.STRIPE_ACCOUNTS),
      toleranceSeconds: env.STRIPE_TOLERANCE_SECONDS,
      readsPerSecond: env.STRIPE_READS_PER_SECOND,
    }),
    signInSecret: env.EINMAL_SECRET ?? null,
    url: env.EINMAL_URL ?? null,
    trustedProxies: env.TRUSTED_PROXIES ?? null,
    timezone: env.EINMAL_TIMEZONE,
    orders: env.EINMAL_ORDERS,
    app: env.EINMAL_APP ? Object.freeze(env.EINMAL_APP) : null,
    takeover: env.EINMAL_TAKEOVER,
    handlerBudgetSeconds: env.HANDLER_BUDGET_SECONDS,
    attemptsMax: env.ATTEMPTS_MAX,
    payloadRetentionDays: env.PAYLOAD_RETENTION_DAYS,
    failPoint: env.EINMAL_FAIL_POINT ?? null,
  };
}
