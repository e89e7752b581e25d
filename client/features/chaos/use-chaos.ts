import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ChaosChange } from "#shared/desk-inputs.ts";
import { useLive } from "../../app/live.tsx";
import { isUnanswered, refusalOf, trpc } from "../../app/trpc.ts";
import { m } from "../../messages/generated/messages.js";

const LIVE_MS = 1000;

/** The state of chaos, every second while it is on, and the act that changes it. */
export function useChaos() {
  const { intervalMs } = useLive();
  const queryClient = useQueryClient();
  const state = useQuery({
    ...trpc.chaos.state.queryOptions(),
    refetchInterval: ({ state: { data } }) =>
      intervalMs !== false && data?.run?.isOn ? LIVE_MS : intervalMs,
  });
  const change = useMutation({
    ...trpc.chaos.change.mutationOptions(),
    // Waited for, so that a switch shows what was asked of it until what the server says is here.
    onSuccess: () => queryClient.invalidateQueries(trpc.chaos.state.queryFilter()),
  });
  return {
    state,
    /** What was asked and is not yet answered. */
    asked: change.isPending ? change.variables : undefined,
    problem: change.isError ? problemOf(change.error) : undefined,
    ask: (given: ChaosChange) => change.mutate(given),
  };
}

function problemOf(error: unknown): string {
  const refusal = refusalOf(error);
  if (refusal) return m.refused_text(refusal);
  return isUnanswered(error) ? m.error_unreachable() : m.error_server();
}
