import type { OrderFilters } from "#shared/desk-inputs.ts";
import { PATHS } from "../../app/paths.ts";
import { m } from "../../messages/generated/messages.js";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/link-button.tsx";

/** Says why no order is listed. For *not exactly one* that is the good news. */
export function OrdersEmpty({ filters }: { filters: OrderFilters }) {
  const seeAll = <LinkButton to={PATHS.orders}>{m.orders_see_all()}</LinkButton>;
  if (filters.q !== undefined) {
    return (
      <EmptyState title={m.orders_not_found({ q: filters.q })} action={seeAll}>
        {m.orders_not_found_text()}
      </EmptyState>
    );
  }
  if (filters.view === "not_exactly_one") {
    return (
      <EmptyState title={m.orders_invariant_holds()} action={seeAll}>
        {m.orders_invariant_holds_text()}
      </EmptyState>
    );
  }
  if (filters.view === "all")
    return <EmptyState title={m.orders_never()}>{m.orders_never_text()}</EmptyState>;
  return (
    <EmptyState title={m.orders_none_in_view()} action={seeAll}>
      {m.orders_none_in_view_text()}
    </EmptyState>
  );
}
