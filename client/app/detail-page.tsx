import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { m } from "../messages/generated/messages.js";
import { Clock } from "../ui/clock.tsx";
import { DetailSkeleton } from "../ui/detail-skeleton.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { StaleNotice } from "../ui/stale-notice.tsx";
import { useLive } from "./live.tsx";
import { isNotFound, isUnanswered } from "./trpc.ts";

interface DetailPageProps<Detail> {
  query: UseQueryResult<Detail, unknown>;
  back: ReactNode;
  notFound: { title: string; text: string; action: ReactNode };
  errorTitle: string;
  children: (detail: Detail) => ReactNode;
}

/** A page about one thing, in each of its states: loading, there, gone stale, not found, not readable. */
export function DetailPage<Detail extends { now: Date }>(props: DetailPageProps<Detail>) {
  const { query, back, notFound, errorTitle, children } = props;
  const { isPaused } = useLive();

  if (query.data !== undefined) {
    return (
      <Clock serverNow={query.data.now} receivedAt={query.dataUpdatedAt}>
        {back}
        <StaleNotice readAt={query.data.now} hasFailed={query.isError} isPaused={isPaused} />
        {children(query.data)}
      </Clock>
    );
  }
  return (
    <>
      {back}
      {isNotFound(query.error) ? (
        <EmptyState isPage title={notFound.title} action={notFound.action}>
          {notFound.text}
        </EmptyState>
      ) : query.isError ? (
        <ErrorState
          isPage
          title={errorTitle}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        >
          {isUnanswered(query.error) ? m.error_unreachable() : m.error_server()}
        </ErrorState>
      ) : (
        <DetailSkeleton />
      )}
    </>
  );
}
