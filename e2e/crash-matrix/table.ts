import { POINTS, type Point } from "./points.ts";
import type { CellResult } from "./run-cell.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";

export interface PlannedCell {
  point: Point;
  scenario: Scenario;
}

const MISSING = "-";

/** The matrix as text: points down, scenarios across, and in each cell what was counted. */
export function drawTable(results: ReadonlyMap<PlannedCell, CellResult>): string {
  const planned = [...results.keys()];
  const points = POINTS.filter((point) => planned.some((cell) => cell.point === point));
  const scenarios = SCENARIOS.filter((scenario) => planned.some((cell) => cell.scenario === scenario));
  const rows = points.map((point) => [
    point.name,
    ...scenarios.map((scenario) => {
      const cell = planned.find((one) => one.point === point && one.scenario === scenario);
      return textOf(cell && results.get(cell));
    }),
  ]);
  const table = [["point", ...scenarios.map((scenario) => scenario.name)], ...rows];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function textOf(result: CellResult | undefined): string {
  if (result === undefined) return MISSING;
  const { books, deviations } = result;
  if (deviations.length > 0) return "DEVIATION";
  return books ? `${books.grants} / ${books.credits} / ${books.payments} / ${books.deliveries}` : MISSING;
}
