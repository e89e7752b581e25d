import { type Request, type Response, Router } from "express";

/** Something this process needs: resolves to what is wrong, or to null when all is well. */
export type ReadinessCheck = () => string | null | Promise<string | null>;
export type ReadinessChecks = Readonly<Record<string, ReadinessCheck>>;

/** A check that hangs is a check that fails: whoever asks has a limit of their own, often of a few seconds. */
const CHECK_SECONDS_MAX = 2;

/**
 * `/healthz`: this process runs (restart it if not). `/readyz`: it can do what its roles promise (send it no
 * traffic if not), each thing it needs by name.
 */
export function health(checks: ReadinessChecks): Router {
  const router = Router();
  router.get("/healthz", (_request: Request, response: Response) => {
    response.set("cache-control", "no-store").json({ status: "ok" });
  });
  router.get("/readyz", async (_request: Request, response: Response) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await problemOf(check)] as const),
    );
    const isReady = results.every(([, problem]) => problem === null);
    response
      .status(isReady ? 200 : 503)
      .set("cache-control", "no-store")
      .json({
        status: isReady ? "ready" : "not_ready",
        checks: Object.fromEntries(results.map(([name, problem]) => [name, problem ?? "ok"])),
      });
  });
  return router;
}

async function problemOf(check: ReadinessCheck): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("does not answer in time"), CHECK_SECONDS_MAX * 1000);
  });
  try {
    return await Promise.race([check(), timeout]);
  } catch {
    // The cause may name hosts and users; it is in the log of whatever failed, not in a public answer.
    return "fails";
  } finally {
    clearTimeout(timer);
  }
}
