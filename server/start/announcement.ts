import { relative } from "node:path";
import type { Config } from "../config.ts";

export interface StartFacts {
  config: Config;
  version: string;
  port: number;
  /** Operators that the sandbox made up; empty in every other mode. */
  signIns: readonly { email: string; password: string; role: string }[];
  /** The one-time link that creates the first admin; null once there is one. */
  firstAdminLink: string | null;
  sandbox: { apiBase: string; secretFile: string | null } | null;
  notes: readonly string[];
  warnings: readonly string[];
}

const LABEL_WIDTH = 12;

/** What a start says to the person who made it: where to go, how to get in, and what it is not doing. */
export function announce(facts: StartFacts): string {
  const { config } = facts;
  const desk = config.url ?? `http://localhost:${facts.port}`;
  const hasWeb = config.roles.includes("web");
  const blocks = [
    block("Desk", hasWeb ? [desk] : []),
    block("Mode", [describeMode(config)]),
    block("Sign in", hasWeb ? describeSignIn(facts) : []),
    block("Webhooks", hasWeb ? describeWebhooks(desk, facts) : []),
    block("Stripe", [
      facts.sandbox ? `emulator at ${facts.sandbox.apiBase}` : (config.stripe.apiBase ?? "api.stripe.com"),
    ]),
    block("Database", [describeDatabase(config)]),
    block("Roles", [`${config.roles.join(", ")} (business day in ${config.timezone})`]),
    block("Not doing", whatItDoesNot(config)),
    block("Note", facts.notes),
    block("Warning", facts.warnings),
  ];
  const lines = blocks.flat().map((line) => `  ${line}`.trimEnd());
  return ["", `  Einmal ${facts.version}`, "", ...lines, "", "  Stop it with Ctrl-C.", ""].join("\n");
}

function block(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? label : "").padEnd(LABEL_WIDTH) + line);
}

function describeMode(config: Config): string {
  if (config.mode === "sandbox")
    return "SANDBOX: a made-up Stripe and a made-up shop. No real money, no real customers.";
  if (config.mode === "test") return "TEST: Stripe test mode. Credits granted here are worth nothing.";
  return "LIVE: real payments.";
}

function describeSignIn({ signIns, firstAdminLink }: StartFacts): string[] {
  const emailWidth = Math.max(0, ...signIns.map((one) => one.email.length)) + 2;
  const passwordWidth = Math.max(0, ...signIns.map((one) => one.password.length)) + 2;
  const lines = signIns.map(
    (one) => one.email.padEnd(emailWidth) + one.password.padEnd(passwordWidth) + one.role,
  );
  if (firstAdminLink !== null)
    lines.push("Nobody can sign in yet. This link creates the first admin, once:", firstAdminLink);
  return lines;
}

function describeWebhooks(desk: string, { sandbox }: StartFacts): string[] {
  const address = `${desk}/webhooks/stripe`;
  return sandbox?.secretFile
    ? [address, `signed with the secret in ${nearby(sandbox.secretFile)}`]
    : [address];
}

function nearby(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith("..") ? path : near;
}

function describeDatabase(config: Config): string {
  if (config.database === null) return `its own PostgreSQL, data in ${nearby(config.folder)}`;
  const { hostname, port, pathname } = new URL(config.database.url);
  return `${pathname.slice(1)} at ${hostname}:${port || "5432"}`;
}

function whatItDoesNot(config: Config): string[] {
  const absent = [
    "No e-mail: customers get no receipt from here.",
    "No notice to your shop: it does not learn of granted credits.",
  ];
  if (config.mode === "test") absent.push("No live events: they are recorded and have no effect.");
  if (config.mode === "live") absent.push("No test events: they are recorded and have no effect.");
  if (!config.roles.includes("worker"))
    absent.push("No processing in this process: another one needs the role worker.");
  if (!config.roles.includes("scheduler"))
    absent.push("No scheduled chores in this process (role scheduler).");
  if (config.url === null && config.mode !== "sandbox") {
    absent.push("No sign-in from other machines: set EINMAL_URL to the desk's public address.");
  }
  return absent;
}
