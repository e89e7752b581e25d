import type { EventRow } from "#shared/desk-views.ts";
import { OUTCOMES } from "#shared/outcomes.ts";
import { m } from "../../messages/generated/messages.js";

/**
 * What is to be done about an event that failed, or null when nothing failed. For an error that workers try
 * again by themselves the catalogue says so; once the event is dead that is no longer true of it.
 */
export function nextStep(row: EventRow): string | null {
  if (row.errorCode === null) return null;
  const outcome = OUTCOMES[row.errorCode];
  const isSpent = row.phase === "dead" && outcome.kind === "transient" && outcome.actor === "worker";
  return isSpent ? m.next_step_spent({ count: row.attempt }) : outcome.nextStep;
}
