import { describe, expect, test } from "vitest";
import { OUTCOMES } from "#shared/outcomes.ts";
import { sampleEvent } from "./sample-event.ts";
import { whySentence } from "./why-sentence.ts";

const telling = { now: new Date("2026-03-01T12:14:00Z"), zone: "Europe/Zurich" };
const at = (secondsFromNow: number) => new Date(telling.now.getTime() + secondsFromNow * 1000);
const why = (row: Parameters<typeof sampleEvent>[0]) => whySentence(sampleEvent(row), telling);

describe("the reason an event is where it is", () => {
  test("a queued event waits for a worker", () => {
    expect(why({ phase: "queued" })).toBe("Waiting for a worker.");
  });

  test("a held event names its worker, since when, and until when in the business zone", () => {
    expect(why({ phase: "held", claimedBy: "w-1", takenAt: at(-1), leaseUntil: at(59), attempt: 1 })).toBe(
      "Worker w-1 since 1 s, lease until 13:14:59.",
    );
  });

  test("a stale event tells who took it and when the lease ended", () => {
    expect(
      why({
        phase: "stale",
        claimedBy: "w-2",
        takenAt: at(-14 * 60),
        leaseUntil: at(-13 * 60),
        dueAt: at(-13 * 60),
        attempt: 1,
      }),
    ).toBe("Worker w-2 took it 14 min ago and never reported back. Lease ended 13 min ago.");
  });

  test("a stale event that only a person can bring on says so", () => {
    expect(
      why({ phase: "stale", claimedBy: "w-2", takenAt: at(-120), leaseUntil: at(-60), dueAt: null }),
    ).toMatch(/No worker takes it over by itself: replay it\.$/);
  });

  test("a retrying event says what failed and when the next try is", () => {
    expect(why({ phase: "retrying", errorCode: "stripe_rate_limited", dueAt: at(41) })).toBe(
      "Rate limited. Next try in 41 s.",
    );
  });

  test("a retry whose time has come is not given a wait", () => {
    expect(why({ phase: "retrying", errorCode: "stripe_error", dueAt: at(-1) })).toBe(
      "Stripe error. Its next try is due.",
    );
  });

  // C90
  test("a dead event says what killed it and what a person does next", () => {
    const { label, nextStep } = OUTCOMES.price_without_credits;
    expect(why({ phase: "dead", status: "dead", errorCode: "price_without_credits" })).toBe(
      `${label}: ${nextStep}`,
    );
  });

  test("a dead event that spent its tries is not said to be tried again by itself", () => {
    expect(why({ phase: "dead", status: "dead", errorCode: "stripe_error", attempt: 8 })).toBe(
      `Stripe error: ${OUTCOMES.stripe_error.nextStepWhenDead}`,
    );
  });

  test("a processed event says how it ended", () => {
    expect(why({ phase: "processed", status: "processed", outcome: "fulfilled" })).toBe("Credits granted");
  });
});
