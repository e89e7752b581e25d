import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { EventDetail } from "#shared/desk-views.ts";
import { PATHS } from "../../../app/paths.ts";
import { m } from "../../../messages/generated/messages.js";
import { Age, InstantWithAge } from "../../../ui/age.tsx";
import { Card } from "../../../ui/card.tsx";
import { useNow } from "../../../ui/clock.tsx";
import { CopyableId } from "../../../ui/copyable-id.tsx";
import { type Fact, FactList } from "../../../ui/fact-list.tsx";
import { formatWait } from "../../../ui/format-age.ts";
import { formatClock } from "../../../ui/format-instant.ts";
import { formatCount } from "../../../ui/format-count.ts";
import { Nothing } from "../../../ui/money.tsx";
import { useZone } from "../../../ui/zone.tsx";

/** The event's row in plain words. */
export function EventFacts({ detail }: { detail: EventDetail }) {
  const { event } = detail;
  return (
    <>
      <Card title={m.facts_title()}>
        <FactList facts={originFacts(detail)} />
      </Card>
      <Card title={m.facts_work_title()}>
        <FactList
          facts={[
            { label: m.fact_attempts(), value: formatCount(event.attempt) },
            { label: m.fact_failures(), value: formatCount(event.failures) },
            { label: m.fact_next_due(), value: <NextDue event={event} /> },
            { label: m.fact_worker(), value: event.claimedBy ?? <Nothing /> },
            { label: m.fact_lease(), value: <Lease until={event.leaseUntil} /> },
          ]}
        />
      </Card>
    </>
  );
}

function originFacts({ event, deliveryCount }: EventDetail): Fact[] {
  const facts: Fact[] = [
    { label: m.fact_received(), value: <InstantWithAge at={event.createdAt} /> },
    {
      label: m.fact_occurred(),
      value: event.occurredAt ? <InstantWithAge at={event.occurredAt} /> : <Nothing />,
    },
    { label: m.fact_deliveries(), value: formatCount(deliveryCount) },
    { label: m.fact_object(), value: <CopyableId id={event.objectId} /> },
    { label: m.fact_order(), value: <OrderLink orderId={event.orderId} /> },
    { label: m.fact_mode(), value: event.livemode ? m.mode_live() : m.mode_test() },
    { label: m.fact_kind(), value: event.once ? m.kind_once() : m.kind_repeats() },
  ];
  if (event.account !== "") facts.push({ label: m.fact_account(), value: <CopyableId id={event.account} /> });
  if (event.apiVersion !== null) facts.push({ label: m.fact_api_version(), value: event.apiVersion });
  if (event.processedAt !== null) {
    facts.push({ label: m.fact_processed(), value: <InstantWithAge at={event.processedAt} /> });
  }
  return facts;
}

function OrderLink({ orderId }: { orderId: string | null }): ReactNode {
  if (orderId === null) return <Nothing />;
  return (
    <Link to={PATHS.order} params={{ orderId }}>
      <code>{orderId}</code>
    </Link>
  );
}

function NextDue({ event }: { event: EventDetail["event"] }): ReactNode {
  const now = useNow();
  if (event.status !== "processing") return <Nothing />;
  if (event.dueAt === null) return m.due_by_person();
  const wait = formatWait(event.dueAt, now);
  return wait === null ? m.due_now() : m.due_in({ wait });
}

function Lease({ until }: { until: Date | null }): ReactNode {
  const now = useNow();
  const zone = useZone();
  if (until === null) return <Nothing />;
  if (until > now) return m.lease_until({ until: formatClock(until, zone) });
  return (
    <>
      {m.lease_ended()} <Age since={until} />
    </>
  );
}
