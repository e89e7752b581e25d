import { type Books, readBooks } from "./books.ts";
import { type Cell, openCell } from "./cell.ts";
import { BUDGET_SECONDS, type Lane } from "./lane.ts";
import type { Point } from "./points.ts";
import type { Scenario } from "./scenarios.ts";
import { until } from "./until.ts";

export interface CellResult {
  /** Null if the cell did not come to its end. */
  books: Books | null;
  deviations: string[];
  seconds: number;
}

/** Runs one cell: brings the victim to the point, lets it die there, lets the others go on, and counts. Never throws. */
export async function runCell(lane: Lane, point: Point, scenario: Scenario): Promise<CellResult> {
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1000;
  const cell = await openCell(lane);
  try {
    await dieAtPoint(cell, point, scenario);
    await recover(cell);
    const books = await readBooks(lane.sql, cell);
    await cell.parties.stopAll();
    return { books, deviations: books.deviations, seconds: seconds() };
  } catch (error) {
    return {
      books: null,
      deviations: [error instanceof Error ? error.message : String(error)],
      seconds: seconds(),
    };
  } finally {
    await cell.parties.killAll();
  }
}

async function dieAtPoint(cell: Cell, point: Point, scenario: Scenario): Promise<void> {
  await point.prepare?.(cell);
  const { parties } = cell;
  const workers = Array.from({ length: scenario.workers });
  await Promise.all(
    point.victim === "worker"
      ? workers.map(() => parties.startArmed("worker", point.failPoint))
      : [parties.startArmed("web", point.failPoint), ...workers.map(() => parties.start("worker"))],
  );
  const approach = point.approach(cell);
  // An approach that fails is told at once, one that succeeds is not waited for: it may wait for the victim's answer.
  await Promise.race([
    until("the victim to reach the point", () => parties.isReached()),
    approach.then(() => new Promise<never>(() => {})),
  ]);
  const held = await tokensHeldByVictim(cell);
  if (point.dies === "process") await killVictim(cell, scenario);
  else await killDatabase(cell, scenario);
  await approach;
  await endLeases(cell, held);
}

/** The victim stands still with its transactions open while the others act, and is then gone for good. */
async function killVictim(cell: Cell, scenario: Scenario): Promise<void> {
  const meanwhile = scenario.meanwhile(cell);
  await Promise.race([
    meanwhile,
    until("somebody to wait for the victim", () => isAnybodyWaiting(cell.lane)),
  ]);
  await cell.parties.kill(cell.parties.victim());
  await meanwhile;
}

/** What the victim holds open in the database keeps the others waiting until it is dead. */
async function isAnybodyWaiting({ sql }: Lane): Promise<boolean> {
  const waiting = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length > 0;
}

/** The database is gone while the others act, and comes back; the victim goes on as if it had slept. */
async function killDatabase(cell: Cell, scenario: Scenario): Promise<void> {
  const { database, sql } = cell.lane;
  await database.killHard();
  await scenario.meanwhile(cell);
  await database.startAgain();
  await until("the database to answer", () =>
    sql`select`.then(
      () => true,
      () => false,
    ),
  );
  cell.parties.victim().kill("SIGCONT");
}

async function tokensHeldByVictim({ lane, parties, sessionId }: Cell): Promise<string[]> {
  const rows = await lane.sql<{ token: string }[]>`
    select claim_token as token from processed_stripe_events
    where object_id = ${sessionId} and claimed_by like ${`%:${parties.victim().pid}:%`}`;
  return rows.map((row) => row.token);
}

/**
 * Lets the minute pass that the leases of the dead still run, by moving all times of their rows back. That a real
 * minute does the same is a test of its own.
 */
async function endLeases({ lane }: Cell, tokens: readonly string[]): Promise<void> {
  const passed = `${BUDGET_SECONDS + 1} seconds`;
  await lane.sql`
    update processed_stripe_events
    set lease_until = lease_until - ${passed}::interval, due_at = due_at - ${passed}::interval
    where claim_token = any(${[...tokens]})`;
}

/** Everybody who is still there does what they would do anyway, until nothing is left to do. */
async function recover(cell: Cell): Promise<void> {
  const { lane, postman, operator, parties, sessionId } = cell;
  cell.looks.release();
  if (!parties.hasWorker()) await parties.start("worker");
  await postman.deliverOwed(lane.bystander.address);
  await operator.repeatUnanswered(lane.bystander);
  await until("every event to be settled", async () => {
    // The time until the next retry passes.
    await lane.sql`
      update processed_stripe_events set due_at = due_at - interval '30 seconds'
      where object_id = ${sessionId} and status = 'processing' and claim_token is null and due_at > now()`;
    const [row] = await lane.sql`
      select count(*)::int as total, count(*) filter (where status = 'processed')::int as settled
      from processed_stripe_events where object_id = ${sessionId}`;
    return row !== undefined && Number(row.total) > 0 && row.total === row.settled;
  });
}
