import { describe, expect, test } from "vitest";
import { openInstallation } from "./installation.ts";
import { StartRefused } from "./start-refused.ts";
import { useDatabase } from "./testing/use-database.ts";

describe("the mode of an installation", () => {
  const database = useDatabase();

  test("is bound at the first start, and the sign-in secret stays the same from then on", async () => {
    const first = await openInstallation(database().db, "test");
    const second = await openInstallation(database().db, "test");

    expect(first.signInSecret.length).toBeGreaterThanOrEqual(32);
    expect(second).toEqual(first);
  });

  test("is agreed on by processes that start at the same time", async () => {
    const starts = await Promise.all(
      Array.from({ length: 8 }, () => openInstallation(database().db, "live")),
    );

    expect(new Set(starts.map((start) => start.signInSecret)).size).toBe(1);
  });

  // Test credits that turn live are money given away; a lost key must not open the sandbox on real data.
  test.each([
    ["sandbox", "live"],
    ["test", "live"],
    ["live", "test"],
    ["live", "sandbox"],
  ] as const)("of a database made for %s refuses a start as %s", async (made, started) => {
    await openInstallation(database().db, made);

    await expect(openInstallation(database().db, started)).rejects.toThrow(StartRefused);
  });
});
