import { type Request, type Response, Router } from "express";
import type { Registry } from "prom-client";

/** `/metrics`: this process's counters, and the state of the work as the database has it at this moment. */
export function metricsRoute(registry: Registry, refresh: () => Promise<void>): Router {
  const router = Router();
  router.get("/metrics", async (_request: Request, response: Response) => {
    await refresh();
    const text = await registry.metrics();
    response.set({ "content-type": registry.contentType, "cache-control": "no-store" }).send(text);
  });
  return router;
}
