import type { EventFilters } from "#shared/desk-inputs.ts";
import { PATHS } from "../../app/paths.ts";
import { m } from "../../messages/generated/messages.js";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/link-button.tsx";

/** Says why the worklist is empty: nothing to do, nothing found, or nothing ever received. */
export function EventsEmpty({ filters }: { filters: EventFilters }) {
  const isNarrowed =
    filters.q !== undefined || filters.type !== undefined || filters.olderThanSeconds !== undefined;
  const clear = (
    <LinkButton to={PATHS.events} search={{ view: filters.view }}>
      {m.clear_filters()}
    </LinkButton>
  );

  if (filters.q !== undefined) {
    return (
      <EmptyState title={m.events_not_found({ q: filters.q })} action={clear}>
        {m.events_not_found_text()}
      </EmptyState>
    );
  }
  if (isNarrowed) {
    return (
      <EmptyState title={m.events_no_match()} action={clear}>
        {m.events_no_match_text()}
      </EmptyState>
    );
  }
  if (filters.view === "all" || filters.view === "processed") {
    return <EmptyState title={m.events_never()}>{m.events_never_text()}</EmptyState>;
  }
  return (
    <EmptyState
      title={filters.view === "unfinished" ? m.events_done() : m.events_none_in_view()}
      action={
        <LinkButton to={PATHS.events} search={{ view: "all" }}>
          {m.events_see_all()}
        </LinkButton>
      }
    >
      {filters.view === "unfinished" ? m.events_done_text() : m.events_none_in_view_text()}
    </EmptyState>
  );
}
