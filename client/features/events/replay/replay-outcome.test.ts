import { describe, expect, test } from "vitest";
import type { AttemptView, EventDetail } from "#shared/desk-views.ts";
import { sampleEvent } from "../sample-event.ts";
import { replayOutcome } from "./replay-outcome.ts";

const now = new Date("2026-03-01T12:00:00Z");

function attempt(part: Partial<AttemptView>): AttemptView {
  return {
    attempt: 2,
    worker: "w-1",
    startedAt: now,
    endedAt: now,
    result: "processed",
    errorCode: null,
    error: null,
    refusedAt: null,
    ...part,
  };
}

function detail(part: Partial<EventDetail>, event: Parameters<typeof sampleEvent>[0] = {}): EventDetail {
  return {
    now,
    event: { ...sampleEvent(event), apiVersion: null, occurredAt: null, livemode: false, once: true },
    deliveries: [],
    deliveryCount: 1,
    attempts: [],
    effects: [],
    audit: [],
    payload: null,
    payloadBytes: null,
    ...part,
  };
}

describe("the outcome of a replay", () => {
  test("is open until a worker has taken the event", () => {
    const before = attempt({ attempt: 1, result: "dead" });
    expect(replayOutcome(detail({ attempts: [before] }), 1)).toMatchObject({
      isFinal: false,
      tone: "queued",
    });
  });

  test("is open while the next attempt runs, and names the worker", () => {
    const outcome = replayOutcome(detail({ attempts: [attempt({ result: null, endedAt: null })] }), 1);
    expect(outcome).toMatchObject({ isFinal: false, title: "Attempt 2 is running" });
    expect(outcome.text).toContain("w-1");
  });

  test("is the credits that the attempt granted", () => {
    const grant = {
      effectId: "eff_1",
      orderId: "order_10482",
      kind: "grant_credits",
      subject: "",
      eventId: "evt_1",
      attempt: 2,
      credits: 40n,
      createdAt: now,
    } as const;
    expect(replayOutcome(detail({ attempts: [attempt({})], effects: [grant] }), 1)).toMatchObject({
      isFinal: true,
      tone: "ok",
      title: "40 credits granted",
    });
  });

  test("says so when the credits had been granted before", () => {
    const outcome = replayOutcome(
      detail({ attempts: [attempt({})] }, { phase: "processed", outcome: "already_fulfilled" }),
      1,
    );
    expect(outcome).toMatchObject({ isFinal: true, title: "Already granted" });
  });

  test("is the error and the next step when the event died again", () => {
    const outcome = replayOutcome(
      detail({ attempts: [attempt({ result: "dead", errorCode: "price_without_credits" })] }),
      1,
    );
    expect(outcome).toMatchObject({
      isFinal: true,
      tone: "dead",
      title: "Attempt 2 ended dead: Price without credits",
    });
    expect(outcome.text).toContain("then replay");
  });

  test("is the next try when the attempt failed for now", () => {
    const dueAt = new Date(now.getTime() + 9_000);
    const outcome = replayOutcome(
      detail(
        { attempts: [attempt({ result: "retry", errorCode: "stripe_error" })] },
        { phase: "retrying", dueAt },
      ),
      1,
    );
    expect(outcome).toMatchObject({ isFinal: true, tone: "retry", text: "Next try in 9 s." });
  });

  test("does not take an attempt that was given back unstarted for the outcome", () => {
    const given = attempt({ result: "given_back" });
    expect(replayOutcome(detail({ attempts: [given] }), 1).isFinal).toBe(false);
    expect(replayOutcome(detail({ attempts: [given, attempt({ attempt: 3 })] }), 1).isFinal).toBe(true);
  });
});
