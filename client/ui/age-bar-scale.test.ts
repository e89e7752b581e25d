import { describe, expect, test } from "vitest";
import { ageBarFraction, BUDGET_TICK } from "./age-bar-scale.ts";

describe("an age bar", () => {
  test.each([20, 60, 300])("ends exactly at the tick when the age is the budget of %d s", (budget) => {
    expect(ageBarFraction(budget, budget)).toBeCloseTo(BUDGET_TICK, 10);
  });

  test("stays short of the tick within the budget and passes it beyond", () => {
    expect(ageBarFraction(59, 60)).toBeLessThan(BUDGET_TICK);
    expect(ageBarFraction(61, 60)).toBeGreaterThan(BUDGET_TICK);
  });

  test("grows with every age up to its full width, and no further", () => {
    const widths = [0, 1, 5, 60, 3600, 86_400, 10_000_000].map((age) => ageBarFraction(age, 60));
    expect(widths).toEqual(widths.toSorted((a, b) => a - b));
    expect(widths.at(0)).toBe(0);
    expect(widths.at(-1)).toBe(1);
  });

  test("is empty for an age before zero", () => {
    expect(ageBarFraction(-5, 60)).toBe(0);
  });
});
