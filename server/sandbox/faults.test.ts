import { describe, expect, test } from "vitest";
import { createSandboxFaults } from "./faults.ts";

const attempt = (eventId: string, number = 1, eventType = "checkout.session.completed") => ({
  eventId,
  eventType,
  objectId: "cs_1",
  attempt: number,
});
const isShops = () => true;
const always = () => 0;
const never = () => 0.999;

describe("the switch that kills workers", () => {
  test("leaves at most so many events stale, and kills again once one got through", () => {
    const faults = createSandboxFaults({ isShops, random: always, staleMax: 2 });
    expect(["a", "b", "c"].map((id) => faults.diesInHandler(attempt(id)))).toEqual([true, true, false]);
    expect(faults.diesInHandler(attempt("a", 2))).toBe(false);
    expect(faults.diesInHandler(attempt("d"))).toBe(true);
    expect(faults.diesInHandler(attempt("e"))).toBe(false);
  });

  test("lets every second attempt and every other type through", () => {
    const faults = createSandboxFaults({ isShops, random: always, staleMax: 4 });
    expect(faults.diesInHandler(attempt("a", 2))).toBe(false);
    expect(faults.diesInHandler(attempt("b", 1, "customer.created"))).toBe(false);
  });

  test("lets through what somebody sent by hand", () => {
    const faults = createSandboxFaults({ isShops: () => false, random: always, staleMax: 4 });
    expect(faults.diesInHandler(attempt("a"))).toBe(false);
  });

  test("kills twice for certain in a fresh sandbox, and not in one that shows stale events already", () => {
    const deaths = (staleEventIds: string[]) => {
      const faults = createSandboxFaults({ isShops, random: never, staleMax: 4, staleEventIds });
      return Array.from({ length: 50 }, (_, index) => faults.diesInHandler(attempt(`evt_${index}`))).filter(
        Boolean,
      ).length;
    };
    expect(deaths([])).toBe(2);
    expect(deaths(["evt_old"])).toBe(0);
  });
});
