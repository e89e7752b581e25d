import { describe, expect, test } from "vitest";
import { CHAOS_SWITCHES, type ChaosSwitch, type ChaosSwitches } from "#shared/chaos.ts";
import { createDisturbance } from "./disturbance.ts";
import { seededRandom } from "./emulator/ids.ts";

const GET = { method: "GET", path: "/v1/checkout/sessions/cs_1" };

/** A thousand answers under these switches, and what was told of them. */
function disturbedBy(...on: ChaosSwitch[]) {
  const switches = Object.fromEntries(
    CHAOS_SWITCHES.map((name) => [name, on.includes(name)]),
  ) as ChaosSwitches;
  const told = { answersSlowed: 0, answersFailed: 0 };
  const { deliveryOf, mishapOf } = createDisturbance({
    switches: () => switches,
    random: seededRandom(7),
    onMishap: (what) => {
      told[what] += 1;
    },
  });
  return {
    deliveries: Array.from({ length: 1000 }, () => deliveryOf({ delayMs: 100 })),
    mishaps: Array.from({ length: 1000 }, () => mishapOf(GET)),
    ofPost: mishapOf({ method: "POST", path: "/v1/checkout/sessions" }),
    told,
  };
}

describe("Stripe in a sandbox with chaos", () => {
  test("is its usual self while everything is off", () => {
    const { deliveries, mishaps, told } = disturbedBy();
    expect(new Set(deliveries.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"delayMs":100}']));
    expect(mishaps.every((one) => one?.delayMs === 0 && one.status === null)).toBe(true);
    expect(told).toEqual({ answersSlowed: 0, answersFailed: 0 });
  });

  test("delivers each event two to four times, at once and one after the other", () => {
    const { deliveries } = disturbedBy("duplicates");
    expect(new Set(deliveries.map((one) => one.times))).toEqual(new Set([2, 3, 4]));
    expect(new Set(deliveries.map((one) => one.parallel))).toEqual(new Set([true, false]));
    expect(deliveries.some((one) => one.twin || one.reversed)).toBe(false);
  });

  test("tells of everything under a second id, and holds events back so that later ones overtake them", () => {
    expect(disturbedBy("twins").deliveries.every((one) => one.twin)).toBe(true);
    const delays = disturbedBy("reordering").deliveries.map((one) => one.delayMs ?? 0);
    expect([Math.min(...delays) >= 100, Math.max(...delays) > 3000]).toEqual([true, true]);
  });

  test("is slow within a worker's patience, and fails in every way about three times in ten", () => {
    const { mishaps, told } = disturbedBy("slow_stripe", "failing_stripe");
    const delays = mishaps.map((one) => one?.delayMs ?? 0);
    expect([Math.max(...delays) > 4000, Math.max(...delays) < 10_000]).toEqual([true, true]);
    const failures = mishaps.filter((one) => one !== null && one.status !== null);
    expect(new Set(failures.map((one) => one?.status))).toEqual(new Set([500, 429, 503, "reset"]));
    expect([failures.length > 200, failures.length < 400]).toEqual([true, true]);
    expect(told).toEqual({ answersSlowed: 1000, answersFailed: failures.length });
  });

  test("takes the shop's orders all the same", () => {
    expect(disturbedBy(...CHAOS_SWITCHES).ofPost).toBeNull();
  });
});
