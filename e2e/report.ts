import { readFileSync } from "node:fs";
import { z } from "zod";

export interface SuiteResult {
  passed: number;
  /** Each failure in words; a suite that ran no test or ended badly without naming one has one of these too. */
  failed: string[];
  skipped: { name: string; reason: string }[];
}

const NO_REASON = "no reason given";

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** Reads what Vitest's JSON reporter wrote. */
export function readVitestReport(text: string): SuiteResult {
  const { testResults } = vitestReport.parse(JSON.parse(text));
  const tests = testResults.flatMap((file) => file.assertionResults);
  const named = (...states: string[]) =>
    tests.filter((one) => states.includes(one.status)).map((one) => one.fullName);
  // A file that cannot be loaded has no tests that could fail.
  const broken = testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some(isFailed),
  );
  return {
    passed: named("passed").length,
    failed: [...named("failed"), ...broken.map((file) => `${file.name} could not be run`)],
    skipped: named("pending", "skipped", "todo", "disabled").map((name) => ({ name, reason: NO_REASON })),
  };
}

function isFailed(one: { status: string }): boolean {
  return one.status === "failed";
}

const annotations = z.array(z.object({ type: z.string(), description: z.string().optional() })).default([]);
const playwrightSuite = z.object({
  title: z.string(),
  specs: z
    .array(z.object({ title: z.string(), tests: z.array(z.object({ status: z.string(), annotations })) }))
    .default([]),
  get suites() {
    return z.array(playwrightSuite).default([]);
  },
});
const playwrightReport = z.object({
  suites: z.array(playwrightSuite),
  errors: z.array(z.object({ message: z.string().optional() })).default([]),
});

/** Reads what Playwright's JSON reporter wrote. A test that passed only when tried again counts as failed. */
export function readPlaywrightReport(text: string): SuiteResult {
  const report = playwrightReport.parse(JSON.parse(text));
  const tests = report.suites.flatMap(testsOf);
  return {
    passed: tests.filter((one) => one.status === "expected").length,
    failed: [
      ...tests.filter((one) => ["unexpected", "flaky"].includes(one.status)).map((one) => one.name),
      ...report.errors.map((error) => error.message ?? "an error outside any test"),
    ],
    skipped: tests
      .filter((one) => one.status === "skipped")
      .map((one) => ({
        name: one.name,
        reason: one.annotations.find((note) => note.description)?.description ?? NO_REASON,
      })),
  };
}

function testsOf(suite: z.output<typeof playwrightSuite>): {
  name: string;
  status: string;
  annotations: z.output<typeof annotations>;
}[] {
  const own = suite.specs.flatMap((spec) =>
    spec.tests.map((one) => ({ ...one, name: `${suite.title}: ${spec.title}` })),
  );
  return [...own, ...suite.suites.flatMap(testsOf)];
}

const ownReport = z.object({ passed: z.number(), failed: z.array(z.string()) });

/** Reads what the crash matrix wrote. */
export function readOwnReport(text: string): SuiteResult {
  return { ...ownReport.parse(JSON.parse(text)), skipped: [] };
}

/** What a suite's run amounts to, given its exit code and the report that it should have left. */
export function judgeSuite(run: {
  exitCode: number | null;
  reportPath: string;
  read: (text: string) => SuiteResult;
}): SuiteResult {
  let result: SuiteResult;
  try {
    result = run.read(readFileSync(run.reportPath, "utf8"));
  } catch {
    return { passed: 0, failed: ["the suite crashed and left no report"], skipped: [] };
  }
  if (result.failed.length === 0 && run.exitCode !== 0) {
    result.failed.push(`the suite ended with exit code ${run.exitCode} though no test failed`);
  }
  if (result.failed.length === 0 && result.passed === 0) result.failed.push("the suite ran no test");
  return result;
}
