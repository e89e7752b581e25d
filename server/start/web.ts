import type { WebDeps } from "../app.ts";
import type { Chaos } from "../chaos/change.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/client.ts";
import { stripeWebhook } from "../http/stripe-webhook.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { createReceiver, type Receiver } from "../receiving/receiver.ts";
import { createAuth } from "../auth/create-auth.ts";
import { issueFirstAdminLink } from "../auth/invite.ts";
import { ensureSandboxOperators, SANDBOX_SIGN_INS } from "../auth/sandbox-operators.ts";
import { trustedOrigins } from "../auth/trusted-origins.ts";
import { STRIPE_API_VERSION } from "../stripe/client.ts";
import { createTrpcHandler } from "../trpc/handler.ts";
import type { OwnSandbox } from "./own-sandbox.ts";

/** Deliveries that may wait for the database in this process. At 3 kB each, little memory; at any speed, seconds. */
const WAITING_MAX = 2000;

export interface WebOptions {
  config: Config;
  database: Database;
  installation: { signInSecret: string };
  sandbox: OwnSandbox | null;
  chaos: Chaos | null;
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
  const { config, database, sandbox, metrics, log, onDue } = options;
  const { accounts, toleranceSeconds, webhookSecrets } = config.stripe;
  const receiver = createReceiver({
    db: database.db,
    accounts,
    attemptsMax: config.attemptsMax,
    waitingMax: WAITING_MAX,
    onDue,
    onBringOnFailed: (error) =>
      log.error({ err: error }, "A delivery was stored, but what it found lying could not be brought on."),
  });
  if (sandbox) await ensureSandboxOperators(database.db);
  const signIns = sandbox ? SANDBOX_SIGN_INS : [];
  const { auth, trpc } = createDesk(options);
  return {
    receiver,
    signIns,
    firstAdminLink: await issueFirstAdminLink(database.db, deskUrlOf(options)),
    routes: {
      boot: { mode: config.mode, version: options.version, ...(sandbox && { signIns }) },
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
      auth,
      trpc,
    },
  };
}

function createDesk(options: WebOptions): Pick<WebDeps, "auth" | "trpc"> {
  const { config, database, log } = options;
  const auth = createAuth({
    db: database.db,
    secret: config.signInSecret ?? options.installation.signInSecret,
    baseUrl: deskUrlOf(options),
    trustedOrigins: trustedOrigins({ url: config.url, port: options.port }),
    log,
    // The sandbox's passwords are public, so that guessing them gains nothing and a limit only gets in the way.
    ...(config.mode === "sandbox" && { signInsPerMinute: 100 }),
  });
  const trpc = createTrpcHandler({
    db: database.db,
    auth,
    log,
    onDue: options.onDue,
    deskUrl: deskUrlOf(options),
    chaos: options.chaos,
    rules: { accounts: config.stripe.accounts, attemptsMax: config.attemptsMax },
    installation: {
      mode: config.mode,
      timezone: config.timezone,
      budgetSeconds: config.handlerBudgetSeconds,
      takeover: config.takeover,
      stripeApiVersion: STRIPE_API_VERSION,
    },
  });
  return { auth: auth.handler, trpc };
}

/** Where people reach the desk. Without a public address that is this machine. */
function deskUrlOf({ config, port }: Pick<WebOptions, "config" | "port">): string {
  return config.url ?? `http://localhost:${port}`;
}
