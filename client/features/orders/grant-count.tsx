import type { OrderRow } from "#shared/desk-views.ts";
import { m } from "../../messages/generated/messages.js";
import { StatusBadge } from "../../ui/status-badge.tsx";

type Grants = Pick<OrderRow, "grantsActual" | "grantsExpected">;

/** The invariant of an order: grants that exist, of grants that must exist. Red when they differ. */
export function GrantCount({ grantsActual, grantsExpected }: Grants) {
  const counts = { actual: grantsActual, expected: grantsExpected };
  if (grantsActual !== grantsExpected) {
    return (
      <StatusBadge tone="dead" title={m.grants_differ_title()}>
        {m.grants_count(counts)}
      </StatusBadge>
    );
  }
  return (
    <StatusBadge tone={grantsExpected > 0 ? "ok" : "queued"} withDot={grantsExpected > 0}>
      {m.grants_count(counts)}
    </StatusBadge>
  );
}
