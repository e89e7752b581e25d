/** What an event's row can say. Only `server/claims` and `server/receiving` move a row between them. */
export const EVENT_STATUSES = ["processing", "processed", "dead"] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/**
 * What `processing` means right now, derived from lease and due time and never stored, plus the two
 * final statuses so that a list can be filtered by one word.
 *
 * - `queued`: due, nobody holds it.
 * - `held`: a worker's lease is running.
 * - `retrying`: an attempt failed; it waits for its next retry.
 * - `stale`: the lease ended and the holder never reported back.
 */
export const EVENT_PHASES = ["queued", "held", "retrying", "stale", "dead", "processed"] as const;
export type EventPhase = (typeof EVENT_PHASES)[number];

/** The phases that still need somebody: a worker or a person. */
export const UNFINISHED_PHASES = [
  "queued",
  "held",
  "retrying",
  "stale",
  "dead",
] as const satisfies readonly EventPhase[];

/** How one verified arrival ended at the door. */
export const DELIVERY_VERDICTS = ["claimed", "redelivery", "twin", "rearmed", "unreadable"] as const;
export type DeliveryVerdict = (typeof DELIVERY_VERDICTS)[number];

/** How one attempt of a worker ended; null while it runs. */
export const ATTEMPT_RESULTS = ["processed", "retry", "dead", "given_back", "lost"] as const;
export type AttemptResult = (typeof ATTEMPT_RESULTS)[number];
