import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../db/client.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { startEmulator } from "./emulator.ts";
import { patientStore } from "./patient-store.ts";
import { postgresStore } from "./postgres-store.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  await migrateDatabase(server.url);
}, 60_000);
afterAll(() => server.stop());

// Otherwise chaos would show orders as lost that Einmal was never told of.
test("a payment that Stripe's stand-in takes while its database is away has its event all the same", {
  timeout: 60_000,
}, async () => {
  const database = openDatabase({ url: server.url, connectionsMax: 5, applicationName: "einmal-test" });
  const store = patientStore(postgresStore(database.db), new AbortController().signal);
  const emulator = await startEmulator({ store });
  const { sessionId } = await emulator.sessions.create({ state: "open" });

  await server.killHard();
  const paying = emulator.sessions.pay(sessionId);
  await server.startAgain();

  expect(await paying).toMatchObject({ id: sessionId, payment_status: "paid" });
  const events = await store.list("event", { account: "", limit: 10 });
  expect(events.map((event) => event.type)).toContain("checkout.session.completed");
  await emulator.stop();
  await database.close();
});

test("a store that is being closed waits for nobody", { timeout: 60_000 }, async () => {
  const database = openDatabase({ url: server.url, connectionsMax: 1, applicationName: "einmal-test" });
  const store = patientStore(postgresStore(database.db), AbortSignal.abort());
  await store.put("customer", "", { id: "cus_1", object: "customer" } as never);
  expect(await store.get("customer", { account: "", id: "cus_1" })).toMatchObject({ id: "cus_1" });
  await server.killHard();
  await expect(store.get("customer", { account: "", id: "cus_1" })).rejects.toThrow();
  await server.startAgain();
  await database.close();
});
