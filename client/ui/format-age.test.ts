import { describe, expect, test } from "vitest";
import { formatAge, formatSpan, formatWait } from "./format-age.ts";

const now = new Date("2026-03-01T12:00:00Z");
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);

describe("an age", () => {
  test.each([
    [0, "0 s"],
    [59, "59 s"],
    [60, "1 min"],
    [14 * 60 + 59, "14 min"],
    [3600, "1 h"],
    [26 * 3600, "26 h"],
    [48 * 3600, "2 d"],
    [400 * 86_400, "400 d"],
  ])("of %d seconds is said in its largest useful unit, rounded down", (seconds, text) => {
    expect(formatSpan(seconds)).toBe(text);
    expect(formatAge(before(seconds), now)).toBe(text);
  });

  test("is zero, never negative, when the browser's clock runs behind the database's", () => {
    expect(formatAge(before(-30), now)).toBe("0 s");
  });
});

describe("a wait", () => {
  test("is rounded up, so that nothing is promised too early", () => {
    expect(formatWait(new Date(now.getTime() + 8_200), now)).toBe("9 s");
  });

  test("has no length once the instant has come", () => {
    expect(formatWait(now, now)).toBeNull();
    expect(formatWait(before(5), now)).toBeNull();
  });
});
