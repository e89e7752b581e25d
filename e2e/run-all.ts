import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packageRoot } from "#server/package-root.ts";
import { findChromium } from "./chromium.ts";
import {
  judgeSuite,
  readOwnReport,
  readPlaywrightReport,
  readVitestReport,
  type SuiteResult,
} from "./report.ts";

const SUITES = ["unit", "database", "process", "crash-matrix", "e2e"] as const;
type Suite = (typeof SUITES)[number];

const root = packageRoot();
const reports = join(root, "test-results/reports");

interface Plan {
  suites: readonly Suite[];
  /** The crash matrix with every cell, and not every point once. */
  isFull: boolean;
}

/** `npm test`: all suites, one after the other, and one number at the end. */
async function runAll({ suites, isFull }: Plan): Promise<boolean> {
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });

  const results: { suite: Suite; seconds: number; result: SuiteResult }[] = [];
  for (const suite of suites) {
    console.log(`\n=== ${suite} ===\n`);
    const startedMs = performance.now();
    const result = await runSuite(suite, { isFull });
    results.push({ suite, seconds: (performance.now() - startedMs) / 1000, result });
  }

  console.log(
    `\n${"suite".padEnd(14)}${["passed", "failed", "skipped", "seconds"].map((word) => word.padStart(9)).join("")}`,
  );
  for (const { suite, seconds, result } of results) {
    const numbers = [result.passed, result.failed.length, result.skipped.length, seconds.toFixed(1)];
    console.log(suite.padEnd(14) + numbers.map((number) => String(number).padStart(9)).join(""));
  }
  for (const { suite, result } of results) {
    for (const { name, reason } of result.skipped) console.log(`skipped  ${suite}: ${name} (${reason})`);
    for (const failure of result.failed) console.log(`FAILED   ${suite}: ${failure}`);
  }
  const passed = results.reduce((sum, { result }) => sum + result.passed, 0);
  const failed = results.reduce((sum, { result }) => sum + result.failed.length, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0;
}

async function runSuite(suite: Suite, { isFull }: { isFull: boolean }): Promise<SuiteResult> {
  if (suite === "e2e") return await runBrowserTests();
  return suite === "crash-matrix" ? await runCrashMatrix(isFull) : await runVitest(suite);
}

async function runCrashMatrix(isFull: boolean): Promise<SuiteResult> {
  const reportPath = join(reports, "crash-matrix.json");
  const flags = [...(isFull ? [] : ["--quick"]), "--report", reportPath];
  const exitCode = await run("npx", ["tsx", "e2e/crash-matrix/run.ts", ...flags]);
  return judgeSuite({ exitCode, reportPath, read: readOwnReport });
}

async function runVitest(project: Suite): Promise<SuiteResult> {
  const reportPath = join(reports, `${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`];
  const exitCode = await run("npx", ["vitest", "run", "--project", project, ...reporters]);
  return judgeSuite({ exitCode, reportPath, read: readVitestReport });
}

async function runBrowserTests(): Promise<SuiteResult> {
  let chromiumPath: string;
  try {
    chromiumPath = findChromium();
  } catch (error) {
    return { passed: 0, failed: [error instanceof Error ? error.message : String(error)], skipped: [] };
  }
  console.log(`Browser: ${chromiumPath}`);
  const buildCode = await run("npx", ["tsx", "server/ensure-built.ts"]);
  if (buildCode !== 0)
    return { passed: 0, failed: [`the build ended with exit code ${buildCode}`], skipped: [] };

  const reportPath = join(reports, "e2e.json");
  const exitCode = await run("npx", ["playwright", "test", "--config", "e2e/playwright.config.ts"], {
    CHROMIUM_PATH: chromiumPath,
    PLAYWRIGHT_JSON_OUTPUT_FILE: reportPath,
  });
  return judgeSuite({ exitCode, reportPath, read: readPlaywrightReport });
}

function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.once("error", () => resolve(null));
    child.once("exit", (code) => resolve(code));
  });
}

function plan(): Plan {
  const { values } = parseArgs({
    options: { only: { type: "string", multiple: true }, full: { type: "boolean", default: false } },
  });
  const only = values.only ?? [];
  const unknown = only.filter((name) => !SUITES.some((suite) => suite === name));
  if (unknown.length > 0) {
    throw new Error(`There is no suite ${unknown.join(", ")}. There are: ${SUITES.join(", ")}.`);
  }
  const suites = only.length === 0 ? SUITES : SUITES.filter((suite) => only.includes(suite));
  return { suites, isFull: values.full };
}

process.exitCode = (await runAll(plan())) ? 0 : 1;
