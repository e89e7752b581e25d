import type { EventRow } from "#shared/desk-views.ts";
import { nextStepWhenDead, OUTCOMES } from "#shared/outcomes.ts";

/**
 * What is to be done about an event that failed, or null when nothing failed. For an error that workers try again by
 * themselves that changes once the event is dead, because then they no longer do.
 */
export function nextStep(row: EventRow): string | null {
  if (row.errorCode === null) return null;
  return row.phase === "dead" ? nextStepWhenDead(row.errorCode) : OUTCOMES[row.errorCode].nextStep;
}
