import { describe, expect, test } from "vitest";
import type { ReplayForecast } from "#shared/desk-views.ts";
import { canReplay, forecastSentences } from "./forecast-sentences.ts";

const now = new Date("2026-03-01T12:00:00Z");
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);

function forecast(part: Partial<ReplayForecast>): ReplayForecast {
  return {
    now,
    attempt: 1,
    phase: "stale",
    act: "take_over",
    refusal: null,
    heldBy: null,
    leaseUntil: null,
    orderId: "order_10482",
    orderState: "paid",
    existingEffects: [],
    missingEffects: ["grant_credits"],
    creditsExpected: 40n,
    amountTotalMinor: 4900n,
    currency: "chf",
    ...part,
  };
}

const sentences = (part: Partial<ReplayForecast>) =>
  forecastSentences(forecast(part), "Europe/Zurich").map((sentence) => sentence.text);

describe("the forecast of a replay", () => {
  test("of a stale event names the lost worker, the next attempt and what becomes of a late write", () => {
    expect(sentences({ heldBy: "w-2", leaseUntil: at(-13 * 60) })).toEqual([
      "Worker w-2 lost its lease 13 min ago. A worker takes over as attempt 2.",
      "It reads the order from Stripe and applies what is missing: grant 40 credits.",
      "If w-2 wakes up, its write is refused.",
    ]);
  });

  test("marks what the order will get, so that the eye finds it", () => {
    const missing = forecastSentences(forecast({}), "UTC").find((sentence) => sentence.emphasis);
    expect(missing?.emphasis).toBe("grant 40 credits");
    expect(missing?.text).toContain(missing?.emphasis);
  });

  test("of an order that was not paid when last read promises no credits", () => {
    expect(sentences({ missingEffects: [], orderState: "payment_failed" })).toContain(
      "It reads the order from Stripe. When last read it was not paid, so it grants nothing unless that has changed.",
    );
  });

  test("of a dead event says that it gets its tries back", () => {
    expect(sentences({ phase: "dead", act: "rearm", attempt: 8 })[0]).toBe(
      "The event is no longer dead and gets all its tries back. A worker takes it as attempt 9.",
    );
  });

  test("of a retrying event says that it does not wait any longer", () => {
    expect(sentences({ phase: "retrying", act: "offer", attempt: 3 })[0]).toBe(
      "It does not wait for its next try: a worker takes it now as attempt 4.",
    );
  });

  test("names effects that exist already as never repeated", () => {
    expect(
      sentences({
        phase: "dead",
        act: "rearm",
        missingEffects: [],
        existingEffects: [{ kind: "grant_credits", createdAt: at(-180) }],
      }),
    ).toEqual([
      "The event is no longer dead and gets all its tries back. A worker takes it as attempt 2.",
      "It reads the order from Stripe. Nothing is missing so far; it applies what Stripe says by then.",
      "Exists already and is never repeated: credits granted (3 min ago).",
    ]);
  });

  test("does not invent a number of credits that nobody knows yet", () => {
    expect(sentences({ creditsExpected: null })[1]).toBe(
      "It reads the order from Stripe and applies what is missing: credits granted.",
    );
  });

  test("of a held event is a refusal that says until when, in the business zone", () => {
    const held = {
      act: "refuse",
      refusal: "event_held",
      phase: "held",
      heldBy: "w-1",
      leaseUntil: at(30),
    } as const;
    expect(sentences(held)).toEqual([
      "Worker w-1 holds this event until 13:00:30. Nothing is replayed while it does.",
    ]);
    expect(canReplay(forecast(held))).toBe(false);
  });

  test("of a processed event is that nothing would happen", () => {
    expect(sentences({ act: "nothing", phase: "processed" })).toEqual([
      "This event is processed. A replay would change nothing.",
    ]);
    expect(canReplay(forecast({ act: "nothing" }))).toBe(false);
  });
});
