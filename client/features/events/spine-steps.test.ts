import { describe, expect, test } from "vitest";
import { sampleEvent } from "./sample-event.ts";
import { spineSteps } from "./spine-steps.ts";

const marks = (row: Parameters<typeof sampleEvent>[0]) =>
  spineSteps(sampleEvent(row)).steps.map((step) => step.mark);

describe("the spine of an event", () => {
  test.each([
    ["queued", "open"],
    ["held", "running"],
    ["retrying", "waiting"],
    ["stale", "overdue"],
    ["dead", "failed"],
  ] as const)("of a %s event reaches no further than its worker", (phase, mark) => {
    expect(marks({ phase })).toEqual(["passed", mark, "open", "open"]);
  });

  test("is whole for an order that got its credits", () => {
    expect(marks({ phase: "processed", outcome: "fulfilled", attempt: 1 })).toEqual([
      "passed",
      "passed",
      "passed",
      "passed",
    ]);
  });

  test("does not claim that a recorded event was worked on or applied", () => {
    expect(marks({ phase: "processed", outcome: "recorded", attempt: 0 })).toEqual([
      "passed",
      "open",
      "open",
      "passed",
    ]);
  });

  test("does not claim that a second event for a granted order was applied again", () => {
    expect(marks({ phase: "processed", outcome: "already_fulfilled", attempt: 1 })[2]).toBe("open");
  });

  test("says the same in words, for those who do not see the dots", () => {
    expect(spineSteps(sampleEvent({ phase: "stale" })).label).toBe(
      "received: done, held: overdue, applied: not yet, settled: not yet",
    );
  });
});
