import { describe, expect, test } from "vitest";
import { formatClock, formatInstant } from "./format-instant.ts";

describe("an instant", () => {
  const at = new Date("2026-03-01T23:03:41Z");

  test("is told in the business zone with that zone's name, on that zone's day", () => {
    expect(formatInstant(at, "Europe/Zurich", "en-US")).toBe("Mar 2, 2026, 00:03:41 (Europe/Zurich)");
  });

  test("has a time of day in 24 hours, midnight being 00", () => {
    expect(formatClock(at, "UTC", "en-US")).toBe("23:03:41");
    expect(formatClock(at, "Europe/Zurich", "en-US")).toBe("00:03:41");
  });
});
