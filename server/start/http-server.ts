import { createServer, type RequestListener, type Server } from "node:http";
import { StartRefused } from "../start-refused.ts";

export interface HttpServer {
  port: number;
  /** Until this is called every request is answered 503: the door is there, the house is not yet. */
  serve: (listener: RequestListener) => void;
  /** Accepts nothing more and resolves when every answer is out. May be called again. */
  stop: () => Promise<void>;
}

const IDLE_CHECK_MS = 50;

/** Opens the port. Taken early in a start, so that a port in use is said before anything is begun. */
export async function openHttpServer(options: { port: number; host: string | null }): Promise<HttpServer> {
  let serve: RequestListener = (_request, response) => {
    response.writeHead(503, { "content-type": "application/json", "retry-after": "2" });
    response.end('{"status":"starting"}');
  };
  const server = createServer((request, response) => serve(request, response));
  // A client that is slow to say what it wants holds a connection, not more: Stripe's bodies are small.
  server.headersTimeout = 15_000;
  server.requestTimeout = 30_000;
  // Longer than the 60 s after which common proxies drop theirs, so that they never send into a closing one.
  server.keepAliveTimeout = 65_000;
  await listen(server, options);
  const address = server.address();
  let closing: Promise<void> | undefined;
  return {
    port: typeof address === "object" && address ? address.port : options.port,
    serve: (listener) => {
      serve = listener;
    },
    stop: () => {
      closing ??= closeServer(server);
      return closing;
    },
  };
}

function listen(server: Server, { port, host }: { port: number; host: string | null }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, port)));
    server.listen({ port, ...(host !== null && { host }) }, resolve);
  });
}

function explain(error: NodeJS.ErrnoException, port: number): Error {
  const other = `Choose another one: PORT=${port + 101 > 65_535 ? port - 101 : port + 101} npm start`;
  if (error.code === "EADDRINUSE") {
    return new StartRefused(
      `Port ${port} is in use by another program, so that the desk cannot open there.\nStop that program, if it is an Einmal that was left running, say. ${other}`,
      { cause: error },
    );
  }
  if (error.code === "EACCES") {
    return new StartRefused(`This user may not open port ${port}. ${other}`, { cause: error });
  }
  return error;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    // A kept-alive connection falls idle after its last answer, which may be after the close began.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    server.close((error) => {
      clearInterval(sweep);
      if (error) reject(error);
      else resolve();
    });
    server.closeIdleConnections();
  });
}
