import { existsSync } from "node:fs";
import { join } from "node:path";
import express, { type Request, type Response, Router } from "express";

const YEAR_SECONDS = 31_536_000;

/**
 * The built desk. Files with a hash in their name never change, so browsers keep them; the page that names
 * them is asked for anew each time, so that a new version arrives with the next reload.
 */
export function deskFiles(folder: string): Router {
  const router = Router();
  const page = join(folder, "index.html");
  router.use(
    "/assets",
    express.static(join(folder, "assets"), { immutable: true, maxAge: YEAR_SECONDS * 1000, index: false }),
    notFound,
  );
  router.use(
    express.static(folder, {
      index: false,
      setHeaders: (response) => response.setHeader("Cache-Control", "no-cache"),
    }),
  );
  // Every address of the desk is a link that somebody may open directly: the page finds its own way from there.
  router.use((request: Request, response: Response) => {
    const isPage = ["GET", "HEAD"].includes(request.method) && request.accepts("html") === "html";
    if (!isPage) return notFound(request, response);
    if (!existsSync(page)) {
      response.status(503).type("text").send("The desk is not built. Run: npm run build\n");
      return;
    }
    response.sendFile(page, { headers: { "Cache-Control": "no-cache" } });
  });
  return router;
}

/** For programs: no page, whatever they say they accept. */
export function notFound(_request: Request, response: Response): void {
  response.status(404).json({ error: "not_found" });
}
