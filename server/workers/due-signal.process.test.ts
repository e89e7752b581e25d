import { expect, test } from "vitest";
import { openDatabase } from "../db/client.ts";
import { startPostgres } from "../testing/postgres-server.ts";
import { listenForDue } from "./due-signal.ts";

// Found by the crash matrix: a worker stopped in the moment its database was killed ended with exit code 1.
test("whoever listens for what is due can stop listening while the database is gone", {
  timeout: 60_000,
}, async () => {
  const server = await startPostgres();
  const direct = openDatabase({ url: server.url, connectionsMax: 1, applicationName: "einmal-test" });
  const unlisten = await listenForDue(direct.sql, () => {});
  await server.killHard();
  await expect(unlisten()).resolves.toBeUndefined();
  await direct.close();
  await server.startAgain();
  await server.stop();
});
