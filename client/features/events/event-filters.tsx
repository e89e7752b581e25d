import { useNavigate } from "@tanstack/react-router";
import type { EventFilters, EventView } from "#shared/desk-inputs.ts";
import type { EventCounts } from "#shared/desk-views.ts";
import { useLive } from "../../app/live.tsx";
import { PATHS } from "../../app/paths.ts";
import { m } from "../../messages/generated/messages.js";
import { FilterBar, FilterChip, type FilterOption, SearchChip } from "../../ui/filter-chip.tsx";
import { formatSpan } from "../../ui/format-age.ts";
import { PHASE_TONE, phaseWord } from "../../ui/state-words.tsx";
import { ViewTab, ViewTabs } from "../../ui/view-tabs.tsx";

// The order in which an operator works: what needs a person first.
const VIEWS: EventView[] = ["unfinished", "stale", "dead", "retrying", "held", "queued", "processed", "all"];

/** Every type received so far, after the groups that they fall into. */
function typeOptions(types: string[]): FilterOption<string>[] {
  const groups = types.map((type) => `${type.slice(0, type.lastIndexOf("."))}.*`);
  return [...new Set([...groups.toSorted(), ...types.toSorted()])].map((type) => ({
    label: type,
    value: type,
  }));
}

const AGES: FilterOption<number>[] = [60, 300, 900, 3600, 86_400].map((seconds) => ({
  label: formatSpan(seconds),
  value: seconds,
}));

function viewWord(view: EventView): string {
  if (view === "unfinished") return m.view_unfinished();
  return view === "all" ? m.view_all() : phaseWord(view);
}

function viewCount(view: EventView, counts: EventCounts | undefined): number | undefined {
  if (counts === undefined || view === "processed" || view === "all") return undefined;
  if (view === "unfinished") return Object.values(counts.phases).reduce((sum, count) => sum + count, 0);
  return counts.phases[view];
}

interface EventFilterProps {
  filters: EventFilters;
  counts: EventCounts | undefined;
}

/** One tab for each phase, with how many events are in it now. */
export function EventViewTabs({ filters, counts }: EventFilterProps) {
  return (
    <ViewTabs label={m.events_views()}>
      {VIEWS.map((view) => (
        <ViewTab
          key={view}
          to={PATHS.events}
          search={{ ...filters, view }}
          isCurrent={filters.view === view}
          count={viewCount(view, counts)}
          {...((view === "stale" || view === "dead") && { tone: PHASE_TONE[view] })}
        >
          {viewWord(view)}
        </ViewTab>
      ))}
    </ViewTabs>
  );
}

/** The filters beyond the view. Each is part of the address. */
export function EventFilterBar({ filters, types }: { filters: EventFilters; types: string[] }) {
  const navigate = useNavigate({ from: PATHS.events });
  const { isPaused } = useLive();
  const change = (part: Partial<EventFilters>) => void navigate({ search: { ...filters, ...part } });

  return (
    <FilterBar aside={isPaused ? m.live_paused_title() : undefined}>
      <FilterChip
        label={m.filter_type()}
        chosen={filters.type}
        options={typeOptions(types)}
        isChosen={(type) => type === filters.type}
        onChoose={(type) => change({ type })}
        onClear={() => void navigate({ search: { ...filters, type: undefined } })}
      />
      <FilterChip
        label={m.filter_age()}
        chosen={filters.olderThanSeconds === undefined ? undefined : formatSpan(filters.olderThanSeconds)}
        options={AGES}
        isChosen={(seconds) => seconds === filters.olderThanSeconds}
        onChoose={(olderThanSeconds) => change({ olderThanSeconds })}
        onClear={() => void navigate({ search: { ...filters, olderThanSeconds: undefined } })}
      />
      <FilterChip
        label={m.filter_sort()}
        chosen={filters.sort === "oldest" ? undefined : m.sort_newest()}
        unset={m.sort_oldest()}
        options={[
          { label: m.sort_oldest(), value: "oldest" as const },
          { label: m.sort_newest(), value: "newest" as const },
        ]}
        isChosen={(sort) => sort === filters.sort}
        onChoose={(sort) => change({ sort })}
        onClear={() => change({ sort: "oldest" })}
      />
      {filters.q !== undefined && (
        <SearchChip
          term={filters.q}
          onClear={() => void navigate({ search: { ...filters, q: undefined } })}
        />
      )}
    </FilterBar>
  );
}
