import type { WebDeps } from "../app.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/client.ts";
import { notFound } from "../http/desk-files.ts";
import { stripeWebhook } from "../http/stripe-webhook.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { createReceiver, type Receiver } from "../receiving/receiver.ts";
import type { OwnSandbox } from "./own-sandbox.ts";

/** Deliveries that may wait for the database in this process. At 3 kB each, little memory; at any speed, seconds. */
const WAITING_MAX = 2000;

export interface WebOptions {
  config: Config;
  database: Database;
  installation: { signInSecret: string };
  sandbox: OwnSandbox | null;
  metrics: Metrics;
  log: Log;
  onDue: () => void;
  version: string;
  port: number;
}

export interface Web {
  receiver: Receiver;
  routes: Omit<WebDeps, "deskFolder">;
  signIns: readonly { email: string; password: string; role: string }[];
  firstAdminLink: string | null;
}

/** Builds what the role `web` serves: the webhook door, sign-in and the desk's procedures. */
export async function createWeb(options: WebOptions): Promise<Web> {
  const { config, database, sandbox, metrics, log } = options;
  const { accounts, toleranceSeconds, webhookSecrets } = config.stripe;
  const receiver = createReceiver({
    db: database.db,
    accounts,
    attemptsMax: config.attemptsMax,
    waitingMax: WAITING_MAX,
    onDue: options.onDue,
  });
  return {
    receiver,
    signIns: [],
    firstAdminLink: null,
    routes: {
      boot: { mode: config.mode, version: options.version },
      stripeWebhook: stripeWebhook({
        receiver,
        secrets: sandbox?.webhookSecrets ?? webhookSecrets,
        toleranceSeconds,
        livemode: config.mode === "live",
        accounts,
        log,
        onDelivery: metrics.deliveries.inc,
        onRefused: metrics.refusedSignatures.inc,
      }),
      auth: notFound,
      trpc: notFound,
    },
  };
}
