import { EventEmitter, on } from "node:events";
import { createServer, type Server } from "node:http";
import pino from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { openInstallation } from "../installation.ts";
import { freePort } from "../free-port.ts";
import { StartRefused } from "../start-refused.ts";
import { createStripe } from "../stripe/client.ts";
import { useDatabase } from "../testing/use-database.ts";
import { startSandbox } from "./sandbox.ts";

const SECRET = "whsec_sandbox";
const verifier = createStripe({ secretKey: "sk_test_x", apiBase: null });

/** An endpoint that verifies, answers one status, and yields what arrives. */
async function endpointAnswering(status: number) {
  const arrivals = new EventEmitter();
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const signature = request.headers["stripe-signature"] ?? "";
      const event = verifier.webhooks.constructEvent(Buffer.concat(chunks), signature, SECRET);
      response.writeHead(status).end();
      arrivals.emit("event", event.id, event.type);
    });
  });
  const arrived = on(arrivals, "event");
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  return { url: `http://127.0.0.1:${port}/webhooks/stripe`, arrived, server };
}

describe("the sandbox", () => {
  const database = useDatabase();
  const servers: Server[] = [];
  const listen = async (status: number) => {
    const endpoint = await endpointAnswering(status);
    servers.push(endpoint.server);
    return endpoint;
  };
  const start = async (webhookUrl: string, nodeEnv = "test") =>
    await startSandbox({
      database: database(),
      webhookUrl,
      webhookSecret: SECRET,
      emulatorPort: await freePort(),
      log: pino({ level: "silent" }),
      nodeEnv,
    });
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  test("sells, and its second start delivers what the first could not, and still knows the session", async () => {
    await openInstallation(database().db, "sandbox");
    const refusing = await listen(503);
    const first = await start(refusing.url);
    const undelivered = new Set<string>();
    for await (const [eventId] of refusing.arrived) {
      undelivered.add(String(eventId));
      if (undelivered.size === 3) break;
    }
    await first.stop();

    const taking = await listen(200);
    const second = await start(taking.url);
    const seen = new Set<string>();
    for await (const [eventId, type] of taking.arrived) {
      seen.add(String(eventId));
      if (![...undelivered].every((id) => seen.has(id))) continue;
      if (type === "checkout.session.completed") break;
    }
    const stripe = createStripe({ secretKey: second.secretKey, apiBase: new URL(second.apiBase) });
    for (const eventId of undelivered) expect(await stripe.events.retrieve(eventId)).toBeDefined();
    await second.stop();
  });

  // Invented payments among real ones would be invented credits.
  test.for(["live", "test"] as const)("refuses a database of %s mode", async (mode) => {
    await openInstallation(database().db, mode);
    await expect(start("http://127.0.0.1:1")).rejects.toThrow(StartRefused);
    await expect(start("http://127.0.0.1:1")).rejects.toThrow(`bound to ${mode} mode`);
  });

  test("refuses a database that is bound to no mode yet, and production", async () => {
    await expect(start("http://127.0.0.1:1")).rejects.toThrow("not bound to a mode yet");
    await openInstallation(database().db, "sandbox");
    await expect(start("http://127.0.0.1:1", "production")).rejects.toThrow("NODE_ENV is production");
  });

  test("says so when the emulator's port is taken", async () => {
    await openInstallation(database().db, "sandbox");
    const { server } = await listen(200);
    const address = server.address();
    const emulatorPort = typeof address === "object" && address ? address.port : 0;
    const log = pino({ level: "silent" });
    const options = { database: database(), webhookUrl: "http://127.0.0.1:1", webhookSecret: SECRET, log };
    await expect(startSandbox({ ...options, emulatorPort, nodeEnv: "test" })).rejects.toThrow(
      `Port ${emulatorPort}`,
    );
  });
});
