import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import type { EventRow } from "#shared/desk-views.ts";
import { useDesk } from "../../app/desk.tsx";
import { useLive, usePauseWhile } from "../../app/live.tsx";
import { PATHS } from "../../app/paths.ts";
import { isUnanswered, trpc } from "../../app/trpc.ts";
import { m } from "../../messages/generated/messages.js";
import { Clock } from "../../ui/clock.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { formatCount } from "../../ui/format-count.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { StaleNotice } from "../../ui/stale-notice.tsx";
import { eventColumns } from "./event-columns.tsx";
import { EventFilterBar, EventViewTabs } from "./event-filters.tsx";
import { EventsEmpty } from "./events-empty.tsx";
import { EventsSummary } from "./events-summary.tsx";
import { LazyReplayDialog } from "./replay/lazy-replay-dialog.tsx";

const route = getRouteApi("/desk/events");
/** New types of event are rare. */
const TYPES_STALE_MS = 60_000;
const rowKey = (row: EventRow) => row.eventId;

/** The worklist: what is unfinished, for how long, why, and what to do about it. */
export function EventsPage() {
  const filters = route.useSearch();
  const navigate = useNavigate({ from: PATHS.events });
  const { budgetSeconds } = useDesk();
  const { intervalMs, isPaused } = useLive();
  const [replaying, setReplaying] = useState<EventRow | null>(null);
  usePauseWhile(replaying !== null);

  const counts = useQuery({ ...trpc.events.counts.queryOptions(), refetchInterval: intervalMs });
  const types = useQuery({ ...trpc.events.types.queryOptions(), staleTime: TYPES_STALE_MS });
  const list = useInfiniteQuery({
    ...trpc.events.list.infiniteQueryOptions(filters, { getNextPageParam: (page) => page.nextCursor }),
    refetchInterval: intervalMs,
    // The rows of the view before stay until the next ones are here, so that switching does not flash.
    placeholderData: (previous) => previous,
  });

  const columns = useMemo(() => eventColumns(setReplaying), []);
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows), [list.data]);
  const readAt = list.data?.pages[0]?.now;
  const toggleSort = useCallback(
    () => void navigate({ search: { ...filters, sort: filters.sort === "oldest" ? "newest" : "oldest" } }),
    [navigate, filters],
  );

  return (
    <Clock serverNow={readAt} receivedAt={list.dataUpdatedAt}>
      <PageHeader title={m.nav_events()}>
        <EventsSummary counts={counts.data} />
      </PageHeader>
      <EventViewTabs filters={filters} counts={counts.data} />
      <EventFilterBar filters={filters} types={types.data ?? []} />
      {rows === undefined && list.isError ? (
        <ErrorState title={m.events_error()} onRetry={() => void list.refetch()} isRetrying={list.isFetching}>
          {isUnanswered(list.error) ? m.error_unreachable() : m.error_server()}
        </ErrorState>
      ) : (
        <>
          {readAt && (
            <StaleNotice
              readAt={readAt}
              hasFailed={list.isRefetchError || list.failureCount > 1}
              isPaused={isPaused}
            />
          )}
          <DataTable
            caption={m.events_caption()}
            columns={columns}
            rows={rows}
            rowKey={rowKey}
            sort={{
              columnId: "age",
              direction: filters.sort === "oldest" ? "descending" : "ascending",
              label: filters.sort === "oldest" ? m.sort_to_newest() : m.sort_to_oldest(),
              toggle: toggleSort,
            }}
            empty={<EventsEmpty filters={filters} />}
            footer={
              <>
                <span>
                  {m.shown_count({ count: rows?.length ?? 0, shown: formatCount(rows?.length ?? 0) })}
                </span>
                {list.hasNextPage && (
                  <Button onClick={() => void list.fetchNextPage()} loading={list.isFetchingNextPage}>
                    {m.load_more()}
                  </Button>
                )}
                <span>{m.events_tick_note({ seconds: budgetSeconds })}</span>
              </>
            }
          />
        </>
      )}
      <LazyReplayDialog event={replaying} onClose={() => setReplaying(null)} />
    </Clock>
  );
}
