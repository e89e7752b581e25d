import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Router } from "express";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type AppDeps, createApp, type WebDeps } from "./app.ts";
import { createLog } from "./log.ts";

let deskFolder = "";
let server: Server | undefined;

beforeAll(() => {
  deskFolder = mkdtempSync(join(tmpdir(), "einmal-desk-"));
  mkdirSync(join(deskFolder, "assets"));
  writeFileSync(join(deskFolder, "index.html"), "<title>The desk</title>");
  writeFileSync(join(deskFolder, "boot.js"), "// Boot.");
  writeFileSync(join(deskFolder, "assets/index-1a2b.js"), "// Desk.");
});
afterAll(() => rmSync(deskFolder, { recursive: true }));
afterEach(() => {
  server?.close();
});

function webDeps(): WebDeps {
  const echo = Router().use((request, response) => {
    response.json({ reached: request.originalUrl, within: request.url });
  });
  return {
    stripeWebhook: echo,
    auth: echo,
    trpc: echo,
    boot: { mode: "test", version: "1.2.3" },
    deskFolder,
  };
}

/** Serves the app and returns a fetch that goes to it. */
async function serve(deps: Partial<AppDeps> = {}) {
  const app = createApp({
    log: createLog("silent"),
    checks: {},
    metrics: (_request, response) => void response.send("einmal_things 1"),
    isHttps: false,
    trustedProxies: null,
    web: webDeps(),
    ...deps,
  });
  const listening = app.listen(0);
  server = listening;
  await new Promise((resolve) => listening.once("listening", resolve));
  const address = listening.address();
  const base = typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
  return (path: string, init?: RequestInit) => fetch(base + path, init);
}

const asBrowser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

describe("the desk's files", () => {
  test("are the page at every address of the desk, asked for anew each time", async () => {
    const get = await serve();
    for (const path of ["/", "/events", "/orders/order_1?tab=payments"]) {
      const answer = await get(path, asBrowser);
      expect(await answer.text(), path).toContain("The desk");
      expect(answer.headers.get("cache-control"), path).toBe("no-cache");
    }
  });

  test("are kept for ever when their name changes with their content, and only then", async () => {
    const get = await serve();
    expect((await get("/assets/index-1a2b.js")).headers.get("cache-control")).toContain("immutable");
    expect((await get("/boot.js")).headers.get("cache-control")).toBe("no-cache");
    // A page in place of a missing script would be kept as that script.
    expect((await get("/assets/gone.js", asBrowser)).status).toBe(404);
  });

  test("are never the answer to a program's question", async () => {
    const get = await serve();
    for (const [path, init] of [
      ["/api/v1/orders", asBrowser],
      ["/events", { method: "POST" }],
      ["/events", { headers: { accept: "application/json" } }],
    ] as const) {
      const answer = await get(path, init);
      expect(answer.status, path).toBe(404);
      expect(answer.headers.get("content-type"), path).toContain("application/json");
    }
  });

  test("are said to be missing when nobody has built them", async () => {
    const get = await serve({ web: { ...webDeps(), deskFolder: join(deskFolder, "gone") } });
    const answer = await get("/", asBrowser);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain("npm run build");
  });
});

describe("what answers where", () => {
  test("sign-in sees its whole path, tRPC only its own part", async () => {
    const get = await serve();
    expect(await (await get("/api/auth/sign-in/email")).json()).toMatchObject({
      within: "/api/auth/sign-in/email",
    });
    expect(await (await get("/trpc/events.list")).json()).toMatchObject({ within: "/events.list" });
  });

  test("the boot facts say the mode and nothing that may be kept", async () => {
    const answer = await (await serve())("/boot.json");
    expect(await answer.json()).toEqual({ mode: "test", version: "1.2.3" });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("a process without the role web answers for its health and nothing else", async () => {
    const get = await serve({ web: null });
    expect((await get("/healthz")).status).toBe(200);
    expect((await get("/metrics")).status).toBe(200);
    for (const path of ["/", "/boot.json", "/webhooks/stripe"]) {
      expect((await get(path, asBrowser)).status, path).toBe(404);
    }
  });
});

describe("headers", () => {
  test("allow scripts from our own files only, on every answer", async () => {
    const get = await serve();
    for (const path of ["/", "/healthz", "/gone.txt"]) {
      const policy = (await get(path)).headers.get("content-security-policy");
      expect(policy, path).toContain("script-src 'self';");
      expect(policy, path).not.toContain("unsafe-eval");
    }
    expect((await get("/")).headers.get("x-powered-by")).toBeNull();
  });

  test("demand https from now on only where https is spoken", async () => {
    expect((await (await serve())("/")).headers.get("strict-transport-security")).toBeNull();
    server?.close();
    expect((await (await serve({ isHttps: true }))("/")).headers.get("strict-transport-security")).toContain(
      "max-age",
    );
  });
});

describe("readiness", () => {
  test("names what is wrong, and is 503 while anything is", async () => {
    const answer = await (await serve({ checks: { database: () => null, worker: () => "sleeps" } }))(
      "/readyz",
    );
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      status: "not_ready",
      checks: { database: "ok", worker: "sleeps" },
    });
  });

  // The driver's message names hosts and users.
  test("does not repeat what a failing check threw", async () => {
    const checks = { database: () => Promise.reject(new Error("password for user admin at db.internal")) };
    const answer = await (await serve({ checks }))("/readyz");
    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toContain("admin");
  });

  test("is not the health of the process", async () => {
    expect((await (await serve({ checks: { database: () => "gone" } }))("/healthz")).status).toBe(200);
  });
});

describe("a fault", () => {
  test("of ours says nothing more than that", async () => {
    const trpc = () => {
      throw new Error("select secret from operators");
    };
    const answer = await (await serve({ web: { ...webDeps(), trpc } }))("/trpc/events.list");
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ error: "internal" });
  });

  test("of the client's stays the client's", async () => {
    expect((await (await serve())("/api/auth/%E0%A4%A")).status).toBe(400);
  });
});
