import type { EventRow } from "#shared/desk-views.ts";
import type { OutcomeCode } from "#shared/outcomes.ts";
import { m } from "../../messages/generated/messages.js";
import type { SpineStep, StepMark } from "../../ui/spine.tsx";

// Outcomes in which the order was written. The others ended without touching it, and the spine must not claim more.
const APPLIED: ReadonlySet<OutcomeCode> = new Set([
  "fulfilled",
  "awaiting_payment",
  "payment_failed",
  "expired",
  "duplicate_payment",
]);

const MARK_WORD: Record<StepMark, () => string> = {
  passed: m.mark_passed,
  running: m.mark_running,
  waiting: m.mark_waiting,
  overdue: m.mark_overdue,
  failed: m.mark_failed,
  open: m.mark_open,
};

/** The four dots of an event and the same in words: received, held, applied, settled. */
export function spineSteps(row: EventRow): { steps: SpineStep[]; label: string } {
  const [held, applied, settled] = marksAfterReceipt(row);
  const steps: SpineStep[] = [
    { name: m.step_received(), mark: "passed" },
    { name: m.step_held(), mark: held },
    { name: m.step_applied(), mark: applied },
    { name: m.step_settled(), mark: settled },
  ];
  const words = steps.map(({ name, mark }) => m.step_mark({ name, mark: MARK_WORD[mark]() }));
  return { steps, label: words.join(", ") };
}

function marksAfterReceipt(row: EventRow): [StepMark, StepMark, StepMark] {
  switch (row.phase) {
    case "queued":
      return ["open", "open", "open"];
    case "held":
      return ["running", "open", "open"];
    case "retrying":
      return ["waiting", "open", "open"];
    case "stale":
      return ["overdue", "open", "open"];
    case "dead":
      return ["failed", "open", "open"];
    case "processed": {
      const isApplied = row.outcome !== null && APPLIED.has(row.outcome);
      return [row.attempt > 0 ? "passed" : "open", isApplied ? "passed" : "open", "passed"];
    }
  }
}
