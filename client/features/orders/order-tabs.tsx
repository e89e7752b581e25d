import type { OrderFilters, OrderView } from "#shared/desk-inputs.ts";
import type { OrderCounts } from "#shared/desk-views.ts";
import { PATHS } from "../../app/paths.ts";
import { m } from "../../messages/generated/messages.js";
import { stateWord } from "../../ui/state-words.tsx";
import { ViewTab, ViewTabs } from "../../ui/view-tabs.tsx";

/** The states that an order can be in today. The others come with registration, refunds and disputes. */
const VIEWS: OrderView[] = [
  "all",
  "not_exactly_one",
  "paid",
  "awaiting_payment",
  "payment_failed",
  "expired",
];

function viewWord(view: OrderView): string {
  if (view === "all") return m.view_all();
  return view === "not_exactly_one" ? m.view_not_exactly_one() : stateWord(view);
}

interface OrderTabsProps {
  filters: OrderFilters;
  counts: OrderCounts | undefined;
}

/** One tab for each state in use, and one for the orders that break the invariant. */
export function OrderTabs({ filters, counts }: OrderTabsProps) {
  return (
    <ViewTabs label={m.orders_views()}>
      {VIEWS.map((view) => (
        <ViewTab
          key={view}
          to={PATHS.orders}
          search={{ ...filters, view }}
          isCurrent={filters.view === view}
          tone="dead"
          count={view === "not_exactly_one" ? counts?.notExactlyOne : undefined}
        >
          {viewWord(view)}
        </ViewTab>
      ))}
    </ViewTabs>
  );
}
