import type { Kind, StripeKinds } from "./objects.ts";

export interface PageOptions {
  account: string;
  /** Fields an object must have, by equality. */
  where?: Record<string, string>;
  startingAfter?: string | undefined;
  endingBefore?: string | undefined;
  limit: number;
}

/** Where the emulator keeps what it made. An object belongs to an account ('' for the platform's own). */
export interface ObjectStore {
  get: <K extends Kind>(kind: K, key: { account: string; id: string }) => Promise<StripeKinds[K] | null>;
  /** Adds or replaces. Once it resolves, a later `get` finds it, after a restart too if the store outlives one. */
  put: <K extends Kind>(kind: K, account: string, object: StripeKinds[K]) => Promise<void>;
  /** Newest first, one more than `limit` if there is more. */
  list: <K extends Kind>(kind: K, options: PageOptions) => Promise<StripeKinds[K][]>;
  /** Events that some endpoint has not answered with a 2xx, oldest first. */
  undeliveredEvents: () => Promise<StripeKinds["event"][]>;
}

type Shelf<K extends Kind> = Map<string, { account: string; object: StripeKinds[K] }>;

const keyOf = (account: string, id: string) => `${account} ${id}`;

/** A store that ends with its process. Hands out copies, so that nobody changes an object without a `put`. */
export function memoryStore(): ObjectStore {
  const shelves: { [K in Kind]: Shelf<K> } = {
    product: new Map(),
    price: new Map(),
    customer: new Map(),
    coupon: new Map(),
    charge: new Map(),
    payment_intent: new Map(),
    "checkout.session": new Map(),
    event: new Map(),
  };
  const shelfOf = <K extends Kind>(kind: K): Shelf<K> => shelves[kind];

  return {
    get: async (kind, { account, id }) => {
      const entry = shelfOf(kind).get(keyOf(account, id));
      return entry ? structuredClone(entry.object) : null;
    },
    put: async (kind, account, object) => {
      shelfOf(kind).set(keyOf(account, object.id), { account, object: structuredClone(object) });
    },
    list: async (kind, { account, where = {}, startingAfter, endingBefore, limit }) => {
      const newestFirst = [...shelfOf(kind).values()]
        .filter((entry) => entry.account === account)
        .map((entry) => structuredClone(entry.object))
        .filter((object) => Object.entries(where).every(([field, value]) => object[field] === value))
        .toReversed();
      const indexOf = (id: string) => newestFirst.findIndex((object) => object.id === id);
      if (endingBefore) return newestFirst.slice(0, Math.max(0, indexOf(endingBefore))).slice(-(limit + 1));
      const from = startingAfter ? indexOf(startingAfter) + 1 : 0;
      return newestFirst.slice(from, from + limit + 1);
    },
    undeliveredEvents: async () =>
      [...shelves.event.values()]
        .map((entry) => structuredClone(entry.object))
        .filter((event) => event.pending_webhooks > 0),
  };
}
