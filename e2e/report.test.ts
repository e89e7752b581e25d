import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeSuite, readPlaywrightReport, readVitestReport, type SuiteResult } from "./report.ts";

const tests = (...states: string[]) => states.map((status, index) => ({ fullName: `test ${index}`, status }));
const vitest = (file: object) =>
  JSON.stringify({ testResults: [{ name: "a.test.ts", status: "passed", ...file }] });
const playwright = (...states: string[]) =>
  JSON.stringify({
    suites: [
      {
        title: "a.spec.ts",
        specs: [],
        suites: [
          {
            title: "inner",
            specs: states.map((status) => ({
              title: "one",
              tests: [
                { status, annotations: status === "skipped" ? [{ type: "skip", description: "why" }] : [] },
              ],
            })),
          },
        ],
      },
    ],
  });

function judge(
  exitCode: number | null,
  content: string | null,
  read: (text: string) => SuiteResult,
): SuiteResult {
  const folder = mkdtempSync(join(tmpdir(), "einmal-report-"));
  const reportPath = join(folder, "report.json");
  if (content !== null) writeFileSync(reportPath, content);
  try {
    return judgeSuite({ exitCode, reportPath, read });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("passed, failed and skipped tests are told apart", () => {
  const result = judge(
    1,
    vitest({ assertionResults: tests("passed", "failed", "pending", "todo") }),
    readVitestReport,
  );
  expect(result).toMatchObject({
    passed: 1,
    failed: ["test 1"],
    skipped: [{ name: "test 2" }, { name: "test 3" }],
  });
});

test("a browser test counts wherever it is nested, and a skipped one keeps its reason", () => {
  const result = judge(1, playwright("expected", "unexpected", "skipped"), readPlaywrightReport);
  expect(result).toEqual({
    passed: 1,
    failed: ["inner: one"],
    skipped: [{ name: "inner: one", reason: "why" }],
  });
});

// Each of these has made a broken suite look green somewhere.
test.each<[string, number | null, string | null, (text: string) => SuiteResult]>([
  ["that left no report", 1, null, readVitestReport],
  ["whose report is cut off", 0, '{"testResults": [', readVitestReport],
  ["that ran no test", 0, vitest({ assertionResults: [] }), readVitestReport],
  ["that skipped all its tests", 0, vitest({ assertionResults: tests("skipped") }), readVitestReport],
  [
    "with a file that cannot be loaded",
    1,
    vitest({ status: "failed", assertionResults: [] }),
    readVitestReport,
  ],
  [
    "that ends badly though no test failed",
    1,
    vitest({ assertionResults: tests("passed") }),
    readVitestReport,
  ],
  ["that was killed", null, vitest({ assertionResults: tests("passed") }), readVitestReport],
  [
    "with a test that passed only at the second try",
    0,
    playwright("expected", "flaky"),
    readPlaywrightReport,
  ],
  ["without a browser test", 0, JSON.stringify({ suites: [] }), readPlaywrightReport],
])("a suite %s has failed", (_what, exitCode, content, read) => {
  expect(judge(exitCode, content, read).failed).not.toEqual([]);
});
