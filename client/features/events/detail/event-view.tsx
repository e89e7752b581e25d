import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { EventDetail } from "#shared/desk-views.ts";
import { useDesk } from "../../../app/desk.tsx";
import { usePauseWhile } from "../../../app/live.tsx";
import { PATHS } from "../../../app/paths.ts";
import { m } from "../../../messages/generated/messages.js";
import { Card, Columns } from "../../../ui/card.tsx";
import { CopyableId } from "../../../ui/copyable-id.tsx";
import { formatCount } from "../../../ui/format-count.ts";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { PhaseBadge } from "../../../ui/state-words.tsx";
import { LazyReplayDialog } from "../replay/lazy-replay-dialog.tsx";
import { roleRefusal } from "../../../ui/role-refusal.ts";
import { EventFacts } from "./event-facts.tsx";
import { EventProblem } from "./event-problem.tsx";
import { PayloadViewer } from "./payload-viewer.tsx";
import { TimeAxis } from "./time-axis.tsx";
import { buildTimeline } from "./timeline.ts";

/** One event with all its evidence. Draws what it is given; its page fetches. */
export function EventView({ detail }: { detail: EventDetail }) {
  const { operator, timezone: zone, budgetSeconds, stripeApiVersion } = useDesk();
  const [isReplaying, setReplaying] = useState(false);
  usePauseWhile(isReplaying);
  const { event } = detail;
  const items = useMemo(() => buildTimeline(detail, { zone, budgetSeconds }), [detail, zone, budgetSeconds]);
  const isOtherVersion = event.apiVersion !== null && event.apiVersion !== stripeApiVersion;

  return (
    <>
      <PageHeader
        title={event.eventType}
        beside={<PhaseBadge phase={event.phase} />}
        actions={
          <GuardedButton
            variant={event.phase === "processed" ? "default" : "filled"}
            refusal={roleRefusal(operator.role, { permission: "replay_events", what: m.replay() })}
            onClick={() => setReplaying(true)}
          >
            {m.replay()}
          </GuardedButton>
        }
      >
        <CopyableId id={event.eventId} isWhole />
        {event.orderId !== null && (
          <>
            {" · "}
            {m.event_of_order()}{" "}
            <Link to={PATHS.order} params={{ orderId: event.orderId }}>
              <code>{event.orderId}</code>
            </Link>
          </>
        )}
        {isOtherVersion && (
          <p>{m.event_other_version({ theirs: event.apiVersion ?? "", ours: stripeApiVersion })}</p>
        )}
      </PageHeader>
      <EventProblem event={event} />
      <Columns
        main={
          <>
            <Card title={m.axis_title()} isFlush>
              <TimeAxis items={items} />
              {detail.deliveryCount > detail.deliveries.length && (
                <p style={{ padding: "0 18px 14px", color: "var(--ink-3)" }}>
                  {m.axis_more_deliveries({
                    shown: formatCount(detail.deliveries.length),
                    total: formatCount(detail.deliveryCount),
                  })}
                </p>
              )}
            </Card>
            <PayloadViewer payload={detail.payload} payloadBytes={detail.payloadBytes} />
          </>
        }
        side={<EventFacts detail={detail} />}
      />
      <LazyReplayDialog event={isReplaying ? event : null} onClose={() => setReplaying(false)} />
    </>
  );
}
