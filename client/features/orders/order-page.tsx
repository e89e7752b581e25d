import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useLive } from "../../app/live.tsx";
import { PATHS } from "../../app/paths.ts";
import { isNotFound, isUnanswered, trpc } from "../../app/trpc.ts";
import { m } from "../../messages/generated/messages.js";
import { BackLink } from "../../ui/back-link.tsx";
import { Clock } from "../../ui/clock.tsx";
import { DetailSkeleton } from "../../ui/detail-skeleton.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { StaleNotice } from "../../ui/stale-notice.tsx";
import { OrderSheet } from "./order-sheet.tsx";

const route = getRouteApi("/desk/orders/$orderId");

/** One order: fetched here, kept fresh, and drawn in each of its four states. */
export function OrderPage() {
  const { orderId } = route.useParams();
  const { intervalMs, isPaused } = useLive();
  const detail = useQuery({ ...trpc.orders.get.queryOptions({ orderId }), refetchInterval: intervalMs });
  const back = <BackLink to={PATHS.orders}>{m.nav_orders()}</BackLink>;

  if (detail.data !== undefined) {
    return (
      <Clock serverNow={detail.data.now} receivedAt={detail.dataUpdatedAt}>
        {back}
        <StaleNotice readAt={detail.data.now} hasFailed={detail.isError} isPaused={isPaused} />
        <OrderSheet detail={detail.data} />
      </Clock>
    );
  }
  if (isNotFound(detail.error)) {
    return (
      <>
        {back}
        <EmptyState
          isPage
          title={m.order_not_found()}
          action={
            <LinkButton to={PATHS.orders} search={{ q: orderId }}>
              {m.order_not_found_action()}
            </LinkButton>
          }
        >
          {m.order_not_found_text({ id: orderId })}
        </EmptyState>
      </>
    );
  }
  if (detail.isError) {
    return (
      <>
        {back}
        <ErrorState
          isPage
          title={m.order_error()}
          onRetry={() => void detail.refetch()}
          isRetrying={detail.isFetching}
        >
          {isUnanswered(detail.error) ? m.error_unreachable() : m.error_server()}
        </ErrorState>
      </>
    );
  }
  return (
    <>
      {back}
      <DetailSkeleton />
    </>
  );
}
