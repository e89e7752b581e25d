import { join } from "node:path";
import { createTRPCClient, httpLink } from "@trpc/client";
import postgres from "postgres";
import superjson from "superjson";
import type { FailPoint } from "#server/fail-points.ts";
import { freePort } from "#server/free-port.ts";
import { packageRoot } from "#server/package-root.ts";
import { type Emulator, startEmulator } from "#server/sandbox/emulator.ts";
import { type EinmalProcess, startedEinmal } from "#server/testing/einmal-process.ts";
import type { AppRouter } from "#server/trpc/router.ts";
import { type PostgresServer, startPostgres } from "#server/testing/postgres-server.ts";
import { WEBHOOK_SECRET } from "./sign-event.ts";

const ADMIN = { email: "admin@example.test", password: "a password of the matrix" };

/** How long a lease runs. */
export const BUDGET_SECONDS = 60;

export interface Armed {
  point: FailPoint;
  reachedFile: string;
}

/** An Einmal process with one role. */
export interface Party extends EinmalProcess {
  /** Where it listens; only a `web` answers more than its health there. */
  address: string;
  role: "web" | "worker";
}

/** Everything that stays while one cell of the matrix follows the other: database, Stripe, and a healthy web process. */
export interface Lane {
  database: PostgresServer;
  sql: postgres.Sql;
  stripe: Emulator;
  /** Not to be killed: the other machine behind the load balancer. */
  bystander: Party;
  start: (role: "web" | "worker", armed?: Armed) => Promise<Party>;
  /** The desk's procedures as an admin's browser calls them at this web process. */
  desk: (party: Party) => ReturnType<typeof createTRPCClient<AppRouter>>;
  stop: () => Promise<void>;
}

export async function openLane(): Promise<Lane> {
  const database = await startPostgres();
  const stripe = await startEmulator();
  const start: Lane["start"] = async (role, armed) => {
    const port = await freePort();
    const env = {
      NODE_ENV: "test",
      EINMAL_ROLES: role,
      PORT: String(port),
      DATABASE_URL: database.url,
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_API_BASE: stripe.apiBase,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_READS_PER_SECOND: "1000",
      HANDLER_BUDGET_SECONDS: String(BUDGET_SECONDS),
      ...(armed && { EINMAL_FAIL_POINT: `${armed.point}:${armed.reachedFile}` }),
    };
    const einmal = await startedEinmal(env, { main: join(packageRoot(), "dist/server/main.js") });
    return { ...einmal, role, address: `http://localhost:${port}` };
  };

  const bystander = await start("web");
  const cookie = await signInFirstAdmin(bystander);
  const sql = postgres(database.url, { max: 4, onnotice: () => {} });
  return {
    database,
    sql,
    stripe,
    bystander,
    start,
    desk: ({ address }) => clientOf(address, { cookie }),
    stop: async () => {
      await stopParty(bystander);
      await sql.end({ timeout: 1 });
      await stripe.stop();
      await database.stop();
    },
  };
}

/** Asks a process to end in good order, and says how it did. */
export async function stopParty(party: Party): Promise<{ code: number | null }> {
  party.kill("SIGTERM");
  return await party.ended;
}

function clientOf(address: string, headers: Record<string, string>) {
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({ url: `${address}/trpc`, transformer: superjson, headers: { origin: address, ...headers } }),
    ],
  });
}

/** As the person who installs it does: by the one-time link of the first start. */
async function signInFirstAdmin(web: Party): Promise<string> {
  const token = /\/welcome#token=([\w-]+)/.exec(web.output())?.[1];
  if (!token) throw new Error(`No link to the first admin was printed:\n${web.output()}`);
  await clientOf(web.address, {}).operators.acceptInvitation.mutate({ ...ADMIN, name: "Ada Admin", token });
  const answer = await fetch(`${web.address}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: web.address },
    body: JSON.stringify(ADMIN),
  });
  if (!answer.ok) throw new Error(`The first admin could not sign in: ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
}
