import { expect, test } from "vitest";
import { pauseMs, retryDelaySeconds } from "./backoff.ts";

const MIDDLE = 0.5;

test("a worker without a database pauses longer each time, and never so long that the database waits for it", () => {
  const pauses = [1, 2, 3, 4, 5, 6, 60].map((failedLooks) => pauseMs(failedLooks, MIDDLE));
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
});

test("an event's retries wait three times longer each time, up to an hour", () => {
  const delays = [1, 2, 3, 4, 8, 100].map((failures) => retryDelaySeconds(failures, MIDDLE));
  expect(delays).toEqual([5, 15, 45, 135, 3600, 3600]);
});

test("what failed together comes back apart", () => {
  expect([pauseMs(1, 0), pauseMs(1, 1)]).toEqual([750, 1250]);
  expect([retryDelaySeconds(1, 0), retryDelaySeconds(1, 1)]).toEqual([3.75, 6.25]);
});
