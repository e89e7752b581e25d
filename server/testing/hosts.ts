import postgres from "postgres";
import Stripe from "stripe";
import { afterAll, beforeAll } from "vitest";
import { freePort } from "../free-port.ts";
import { type Emulator, startEmulator } from "../sandbox/emulator.ts";
import { type EinmalProcess, startedEinmal } from "./einmal-process.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

/** Two endpoints that Stripe sends to have two secrets. */
export const HOST_SECRETS = ["whsec_of_one_endpoint", "whsec_of_another"] as const;

/** A whole Einmal on a host of its own. */
export interface Host extends EinmalProcess {
  /** Sends it an event as Stripe does, signed with the first secret unless another is named. Returns the status. */
  deliver: (event: object, secret?: string) => Promise<number>;
}

export interface Hosts {
  database: PostgresServer;
  sql: postgres.Sql;
  stripe: Emulator;
  /** Starts one more Einmal on the same database. It is killed when the file's tests are over. */
  start: () => Promise<Host>;
}

/** Einmals as real processes behind one load balancer, on a PostgreSQL that may be killed, for one test file. */
export function useHosts(): () => Hosts {
  let hosts: Hosts | undefined;
  const running: EinmalProcess[] = [];
  beforeAll(async () => {
    const database = await startPostgres();
    const stripe = await startEmulator();
    const sql = postgres(database.url, { max: 2, onnotice: () => {} });
    const start = async () => {
      const host = await startHost(database, stripe);
      running.push(host);
      return host;
    };
    hosts = { database, sql, stripe, start };
  });
  afterAll(async () => {
    for (const host of running) host.kill("SIGKILL");
    await Promise.all(running.map(({ ended }) => ended));
    await hosts?.sql.end({ timeout: 1 });
    await hosts?.stripe.stop();
    await hosts?.database.stop();
  });
  return () => {
    if (!hosts) throw new Error("Bug! Hosts are there only inside tests.");
    return hosts;
  };
}

async function startHost(database: PostgresServer, stripe: Emulator): Promise<Host> {
  const port = await freePort();
  const einmal = await startedEinmal({
    NODE_ENV: "test",
    PORT: String(port),
    DATABASE_URL: database.url,
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_API_BASE: stripe.apiBase,
    STRIPE_WEBHOOK_SECRET: HOST_SECRETS.join(","),
    STRIPE_READS_PER_SECOND: "1000",
  });
  return {
    ...einmal,
    deliver: async (event, secret = HOST_SECRETS[0]) => {
      const payload = JSON.stringify(event);
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
      const answer = await fetch(`http://127.0.0.1:${port}/webhooks/stripe`, {
        method: "POST",
        body: payload,
        headers: { "stripe-signature": signature },
      });
      return answer.status;
    },
  };
}
