import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { EventRow } from "#shared/desk-views.ts";
import { trpc } from "../../../app/trpc.ts";
import { replayOutcome } from "./replay-outcome.ts";

const WATCH_MS = 1_000;

/**
 * One opening of the replay dialog: its forecast, its request and the watch over what comes of it. The
 * request id is made once, so that a double click or a retry after a lost answer is the same act. A refusal
 * changed nothing and shows a new picture; deciding on that picture is a new act with a new id.
 */
export function useReplay(event: EventRow, isOpen: boolean) {
  const queryClient = useQueryClient();
  const requestId = useRef(crypto.randomUUID());
  const forecast = useQuery({
    ...trpc.replays.forecast.queryOptions({ eventId: event.eventId }),
    enabled: isOpen,
    staleTime: 0,
    gcTime: 0,
  });

  const request = useMutation({
    ...trpc.replays.request.mutationOptions(),
    onSuccess: (answer) => {
      if (answer.result === "refused") requestId.current = crypto.randomUUID();
    },
  });

  const answer = request.data;
  const isAccepted = answer !== undefined && answer.result !== "refused";
  const watch = useQuery({
    ...trpc.events.get.queryOptions({ eventId: event.eventId }),
    enabled: isAccepted && isOpen,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data && answer && replayOutcome(state.data, answer.attempt).isFinal ? false : WATCH_MS,
  });

  const seen = answer?.forecast ?? forecast.data;
  const replay = (reason: string) => {
    if (seen === undefined || request.isPending) return;
    request.mutate({
      requestId: requestId.current,
      eventId: event.eventId,
      expectedAttempt: seen.attempt,
      expectedPhase: seen.phase,
      reason,
    });
  };

  /** The lists stood still while the dialog was open; what came of the replay is to be seen at once. */
  const refreshLists = () => {
    if (!isAccepted) return;
    void queryClient.invalidateQueries(trpc.events.pathFilter());
    void queryClient.invalidateQueries(trpc.orders.pathFilter());
  };

  return { refreshLists, forecast, seen, request, answer, isAccepted, watched: watch.data, replay };
}
