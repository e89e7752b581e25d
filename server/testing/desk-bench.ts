import type { AddressInfo } from "node:net";
import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import express from "express";
import pino from "pino";
import superjson from "superjson";
import { beforeEach } from "vitest";
import type { Role } from "#shared/roles.ts";
import { type Auth, createAuth } from "../auth/create-auth.ts";
import { ensureSandboxOperators, SANDBOX_SIGN_INS } from "../auth/sandbox-operators.ts";
import { trustedOrigins } from "../auth/trusted-origins.ts";
import { installation } from "../db/schema/installation.ts";
import { createSwitchboard } from "../chaos/switchboard.ts";
import type { DeskDeps } from "../trpc/context.ts";
import { createTrpcHandler } from "../trpc/handler.ts";
import type { AppRouter } from "../trpc/router.ts";
import type { TestDatabase } from "./use-database.ts";

export interface DeskBench {
  url: string;
  auth: Auth;
  /** The desk's procedures as a browser calls them, with the headers given. */
  client: (headers?: Record<string, string>) => ReturnType<typeof createTRPCClient<AppRouter>>;
  /** The same with the session of the sandbox's operator of a role. */
  signedInAs: (role: Role) => Promise<ReturnType<typeof createTRPCClient<AppRouter>>>;
  /** Signs in over HTTP and returns the cookie, or the answer where there is none. */
  signIn: (
    credentials: { email: string; password: string },
    headers?: Record<string, string>,
  ) => Promise<{ status: number; cookie: string }>;
  /** What was logged, as JSON lines. */
  logged: () => string;
  /** How often workers were told that something is due. */
  dueCalls: () => number;
}

interface DeskOptions {
  signInsPerMinute?: number;
  /** The desk's public address; without one both names of this machine are trusted. */
  publicUrl?: string;
  /** A sandbox's switches if absent; null for a desk outside one. */
  chaos?: DeskDeps["chaos"];
}

const INSTALLATION: DeskDeps["installation"] = {
  mode: "sandbox",
  timezone: "UTC",
  budgetSeconds: 60,
  takeover: "automatic",
  stripeApiVersion: "2026-11-18.dahlia",
};

/** Sign-in and procedures behind a real HTTP server, with the sandbox's operators, for each test anew. */
export function useDesk(database: () => TestDatabase, options: DeskOptions = {}): () => DeskBench {
  let bench: DeskBench | undefined;
  beforeEach(async () => {
    const { db } = database();
    // A second desk of the same test is a second process on the same database.
    await db
      .insert(installation)
      .values({ mode: "sandbox", signInSecret: "s".repeat(40) })
      .onConflictDoNothing();
    await ensureSandboxOperators(db);
    const started = await startDesk(database(), options);
    bench = started;
    return started.stop;
  });
  return () => {
    if (!bench) throw new Error("Bug! The desk is there only inside tests.");
    return bench;
  };
}

/** The outcome code that a refused call came back with, or tRPC's own code. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "answered";
  } catch (error) {
    if (!(error instanceof TRPCClientError)) throw error;
    const { code, outcomeCode } = (error as TRPCClientError<AppRouter>).data ?? {};
    return outcomeCode ?? code ?? "unanswered";
  }
}

async function startDesk(
  { db }: TestDatabase,
  {
    publicUrl,
    chaos = { switchboard: createSwitchboard(), mayKillDatabase: false },
    ...options
  }: DeskOptions,
): Promise<DeskBench & { stop: () => Promise<void> }> {
  const lines: string[] = [];
  let dueCalls = 0;
  const log = pino({ level: "debug" }, { write: (line: string) => lines.push(line) });
  const app = express();
  app.set("trust proxy", 1);
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://localhost:${port}`;
  const deskUrl = publicUrl ?? url;
  const auth = createAuth({
    db,
    secret: "s".repeat(40),
    baseUrl: deskUrl,
    trustedOrigins: trustedOrigins({ url: publicUrl ?? null, port }),
    log,
    ...options,
  });
  app.use("/api/auth", auth.handler);
  app.use(
    "/trpc",
    createTrpcHandler({
      db,
      auth,
      log,
      onDue: () => {
        dueCalls += 1;
      },
      deskUrl,
      chaos,
      rules: { accounts: ["acct_served"], attemptsMax: 8 },
      installation: INSTALLATION,
    }),
  );
  const client = (headers: Record<string, string> = {}) =>
    createTRPCClient<AppRouter>({
      links: [httpLink({ url: `${url}/trpc`, transformer: superjson, headers })],
    });
  const signIn: DeskBench["signIn"] = (credentials, headers = {}) =>
    signInAt(url, credentials, { origin: deskUrl, ...headers });
  return {
    url,
    auth,
    client,
    signIn,
    signedInAs: async (role) => {
      const credentials = SANDBOX_SIGN_INS.find((one) => one.role === role);
      if (!credentials) throw new Error(`Bug! No sandbox operator is ${role}.`);
      const { cookie } = await signIn(credentials, { "x-forwarded-for": "192.0.2.200" });
      return client({ cookie });
    },
    logged: () => lines.join(""),
    dueCalls: () => dueCalls,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function signInAt(
  url: string,
  credentials: object,
  headers: Record<string, string>,
): Promise<{ status: number; cookie: string }> {
  const answer = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(credentials),
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  return { status: answer.status, cookie };
}
