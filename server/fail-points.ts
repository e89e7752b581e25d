import { writeFileSync } from "node:fs";

/**
 * The places between one durable step and the next where a process may die: on either side of every commit and of every
 * word to the outside. The crash matrix (e2e/crash-matrix) stops a process at each of them and kills it there.
 */
export const FAIL_POINTS = [
  "receiving.between_statements",
  "receiving.before_claim_commit",
  "receiving.after_claim_commit",
  "receiving.before_bring_on_commit",
  "receiving.before_answer",
  "receiving.after_answer",
  "worker.after_take",
  "worker.while_draining",
  "fulfilment.after_read",
  "fulfilment.before_apply_commit",
  "fulfilment.after_apply_commit",
  "fulfilment.before_reread",
  "attempt.before_failure_commit",
  "attempt.after_failure_commit",
  "replay.before_commit",
  "replay.after_commit",
] as const;
export type FailPoint = (typeof FAIL_POINTS)[number];

export interface ArmedFailPoint {
  point: FailPoint;
  /** Made by whoever gets there first: of several armed processes only that one stops, and only once. */
  reachedFile: string;
}

let armed: { point: FailPoint; reach: () => void } | null = null;

/** Arms one point in this process. Only main.ts does, when the environment asks for it, and never in production. */
export function armFailPoint(given: ArmedFailPoint | null): void {
  armed = given && { point: given.point, reach: () => stopOnce(given.reachedFile) };
}

/**
 * Lets this process kill itself as soon as it gets to the point: for the sandbox's workers that exist to die at the
 * worst moment. No other process calls it.
 */
export function armDeath(point: FailPoint): void {
  armed = { point, reach: () => process.kill(process.pid, "SIGKILL") };
}

/** Does nothing, unless this very point is armed. */
export function failPoint(point: FailPoint): void {
  if (armed?.point === point) armed.reach();
}

/**
 * The whole process stops as it stands, with its transactions open and its connections held, like a machine that froze.
 * Whoever armed it kills it, or lets it go on with SIGCONT.
 */
function stopOnce(reachedFile: string): void {
  try {
    writeFileSync(reachedFile, String(process.pid), { flag: "wx" });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return;
    throw error;
  }
  process.kill(process.pid, "SIGSTOP");
}
