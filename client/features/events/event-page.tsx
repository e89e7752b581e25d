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
import { EventView } from "./detail/event-view.tsx";

const route = getRouteApi("/desk/events/$eventId");

/** One event: fetched here, kept fresh, and drawn in each of its four states. */
export function EventPage() {
  const { eventId } = route.useParams();
  const { intervalMs, isPaused } = useLive();
  const detail = useQuery({ ...trpc.events.get.queryOptions({ eventId }), refetchInterval: intervalMs });
  const back = <BackLink to={PATHS.events}>{m.nav_events()}</BackLink>;

  if (detail.data !== undefined) {
    return (
      <Clock serverNow={detail.data.now} receivedAt={detail.dataUpdatedAt}>
        {back}
        <StaleNotice readAt={detail.data.now} hasFailed={detail.isError} isPaused={isPaused} />
        {detail.data.event.eventId !== eventId && <p>{m.event_by_twin({ id: eventId })}</p>}
        <EventView key={eventId} detail={detail.data} />
      </Clock>
    );
  }
  if (isNotFound(detail.error)) {
    return (
      <>
        {back}
        <EmptyState
          isPage
          title={m.event_not_found()}
          action={
            <LinkButton to={PATHS.events} search={{ view: "all", q: eventId }}>
              {m.event_not_found_action()}
            </LinkButton>
          }
        >
          {m.event_not_found_text({ id: eventId })}
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
          title={m.event_error()}
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
