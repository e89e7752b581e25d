import type { Request, Response } from "express";
import type { ObjectStore, PageOptions } from "./object-store.ts";
import type { Kind } from "./objects.ts";
import { shown } from "./expand.ts";
import { missing, StripeErrorAnswer } from "./stripe-error.ts";
import type { Origin, World } from "./world.ts";

/** The account whose objects a request may see: '' for the key's own. */
export function accountOf(request: Request): string {
  return request.get("stripe-account") ?? "";
}

/** Events caused by this request say so. */
export function originOf(request: Request, response: Response): Origin {
  const requestId = response.get("request-id");
  return {
    account: accountOf(request),
    requestId: typeof requestId === "string" ? requestId : null,
    idempotencyKey: request.get("idempotency-key") ?? null,
    deliver: {},
  };
}

/** Answers one object by id, or with Stripe's resource_missing. */
export async function answerObject(
  world: World,
  { kind, id, request, response }: { kind: Kind; id: string; request: Request; response: Response },
  expand: readonly string[],
): Promise<void> {
  const account = accountOf(request);
  const object = await world.store.get(kind, { account, id });
  if (!object) throw missing(kind, id);
  response.json(await shown(object, { store: world.store, account, expand }));
}

/** Answers one page of a kind, newest first. */
export async function answerList(
  store: ObjectStore,
  { kind, page, expand, path }: { kind: Kind; page: PageOptions; expand: readonly string[]; path: string },
  response: Response,
): Promise<void> {
  const cursor = page.startingAfter ?? page.endingBefore;
  if (cursor && !(await store.get(kind, { account: page.account, id: cursor }))) {
    throw missing(kind, cursor, page.startingAfter ? "starting_after" : "ending_before");
  }
  const found = await store.list(kind, page);
  const hasMore = found.length > page.limit;
  // Going back from a cursor, the objects nearest to it are the page.
  const rows = page.endingBefore ? found.slice(-page.limit) : found.slice(0, page.limit);
  const data = [];
  for (const object of rows) {
    data.push(await shown(object, { store, account: page.account, expand: expand.map(withoutData) }));
  }
  response.json({ object: "list", data, has_more: hasMore, url: path });
}

/** In a list, paths start at the list: `data.customer`. */
function withoutData(path: string): string {
  if (!path.startsWith("data.")) {
    throw new StripeErrorAnswer(`This property cannot be expanded (${path}).`, { param: "expand" });
  }
  return path.slice("data.".length);
}
