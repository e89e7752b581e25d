import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Switchboard } from "../chaos/switchboard.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/client.ts";
import { freePort, isFree } from "../free-port.ts";
import type { Log } from "../log.ts";
import { createDisturbance } from "../sandbox/disturbance.ts";
import { type Sandbox, startSandbox } from "../sandbox/sandbox.ts";
import type { WebhookSecret } from "../stripe/signing.ts";
import type { Stops } from "./stops.ts";

export interface OwnSandbox {
  apiBase: string;
  secretKey: string;
  faults: Sandbox["faults"];
  webhookSecrets: readonly WebhookSecret[];
  /** The file that holds the signing secret, for whoever wants to send an event by hand; null if it was given. */
  secretFile: string | null;
}

export interface OwnSandboxOptions {
  config: Config;
  database: Database;
  log: Log;
  stops: Stops;
  /** The port of our own door. */
  port: number;
  /** What is to go wrong. */
  switchboard: Switchboard;
}

/** Starts the emulator and the shop beside us, and points them at our own door. */
export async function startOwnSandbox(options: OwnSandboxOptions): Promise<OwnSandbox> {
  const { config, database, log, stops, port, switchboard } = options;
  const given = config.stripe.webhookSecrets;
  // The sandbox's events are test events; a secret marked for live ones would refuse them.
  const usable = given.find(({ mode }) => mode !== "live");
  const kept = usable ? null : keepSecret(config.folder);
  const secret = usable ?? { secret: kept?.secret ?? "", mode: null };

  const sandbox = await startSandbox({
    database,
    webhookUrl: `http://127.0.0.1:${port}/webhooks/stripe`,
    webhookSecret: secret.secret,
    emulatorPort: (await isFree(port + 1)) ? port + 1 : await freePort(),
    log,
    disturbance: createDisturbance({
      switches: () => switchboard.settings().switches,
      random: Math.random,
      onMishap: switchboard.count,
    }),
    isHurried: switchboard.isOn,
  });
  stops.add("sandbox", sandbox.stop);
  return {
    apiBase: sandbox.apiBase,
    secretKey: sandbox.secretKey,
    faults: sandbox.faults,
    webhookSecrets: usable ? given : [...given, secret],
    secretFile: kept?.path ?? null,
  };
}

/** One secret per installation, so that what the last run sent late is still believed. */
function keepSecret(folder: string): { secret: string; path: string } {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "webhook-secret");
  try {
    writeFileSync(path, `whsec_${randomBytes(24).toString("base64url")}`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "EEXIST") throw error;
  }
  return { secret: readFileSync(path, "utf8").trim(), path };
}
