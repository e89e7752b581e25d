import { Link } from "@tanstack/react-router";
import type { EventRow } from "#shared/desk-views.ts";
import { OUTCOMES } from "#shared/outcomes.ts";
import { PATHS } from "../../app/paths.ts";
import { m } from "../../messages/generated/messages.js";
import { Ago } from "../../ui/age.tsx";
import { CopyableId } from "../../ui/copyable-id.tsx";
import { columnsOf, DataTable } from "../../ui/data-table.tsx";
import { PhaseBadge } from "../../ui/state-words.tsx";
import styles from "./order-sheet.module.css";

const column = columnsOf<EventRow>();

const COLUMNS = column.columns([
  column.accessor("eventType", {
    header: m.col_event(),
    meta: { narrow: "full", skeletonWidth: 190 },
    cell: ({ row: { original } }) => (
      <>
        <Link to={PATHS.event} params={{ eventId: original.eventId }}>
          {original.eventType}
        </Link>
        <div>
          <CopyableId id={original.eventId} />
        </div>
      </>
    ),
  }),
  column.accessor("phase", {
    header: m.col_phase(),
    meta: { narrow: "lead", skeletonWidth: 64 },
    cell: ({ getValue }) => <PhaseBadge phase={getValue()} />,
  }),
  column.accessor("outcome", {
    header: m.col_outcome(),
    meta: { narrow: "full", skeletonWidth: 110 },
    cell: ({ row: { original } }) => <span className={styles.muted}>{outcomeLabel(original)}</span>,
  }),
  column.accessor("createdAt", {
    header: m.col_when(),
    meta: { align: "right", narrow: "side", skeletonWidth: 70 },
    cell: ({ getValue }) => <Ago since={getValue()} />,
  }),
]);

function outcomeLabel({ outcome, errorCode }: EventRow): string {
  const code = outcome ?? errorCode;
  return code === null ? m.outcome_open() : OUTCOMES[code].label;
}

/** What Stripe said about an order. */
export function OrderEvents({ events }: { events: EventRow[] }) {
  return (
    <DataTable
      caption={m.order_events_title()}
      columns={COLUMNS}
      rows={events}
      rowKey={(event) => event.eventId}
      isInCard
      empty={<p className={styles.empty}>{m.order_events_none()}</p>}
    />
  );
}
