import pRetry from "p-retry";
import { isConnectionError } from "../db/errors.ts";
import type { ObjectStore } from "./emulator/object-store.ts";

/** A database that restarts is back within seconds. One that is not by then is a fault that must show. */
const PATIENCE = { retries: 120, factor: 1.5, minTimeout: 50, maxTimeout: 500 };

/**
 * A store that waits for its database to come back. Stripe loses nothing when we do: a payment that was taken has its
 * event, whatever became of our PostgreSQL in between. Each act of a store may be done twice without harm.
 *
 * @param closing Ends the waits.
 */
export function patientStore(store: ObjectStore, closing: AbortSignal): ObjectStore {
  const patiently = <Result>(act: () => Promise<Result>): Promise<Result> =>
    pRetry(act, {
      ...PATIENCE,
      // Not p-retry's own signal: that refuses first tries too, and what a closing shop has sold must be kept.
      shouldRetry: ({ error }) => !closing.aborted && isConnectionError(error),
    });
  return {
    get: (kind, key) => patiently(() => store.get(kind, key)),
    put: (kind, account, object) => patiently(() => store.put(kind, account, object)),
    list: (kind, options) => patiently(() => store.list(kind, options)),
    undeliveredEvents: () => patiently(() => store.undeliveredEvents()),
  };
}
