import { Router } from "express";
import { z } from "zod";
import { answerObject } from "./context.ts";
import type { Kind } from "./objects.ts";
import { expand, readParameters } from "./parameters.ts";
import type { World } from "./world.ts";

/** What an integration may only read: `/v1/payment_intents/:id`, `/v1/charges/:id` and `/v1/events/:id`. */
export function readRoutes(world: World): Router {
  const routes = Router();
  const kinds: [path: string, kind: Kind][] = [
    ["/payment_intents/:id", "payment_intent"],
    ["/charges/:id", "charge"],
    ["/events/:id", "event"],
  ];
  for (const [path, kind] of kinds) {
    routes.get(path, async (request, response) => {
      const given = readParameters(z.strictObject({ expand }), request.query);
      const id = String(request.params.id);
      await answerObject(world, { kind, id, request, response }, given.expand);
    });
  }
  return routes;
}
