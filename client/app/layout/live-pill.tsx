import { m } from "../../messages/generated/messages.js";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { useLive } from "../live.tsx";

/** Says whether what is on the screen is being kept fresh. */
export function LivePill({ isFailing }: { isFailing: boolean }) {
  const { isPaused } = useLive();
  if (isPaused) {
    return (
      <StatusBadge tone="queued" title={m.live_paused_title()}>
        {m.live_paused()}
      </StatusBadge>
    );
  }
  if (isFailing) {
    return (
      <StatusBadge tone="stale" title={m.live_failing_title()}>
        {m.live_failing()}
      </StatusBadge>
    );
  }
  return (
    <StatusBadge tone="ok" title={m.live_on_title()}>
      {m.live_on()}
    </StatusBadge>
  );
}
