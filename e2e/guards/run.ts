import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { packageRoot } from "#server/package-root.ts";
import { GUARDS, type Guard } from "./guards.ts";

/** What a copy of the tree needs not. */
const LEFT_OUT = new Set([".git", "node_modules", "dist"]);

type Result = "red" | "green" | "not run";

/**
 * Takes each guard away in a copy of the tree and runs the test that must notice. Ends with 1 if one stays green: then
 * the test proves nothing, or the guard guards nothing.
 */
async function main(): Promise<void> {
  const wanted = process.argv[2] ?? "";
  const copy = mkdtempSync(join(tmpdir(), "einmal-guards-"));
  try {
    cpSync(packageRoot(), copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
    symlinkSync(join(packageRoot(), "node_modules"), join(copy, "node_modules"));
    const failed: string[] = [];
    for (const guard of GUARDS.filter(({ promise, guard: words }) =>
      `${promise} ${words}`.includes(wanted),
    )) {
      const before = await runTest(copy, guard);
      const after = await withoutGuard(copy, guard);
      const isProven = before === "green" && after === "red";
      if (!isProven) failed.push(guard.guard);
      process.stdout.write(
        `${isProven ? "proven" : "NOT PROVEN"}  ${guard.guard} (with it ${before}, without it ${after})\n`,
      );
    }
    process.stdout.write(
      failed.length === 0 ? "Every guard is seen to fail.\n" : `Not proven: ${failed.join("; ")}.\n`,
    );
    process.exitCode = failed.length === 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

async function withoutGuard(copy: string, guard: Guard): Promise<Result> {
  const path = join(copy, guard.file);
  const source = readFileSync(path, "utf8");
  if (source.split(guard.find).length !== 2) throw new Error(`${guard.file} does not hold the guard once.`);
  writeFileSync(
    path,
    source.replace(guard.find, () => guard.replace),
  );
  try {
    return await runTest(copy, guard);
  } finally {
    writeFileSync(path, source);
  }
}

/** Runs one test by its title. Nothing but its own verdict counts: a file that does not load is no proof. */
function runTest(copy: string, { test }: Guard): Promise<Result> {
  const project = test.file.endsWith(".pg.test.ts") ? "database" : "unit";
  const title = `${test.title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`;
  const args = ["vitest", "run", "--project", project, test.file, "-t", title, "--reporter", "json"];
  return new Promise((resolve) => {
    execFile("npx", args, { cwd: copy, maxBuffer: 64 * 1024 * 1024 }, (_, stdout) => {
      const start = stdout.indexOf("{");
      const report = start < 0 ? null : (JSON.parse(stdout.slice(start)) as Report);
      if (report === null || report.numPassedTests + report.numFailedTests !== 1) resolve("not run");
      else resolve(report.numFailedTests === 1 ? "red" : "green");
    });
  });
}

interface Report {
  numPassedTests: number;
  numFailedTests: number;
}

await main();
