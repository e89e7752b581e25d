import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findServer } from "../db/embedded/cluster.ts";
import { waitForEnd } from "../db/embedded/processes.ts";
import { freePort } from "../free-port.ts";
import { type EinmalProcess, spawnEinmal, startedEinmal } from "../testing/einmal-process.ts";

/** One folder for the whole file: making a database takes longer than everything that is done with it. */
let folder = "";
let port = 0;
let begun: EinmalProcess[] = [];

beforeAll(async () => {
  folder = openFolder();
  port = await freePort();
});
afterEach(async () => {
  for (const einmal of begun) einmal.kill("SIGKILL");
  await Promise.all(begun.map((einmal) => einmal.ended));
  begun = [];
  const orphan = findServer(dataFolder());
  if (orphan) {
    process.kill(orphan.pid, "SIGINT");
    await waitForEnd(orphan.pid, 20);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder that the account of PostgreSQL may enter when the tests run as root. */
function openFolder(): string {
  const made = mkdtempSync(join(tmpdir(), "einmal-process-"));
  chmodSync(made, 0o755);
  return made;
}

function dataFolder(): string {
  return join(folder, "postgres");
}

function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { EINMAL_FOLDER: folder, PORT: String(port), ...more };
}

async function start(more?: NodeJS.ProcessEnv): Promise<EinmalProcess> {
  const einmal = await startedEinmal(environment(more));
  begun.push(einmal);
  return einmal;
}

async function refusalOf(more?: NodeJS.ProcessEnv): Promise<string> {
  const einmal = spawnEinmal(environment(more));
  begun.push(einmal);
  expect(await einmal.ended).toEqual({ code: 1, signal: null });
  expect(einmal.output()).toContain("Einmal does not start.");
  // A fault of the surroundings is told in words; a stack would say that the fault is ours.
  expect(einmal.output()).not.toMatch(/^\s+at /m);
  return einmal.output();
}

function serverOrFail(): { pid: number; port: number } {
  const server = findServer(dataFolder());
  if (!server) throw new Error("No database server runs on the folder.");
  return server;
}

async function installedAt(): Promise<string> {
  const password = readFileSync(join(folder, "database-password"), "utf8");
  const sql = postgres(`postgres://postgres:${password}@127.0.0.1:${serverOrFail().port}/einmal`, { max: 1 });
  const [row] = await sql<{ at: string }[]>`select created_at::text as at from installation`;
  await sql.end();
  return row?.at ?? "never";
}

describe("a started Einmal", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "stops in good order at %s, and the next start finds its data again",
    async (signal) => {
      const first = await start();
      const installed = await installedAt();
      const server = serverOrFail();
      first.kill(signal);
      expect(await first.ended).toEqual({ code: 0, signal: null });
      expect(findServer(dataFolder())).toBeNull();
      expect(await waitForEnd(server.pid, 0)).toBe(true);

      const second = await start();
      expect(await installedAt()).toBe(installed);
      expect(second.output()).not.toContain("killed");
    },
  );

  test("says where the desk is, that this is a sandbox, and what it is not doing", async () => {
    const { output } = await start();
    expect(output()).toContain(`http://localhost:${port}`);
    expect(output()).toContain("SANDBOX");
    expect(output()).toContain("Not doing");
  });

  // npm passes a Ctrl-C on that the terminal has already delivered: taking that for impatience would make every
  // Ctrl-C a crash.
  test("finishes its work when one Ctrl-C arrives twice", async () => {
    const einmal = await start();
    einmal.kill("SIGINT");
    einmal.kill("SIGINT");
    expect(await einmal.ended).toEqual({ code: 0, signal: null });
  });

  test("ends at once when a person insists, and takes its database along", async () => {
    const einmal = await start();
    const server = serverOrFail();
    const stuck = await unfinishedRequest(port);
    einmal.kill("SIGINT");
    await einmal.says("Once more ends it at once");
    const insisting = setInterval(() => einmal.kill("SIGINT"), 100);
    expect(await einmal.ended).toEqual({ code: 1, signal: null });
    clearInterval(insisting);
    stuck.destroy();
    expect(await waitForEnd(server.pid, 20)).toBe(true);
  });

  test("starts again after kill -9 as if nothing had happened, though its database still runs", async () => {
    const killed = await start();
    const installed = await installedAt();
    const orphan = serverOrFail();
    killed.kill("SIGKILL");
    await killed.ended;
    expect(findServer(dataFolder())).toEqual(orphan);

    const next = await start();
    expect(next.output()).toContain(`process ${orphan.pid}`);
    expect(await installedAt()).toBe(installed);
  });

  test("starts again after both it and its database were killed", async () => {
    const killed = await start();
    const server = serverOrFail();
    killed.kill("SIGKILL");
    process.kill(server.pid, "SIGKILL");
    await Promise.all([killed.ended, waitForEnd(server.pid, 10)]);
    // The number is given to another process meanwhile: this one, say.
    const pidFile = join(dataFolder(), "postmaster.pid");
    writeFileSync(pidFile, readFileSync(pidFile, "utf8").replace(/^\d+/, String(process.pid)));

    await start();
    expect(await installedAt()).not.toBe("never");
  });

  test("ends with an error when its database ends by itself", async () => {
    const einmal = await start();
    process.kill(serverOrFail().pid, "SIGINT");
    expect(await einmal.ended).toEqual({ code: 1, signal: null });
    expect(einmal.output()).toContain("The embedded PostgreSQL has ended by itself");
  });
});

describe("a start is refused in words", () => {
  test("when an Einmal already runs on the folder, naming its process", async () => {
    const first = await start();
    expect(await refusalOf({ PORT: String(await freePort()) })).toContain(`process ${first.pid}`);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  });

  test("even when somebody has deleted the lock file of the one that runs", async () => {
    const first = await start();
    rmSync(join(folder, "lock"));
    expect(await refusalOf({ PORT: String(await freePort()) })).toContain(`process ${first.pid}`);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  });

  test("when the port is in use, and nothing stays running", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    expect(await refusalOf()).toContain(`Port ${port} is in use`);
    await new Promise((resolve) => other.close(resolve));
    expect(findServer(dataFolder())).toBeNull();
    expect(existsSync(join(folder, "lock"))).toBe(false);
  });

  test("when the data folder is not whole, and what is there stays there", async () => {
    const half = openFolder();
    mkdirSync(join(half, "postgres/base"), { recursive: true });
    writeFileSync(join(half, "postgres/PG_VERSION"), "18\n");
    const refusal = await refusalOf({ EINMAL_FOLDER: half });
    expect(refusal).toContain("is not a whole database");
    expect(refusal).toContain(`mv ${join(half, "postgres")}`);
    expect(existsSync(join(half, "postgres/PG_VERSION"))).toBe(true);
    rmSync(half, { recursive: true });
  });

  test("when the folder cannot be written", async () => {
    expect(await refusalOf({ EINMAL_FOLDER: "/dev/null/einmal" })).toContain("cannot write to its folder");
  });

  test.runIf(process.getuid?.() === 0)("when root keeps the folder where PostgreSQL cannot go", async () => {
    const closed = mkdtempSync(join(tmpdir(), "einmal-closed-"));
    expect(await refusalOf({ EINMAL_FOLDER: join(closed, "einmal") })).toContain(`${closed} is closed`);
    rmSync(closed, { recursive: true });
  });

  test("when the database belongs to another mode", async () => {
    const sandbox = await start();
    sandbox.kill("SIGTERM");
    await sandbox.ended;
    const keys = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };
    expect(await refusalOf(keys)).toContain("This database belongs to the sandbox");
  });

  test("when settings are wrong, listing all of them", async () => {
    const refusal = await refusalOf({ NODE_ENV: "production", HANDLER_BUDGET_SECONDS: "5" });
    for (const name of [
      "STRIPE_SECRET_KEY",
      "STRIPE_WEBHOOK_SECRET",
      "EINMAL_SECRET",
      "HANDLER_BUDGET_SECONDS",
    ]) {
      expect(refusal).toContain(name);
    }
  });
});

test("a first start that was interrupted while it made the database is made up for", async () => {
  const fresh = openFolder();
  mkdirSync(join(fresh, "postgres.making/base"), { recursive: true });
  const einmal = await start({ EINMAL_FOLDER: fresh });
  expect(einmal.output()).toContain("it was made anew");
  einmal.kill("SIGTERM");
  await einmal.ended;
  rmSync(fresh, { recursive: true });
});

/** Begins a request and never ends it, so that a stop has something to wait for. */
function unfinishedRequest(toPort: number) {
  return new Promise<ReturnType<typeof connect>>((resolve) => {
    const socket = connect(toPort, "127.0.0.1", () => {
      socket.write(
        "POST /webhooks/stripe HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n",
      );
    });
    socket.on("error", () => {});
    // The server's "continue" says that the request is in its hands.
    socket.once("data", () => resolve(socket));
  });
}
