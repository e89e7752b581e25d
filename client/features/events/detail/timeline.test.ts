import { describe, expect, test } from "vitest";
import type { DeliveryView, EventDetail } from "#shared/desk-views.ts";
import { sampleEvent } from "../sample-event.ts";
import { buildTimeline } from "./timeline.ts";

const place = { zone: "UTC", budgetSeconds: 60 };
const at = (seconds: number) => new Date(Date.parse("2026-03-01T12:00:00Z") + seconds * 1000);

function delivery(id: number, part: Partial<DeliveryView> = {}): DeliveryView {
  return {
    id: String(id),
    eventId: "evt_1",
    verdict: "redelivery",
    source: "webhook",
    receivedAt: at(id),
    signedAt: at(id - 1),
    ...part,
  };
}

function detail(part: Partial<EventDetail>, event: Parameters<typeof sampleEvent>[0] = {}): EventDetail {
  return {
    now: at(600),
    event: {
      ...sampleEvent({ phase: "processed", status: "processed", ...event }),
      apiVersion: null,
      occurredAt: null,
      livemode: false,
      once: true,
    },
    deliveries: [],
    deliveryCount: 0,
    attempts: [],
    effects: [],
    audit: [],
    payload: null,
    payloadBytes: null,
    ...part,
  };
}

const lost = {
  attempt: 1,
  worker: "w-2",
  startedAt: at(2),
  endedAt: at(70),
  result: "lost",
  errorCode: "worker_lost",
  error: null,
  refusedAt: at(90),
} as const;

describe("the time axis of an event", () => {
  test("tells deliveries, attempts and acts in order of time, whatever order they came in", () => {
    const items = buildTimeline(
      detail({
        attempts: [lost],
        deliveries: [
          delivery(30, { verdict: "twin", eventId: "evt_2" }),
          delivery(1, { verdict: "claimed" }),
        ],
        audit: [
          {
            sequence: 7n,
            at: at(100),
            actorId: "op_1",
            actorName: "Olivia",
            actorRole: "ops",
            action: "event.replay",
            result: "done",
            refusalCode: null,
            reason: "Worker was killed by a deploy.",
            before: null,
            after: null,
            hash: "",
          },
        ],
      }),
      place,
    );
    expect(items.map((item) => item.title)).toEqual([
      "Received and claimed",
      "Attempt 1 taken by w-2",
      "Twin absorbed",
      "Attempt 1 never reported back",
      "Late write of w-2 refused",
      "Olivia (ops) asked for a replay",
    ]);
    expect(items.at(-1)?.text).toContain("Worker was killed by a deploy.");
  });

  test("shows a twin with its own id and in its own colour", () => {
    const [twin] = buildTimeline(
      detail({ deliveries: [delivery(1, { verdict: "twin", eventId: "evt_2" })] }),
      place,
    );
    expect(twin).toMatchObject({ id: "evt_2", tone: "twin" });
  });

  test("folds many redeliveries in a row into one item that still holds each", () => {
    const items = buildTimeline(detail({ deliveries: [1, 2, 3, 4, 5].map((id) => delivery(id)) }), place);
    expect(items).toHaveLength(1);
    expect(items[0]?.title).toBe("5 redeliveries absorbed");
    expect(items[0]?.folded).toHaveLength(5);
  });

  test("keeps redeliveries apart where something happened between them", () => {
    const items = buildTimeline(
      detail({
        deliveries: [1, 3, 4, 5].map((id) => delivery(id)),
        attempts: [{ ...lost, endedAt: null, result: null, refusedAt: null }],
      }),
      place,
    );
    expect(items.map((item) => item.title)).toEqual([
      "Redelivery absorbed",
      "Attempt 1 taken by w-2",
      "3 redeliveries absorbed",
    ]);
  });

  test("ends with what comes next while the event is unfinished, and with nothing once it is processed", () => {
    const dead = buildTimeline(
      detail({}, { phase: "dead", status: "dead", errorCode: "price_without_credits" }),
      place,
    );
    expect(dead.at(-1)).toMatchObject({ at: null, title: "Next: somebody decides" });
    expect(buildTimeline(detail({}), place)).toEqual([]);
  });
});
