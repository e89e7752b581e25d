import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { armFailPoint, FAIL_POINTS, failPoint } from "./fail-points.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "einmal-fail-points-"));
});
afterEach(() => {
  armFailPoint(null);
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

test("no fail point does anything in a process that was not armed", () => {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  for (const point of FAIL_POINTS) failPoint(point);
  expect(kill).not.toHaveBeenCalled();
});

test("only the armed point stops the process, and only at the first pass", () => {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  const reachedFile = join(folder, "reached");
  armFailPoint({ point: "worker.after_take", reachedFile });

  failPoint("fulfilment.after_read");
  expect(existsSync(reachedFile)).toBe(false);
  failPoint("worker.after_take");
  failPoint("worker.after_take");

  expect(existsSync(reachedFile)).toBe(true);
  expect(kill.mock.calls).toEqual([[process.pid, "SIGSTOP"]]);
});
