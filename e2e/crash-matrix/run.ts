import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { packageRoot } from "#server/package-root.ts";
import { type Lane, openLane } from "./lane.ts";
import { POINTS } from "./points.ts";
import { type CellResult, runCell } from "./run-cell.ts";
import { SCENARIOS } from "./scenarios.ts";
import { drawTable, type PlannedCell } from "./table.ts";

/** Lanes side by side, each with a PostgreSQL of its own. Two cores have little to give to a third. */
const LANES = 2;

interface Plan {
  cells: readonly PlannedCell[];
  /** Where to leave the numbers for `npm test`. */
  reportPath: string | undefined;
}

/**
 * `npm run crash-matrix`: every point with every scenario, or with `--quick` every point once, each with the next
 * scenario in turn. `--point TEXT` and `--scenario TEXT` choose those whose name contains it.
 */
async function runMatrix({ cells, reportPath }: Plan): Promise<boolean> {
  const startedMs = performance.now();
  const results = new Map<PlannedCell, CellResult>();
  const waiting = [...cells];
  await Promise.all(
    Array.from({ length: Math.min(LANES, cells.length) }, () => workThrough(waiting, results)),
  );

  console.log(`\n${drawTable(results)}\n`);
  console.log(
    "Each cell: grants / credits / payments / deliveries of one order of 40 credits, sent as often as told.",
  );
  const failed = [...results]
    .filter(([, { deviations }]) => deviations.length > 0)
    .map(
      ([{ point, scenario }, { deviations }]) => `${point.name}, ${scenario.name}: ${deviations.join("; ")}`,
    );
  for (const deviation of failed) console.log(`DEVIATION  ${deviation}`);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  console.log(`${results.size} cells in ${seconds} s, ${failed.length} with a deviation.`);
  const passed = results.size - failed.length;
  if (reportPath) writeFileSync(reportPath, JSON.stringify({ passed, failed }));
  console.log(`\n${passed} passed, ${failed.length} failed`);
  return failed.length === 0 && results.size === cells.length && results.size > 0;
}

async function workThrough(waiting: PlannedCell[], results: Map<PlannedCell, CellResult>): Promise<void> {
  const lane: Lane = await openLane();
  try {
    for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
      const result = await runCell(lane, cell.point, cell.scenario);
      results.set(cell, result);
      const mark = result.deviations.length === 0 ? "ok       " : "DEVIATION";
      console.log(
        `${mark} ${result.seconds.toFixed(1).padStart(5)} s  ${cell.point.name}, ${cell.scenario.name}`,
      );
    }
  } finally {
    await lane.stop();
  }
}

function plan(): Plan {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      point: { type: "string", default: "" },
      scenario: { type: "string", default: "" },
      report: { type: "string" },
    },
  });
  const scenarios = SCENARIOS.filter(({ name }) => name.includes(values.scenario));
  const cells = POINTS.filter(({ name }) => name.includes(values.point)).flatMap((point, index) => {
    const chosen = values.quick ? [scenarios[index % scenarios.length]] : scenarios;
    return chosen.flatMap((scenario) => (scenario ? [{ point, scenario }] : []));
  });
  return { cells, reportPath: values.report };
}

const { status } = spawnSync("npx", ["tsx", "server/ensure-built.ts"], {
  cwd: packageRoot(),
  stdio: "inherit",
});
process.exitCode = status === 0 && (await runMatrix(plan())) ? 0 : 1;
