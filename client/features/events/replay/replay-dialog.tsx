import { Button } from "@mantine/core";
import { useState } from "react";
import { REASON_LENGTH_MIN } from "#shared/desk-inputs.ts";
import type { EventRow } from "#shared/desk-views.ts";
import { isUnanswered } from "../../../app/trpc.ts";
import { m } from "../../../messages/generated/messages.js";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { canReplay } from "./forecast-sentences.ts";
import { ForecastPanel, ForecastSkeleton } from "./forecast-panel.tsx";
import { OutcomePanel } from "./outcome-panel.tsx";
import { ReasonField } from "./reason-field.tsx";
import { FailurePanel, RefusalPanel } from "./refusal-panel.tsx";
import { useReplay } from "./use-replay.ts";

interface ReplayDialogProps {
  /** The event to replay, as the operator saw it; null while closed. */
  event: EventRow | null;
  onClose: () => void;
}

interface Opening {
  event: EventRow;
  count: number;
  isOpen: boolean;
}

/** States what a replay would do before, and what it did after. */
export function ReplayDialog({ event, onClose }: ReplayDialogProps) {
  // Each opening is a new act. The event of the opening is kept as the operator saw it, and while the
  // dialog fades out, so that it neither changes under them nor goes blank.
  const [opening, setOpening] = useState<Opening | null>(null);
  const isOpen = opening?.isOpen ?? false;
  if (event !== null && !isOpen) setOpening({ event, count: (opening?.count ?? 0) + 1, isOpen: true });
  if (event === null && opening?.isOpen) setOpening({ ...opening, isOpen: false });

  return (
    opening && <OpenReplay key={opening.count} event={opening.event} isOpen={isOpen} onClose={onClose} />
  );
}

interface OpenReplayProps {
  event: EventRow;
  isOpen: boolean;
  onClose: () => void;
}

function OpenReplay({ event, isOpen, onClose }: OpenReplayProps) {
  const { refreshLists, forecast, seen, request, answer, isAccepted, watched, replay } = useReplay(
    event,
    isOpen,
  );
  const [reason, setReason] = useState("");
  const isValid = reason.trim().length >= REASON_LENGTH_MIN;
  const mayReplay = seen !== undefined && canReplay(seen);
  const close = () => {
    refreshLists();
    onClose();
  };
  const submit = () => {
    if (isValid && mayReplay) replay(reason);
  };

  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={m.replay_title({ type: event.eventType })}
      actions={
        isAccepted ? (
          <Button variant="filled" onClick={close} data-autofocus>
            {m.done()}
          </Button>
        ) : (
          <>
            <Button onClick={close}>{m.cancel()}</Button>
            <Button
              variant="filled"
              disabled={!isValid || !mayReplay}
              loading={request.isPending}
              onClick={submit}
            >
              {m.replay_once()}
            </Button>
          </>
        )
      }
    >
      {answer?.result === "refused" && <RefusalPanel refusal={answer.refusal} />}
      {request.isError && <FailurePanel error={request.error} />}
      {forecast.isError && seen === undefined ? (
        <ErrorState
          title={m.forecast_error()}
          onRetry={() => void forecast.refetch()}
          isRetrying={forecast.isFetching}
        >
          {isUnanswered(forecast.error) ? m.error_unreachable() : m.error_server()}
        </ErrorState>
      ) : (
        <>{seen === undefined ? <ForecastSkeleton /> : <ForecastPanel event={event} forecast={seen} />}</>
      )}
      {isAccepted ? (
        <OutcomePanel
          detail={watched}
          attemptBefore={answer?.attempt ?? event.attempt}
          isRepeated={answer?.result === "repeated"}
        />
      ) : (
        (seen === undefined || mayReplay) && (
          <ReasonField
            reason={reason}
            onChange={setReason}
            onSubmit={submit}
            isDisabled={request.isPending}
          />
        )
      )}
    </Dialog>
  );
}
