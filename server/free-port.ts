import { createServer } from "node:net";

/**
 * Ports below those that systems lend to outgoing connections (Linux from 32768, others from 49152): one that was free
 * when asked would otherwise be lent to any connection before its asker came to listen there.
 */
const FIRST_PORT = 10_000;
const PORTS = 22_000;
/** The emulator opens beside the desk, one above it, so that neighbours are left free. */
const STEP = 2;

/** Each process asks from a place of its own, so that those that start at one moment are not given one port. */
let asked = process.pid * 50;

/** A TCP port of this machine that was free a moment ago, and that this process was not given before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS / STEP; tries += 1) {
    const port = FIRST_PORT + ((asked * STEP) % PORTS);
    asked += 1;
    if (await isFree(port)) return port;
  }
  throw new Error("This machine has no free TCP port.");
}

/** Was this port free a moment ago? */
export function isFree(port: number): Promise<boolean> {
  if (port > 65_535) return Promise.resolve(false);
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
