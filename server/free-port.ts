import { createServer } from "node:net";

/** A TCP port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const port = await probe(0);
  if (port === null) throw new Error("This machine has no free TCP port.");
  return port;
}

/** Was this port free a moment ago? */
export async function isFree(port: number): Promise<boolean> {
  return port <= 65_535 && (await probe(port)) !== null;
}

function probe(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? null) : null));
    });
  });
}
