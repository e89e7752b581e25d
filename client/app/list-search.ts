import { z } from "zod";
import { eventFilters, orderFilters } from "#shared/desk-inputs.ts";

// The address bar takes a bare number for a number; an id may look like one.
const id = z.union([z.string(), z.number().transform(String)]).optional();

/** The events list's address. A part nobody understands falls back, since an old link must still open. */
export const eventSearch = z.object({
  view: eventFilters.shape.view.catch("unfinished"),
  type: eventFilters.shape.type.catch(undefined),
  olderThanSeconds: eventFilters.shape.olderThanSeconds.catch(undefined),
  q: id.pipe(eventFilters.shape.q).catch(undefined),
  sort: eventFilters.shape.sort.catch("oldest"),
});

export const orderSearch = z.object({
  view: orderFilters.shape.view.catch("all"),
  q: id.pipe(orderFilters.shape.q).catch(undefined),
});

export const EVENT_SEARCH_DEFAULTS = { view: "unfinished", sort: "oldest" } as const;
export const ORDER_SEARCH_DEFAULTS = { view: "all" } as const;

export const signInSearch = z.object({
  /** Where the person wanted to go: a path of this desk and never another site. */
  next: z
    .string()
    .regex(/^\/(?![/\\])/)
    .optional()
    .catch(undefined),
});
