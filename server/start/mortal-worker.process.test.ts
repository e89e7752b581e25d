import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "../config.ts";
import { migrateDatabase } from "../db/migrate.ts";
import type { FailPoint } from "../fail-points.ts";
import { packageRoot } from "../package-root.ts";
import { useHosts } from "../testing/hosts.ts";
import { MORTAL_WORKER, type MortalOrders } from "./mortal-worker.ts";

const hostsOf = useHosts();

/** Such a worker as its parent starts it, once it has connected. */
async function mortalWorker(death: FailPoint) {
  const { database, sql, stripe } = hostsOf();
  await migrateDatabase(database.url);
  const child = fork(join(packageRoot(), "server/main.ts"), [MORTAL_WORKER], {
    serialization: "advanced",
    execArgv: ["--import", "tsx"],
    env: { PATH: process.env.PATH },
  });
  const { config } = parseConfig({});
  const { secretKey, apiBase } = stripe;
  const urls = { url: database.url, directUrl: database.url };
  const orders: MortalOrders = { config, urls, stripe: { secretKey, apiBase } };
  child.send({ ...orders, death, level: "warn" });
  const connections = async () =>
    (await sql`select from pg_stat_activity where application_name = 'einmal-mortal-listen'`).length;
  await expect.poll(connections, { timeout: 30_000, interval: 50 }).toBe(1);
  return child;
}

// It must not outlive whoever would have killed it, and work on unseen.
test("a worker that exists to be killed ends by itself when its Einmal is gone", {
  timeout: 90_000,
}, async () => {
  const child = await mortalWorker("replay.before_commit");
  const ended = once(child, "exit");
  child.disconnect();
  expect(await ended).toEqual([0, null]);
});
