import { randomUUID } from "node:crypto";
import { TRPCClientError } from "@trpc/client";
import type { ReplayRequest } from "#shared/desk-inputs.ts";
import type { Lane, Party } from "./lane.ts";
import { until } from "./until.ts";

/** A person at the desk who replays an event, and presses again when no answer came. */
export interface Operator {
  /** One press at this web process, decided on the forecast it shows. */
  replay: (eventId: string, party: Party) => Promise<void>;
  /** Presses again wherever no answer came: the same act, by its request id. */
  repeatUnanswered: (party: Party) => Promise<void>;
}

export function createOperator(lane: Lane): Operator {
  let unanswered: ReplayRequest[] = [];

  /** True once there is an answer, be it a refusal. */
  async function press(request: ReplayRequest, party: Party): Promise<boolean> {
    try {
      await lane.desk(party).replays.request.mutate(request);
      return true;
    } catch (error) {
      return isAnswer(error);
    }
  }

  return {
    replay: async (eventId, party) => {
      const forecast = await lane
        .desk(party)
        .replays.forecast.query({ eventId })
        .catch((error: unknown) => {
          // Not received yet, or no database to ask: there is nothing to press.
          if (error instanceof TRPCClientError) return null;
          throw error;
        });
      if (forecast === null) return;
      const request: ReplayRequest = {
        requestId: randomUUID(),
        eventId,
        expectedAttempt: forecast.attempt,
        expectedPhase: forecast.phase,
        reason: "The customer is on the line.",
      };
      if (!(await press(request, party))) unanswered.push(request);
    },
    repeatUnanswered: async (party) => {
      const requests = unanswered;
      unanswered = [];
      for (const request of requests) await until("an answer to the operator", () => press(request, party));
    },
  };
}

/** An outcome of ours, as opposed to a connection that broke or a database that was away. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof TRPCClientError)) throw error;
  const shape: unknown = error.data;
  return typeof shape === "object" && shape !== null && "outcomeCode" in shape && shape.outcomeCode !== null;
}
