import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { OrderRow } from "#shared/desk-views.ts";
import { useLive } from "../../app/live.tsx";
import { PATHS } from "../../app/paths.ts";
import { isUnanswered, trpc } from "../../app/trpc.ts";
import { m } from "../../messages/generated/messages.js";
import { Clock } from "../../ui/clock.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { FilterBar, SearchChip } from "../../ui/filter-chip.tsx";
import { formatCount } from "../../ui/format-count.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { StaleNotice } from "../../ui/stale-notice.tsx";
import { ORDER_COLUMNS } from "./order-columns.tsx";
import { OrderTabs } from "./order-tabs.tsx";
import { OrdersEmpty } from "./orders-empty.tsx";

const route = getRouteApi("/desk/orders");
const rowKey = (row: OrderRow) => row.orderId;

/** Every order with what it should have been granted and what it was. */
export function OrdersPage() {
  const filters = route.useSearch();
  const navigate = useNavigate({ from: PATHS.orders });
  const { intervalMs, isPaused } = useLive();
  const counts = useQuery({ ...trpc.orders.counts.queryOptions(), refetchInterval: intervalMs });
  const list = useInfiniteQuery({
    ...trpc.orders.list.infiniteQueryOptions(filters, { getNextPageParam: (page) => page.nextCursor }),
    refetchInterval: intervalMs,
    placeholderData: (previous) => previous,
  });
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows), [list.data]);
  const readAt = list.data?.pages[0]?.now;
  const broken = counts.data?.notExactlyOne;

  return (
    <Clock serverNow={readAt} receivedAt={list.dataUpdatedAt}>
      <PageHeader title={m.nav_orders()}>
        {m.orders_invariant()}{" "}
        {broken !== undefined &&
          (broken === 0
            ? m.orders_invariant_kept()
            : m.orders_broken({ count: broken, shown: formatCount(broken) }))}
      </PageHeader>
      <OrderTabs filters={filters} counts={counts.data} />
      {filters.q !== undefined && (
        <FilterBar>
          <SearchChip
            term={filters.q}
            onClear={() => void navigate({ search: { ...filters, q: undefined } })}
          />
        </FilterBar>
      )}
      {rows === undefined && list.isError ? (
        <ErrorState title={m.orders_error()} onRetry={() => void list.refetch()} isRetrying={list.isFetching}>
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
            caption={m.orders_caption()}
            columns={ORDER_COLUMNS}
            rows={rows}
            rowKey={rowKey}
            empty={<OrdersEmpty filters={filters} />}
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
                <span>{m.orders_sort_note()}</span>
              </>
            }
          />
        </>
      )}
    </Clock>
  );
}
