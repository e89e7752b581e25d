import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createTRPCClient, httpLink } from "@trpc/client";
import superjson from "superjson";
import { afterEach } from "vitest";
import { createApp } from "../app.ts";
import { createAuth } from "../auth/create-auth.ts";
import { trustedOrigins } from "../auth/trusted-origins.ts";
import type { Db } from "../db/client.ts";
import { notFound } from "../http/desk-files.ts";
import { createLog } from "../log.ts";
import { createTrpcHandler } from "../trpc/handler.ts";
import type { AppRouter } from "../trpc/router.ts";

export interface DeskServerOptions {
  /** The public address; without one both names of this machine are trusted. */
  url?: string;
  trustedProxies?: number;
  signInsPerMinute?: number;
}

/** Opens desks over real HTTP, put together as the running program is, and closes them after each test. */
export function useDeskServer(db: () => Db) {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  return async (options: DeskServerOptions = {}) => {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    server.on("request", appOf(db(), port, options));
    const visit = (headers: Record<string, string> = {}) =>
      visitor(`http://127.0.0.1:${port}`, { origin: `http://localhost:${port}`, ...headers });
    return { port, visit };
  };
}

function appOf(db: Db, port: number, { url, trustedProxies, signInsPerMinute }: DeskServerOptions) {
  const log = createLog("silent");
  const deskUrl = url ?? `http://localhost:${port}`;
  const auth = createAuth({
    db,
    secret: "a secret for tests that is long enough",
    baseUrl: deskUrl,
    trustedOrigins: trustedOrigins({ url: url ?? null, port }),
    log,
    signInsPerMinute: signInsPerMinute ?? 100,
  });
  const trpc = createTrpcHandler({
    db,
    auth,
    log,
    onDue: () => {},
    deskUrl,
    rules: { accounts: [], attemptsMax: 8 },
    installation: {
      mode: "sandbox",
      timezone: "UTC",
      budgetSeconds: 60,
      takeover: "automatic",
      stripeApiVersion: "2026-01-01",
    },
  });
  return createApp({
    log,
    checks: {},
    metrics: notFound,
    isHttps: deskUrl.startsWith("https:"),
    trustedProxies: trustedProxies ?? null,
    web: {
      stripeWebhook: notFound,
      auth: auth.handler,
      trpc,
      boot: { mode: "sandbox", version: "0.0.0" },
      deskFolder: "there is no desk in these tests",
    },
  });
}

/** One browser: it keeps its cookies, and says where its page comes from unless told otherwise. */
function visitor(base: string, headers: Record<string, string>) {
  const cookies = new Map<string, string>();
  const request = async (url: string | URL | Request, init: RequestInit = {}) => {
    const kept = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = new Headers({ ...(kept !== "" && { cookie: kept }), ...headers });
    for (const [name, value] of new Headers(init.headers)) sent.set(name, value);
    const answer = await fetch(url, { ...init, headers: sent });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = cookie.split(";", 1).join().split(/=(.*)/);
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const post = (path: string, body: unknown = {}) =>
    request(`${base}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const signIn = (email: string, password: string) => post("/api/auth/sign-in/email", { email, password });
  const trpc = createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${base}/trpc`,
        transformer: superjson,
        fetch: (url, init) => request(url as string, init as RequestInit),
      }),
    ],
  });
  return {
    request: (path: string, init?: RequestInit) => request(`${base}${path}`, init),
    post,
    signIn,
    trpc,
  };
}
