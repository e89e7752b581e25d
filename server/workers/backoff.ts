const FIRST_DELAY_SECONDS = 5;
const GROWTH = 3;
/** An outage of Stripe's lasts hours, and nobody gains by asking more rarely than this. */
const DELAY_SECONDS_MAX = 3600;
const RATE_LIMITED_SECONDS = 2;

/**
 * Seconds until the next retry after the `failures`-th failure: 5, 15, 45 and so on up to an hour, which spreads
 * eight tries over about an hour and a half. Jitter of a quarter either way keeps events that failed together from
 * coming back together. `random` is in [0, 1).
 */
export function retryDelaySeconds(failures: number, random: number): number {
  const delay = Math.min(FIRST_DELAY_SECONDS * GROWTH ** Math.max(0, failures - 1), DELAY_SECONDS_MAX);
  return delay * (0.75 + random / 2);
}

const FIRST_PAUSE_MS = 1000;
/** A database that is back should not wait for its workers. */
const PAUSE_MS_MAX = 15_000;

/**
 * Milliseconds a worker pauses after the `failedLooks`-th look in a row that the database did not answer: 1, 2, 4 and
 * so on up to 15 s. Jitter of a quarter either way keeps the workers of an outage from coming back as one.
 */
export function pauseMs(failedLooks: number, random: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, failedLooks - 1), PAUSE_MS_MAX);
  return pause * (0.75 + random / 2);
}

/** Seconds until the next try after Stripe asked us to slow down, which is no failure. */
export function rateLimitedDelaySeconds(random: number): number {
  return RATE_LIMITED_SECONDS * (0.5 + random);
}
