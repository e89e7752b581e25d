import { Link } from "@tanstack/react-router";
import type { EventRow } from "#shared/desk-views.ts";
import { useDesk } from "../../app/desk.tsx";
import { PATHS } from "../../app/paths.ts";
import { m } from "../../messages/generated/messages.js";
import { Age, AgeBar } from "../../ui/age.tsx";
import { useNow } from "../../ui/clock.tsx";
import { CopyableId } from "../../ui/copyable-id.tsx";
import { columnsOf } from "../../ui/data-table.tsx";
import { GuardedButton } from "../../ui/guarded-button.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Nothing } from "../../ui/money.tsx";
import { Spine } from "../../ui/spine.tsx";
import { PHASE_TONE, PhaseBadge } from "../../ui/state-words.tsx";
import styles from "./event-columns.module.css";
import { roleRefusal } from "../../ui/role-refusal.ts";
import { spineSteps } from "./spine-steps.ts";
import { whySentence } from "./why-sentence.ts";

const column = columnsOf<EventRow>();

/** The columns of the worklist. `onReplay` opens the dialog; nothing is replayed from a row. */
export function eventColumns(onReplay: (row: EventRow) => void) {
  return column.columns([
    column.accessor("createdAt", {
      id: "age",
      header: m.col_age(),
      meta: { narrow: "lead", skeletonWidth: 70 },
      cell: ({ row }) => <AgeCell row={row.original} />,
    }),
    column.accessor("eventType", {
      header: m.col_event(),
      meta: { narrow: "full", skeletonWidth: 190, skeletonLines: 2 },
      cell: ({ row: { original } }) => (
        <div className={styles.event}>
          <Link to={PATHS.event} params={{ eventId: original.eventId }} className={styles.type}>
            {original.eventType}
          </Link>
          <CopyableId id={original.eventId} />
        </div>
      ),
    }),
    column.accessor("orderId", {
      header: m.col_order(),
      meta: { narrow: "pair", skeletonWidth: 84 },
      cell: ({ row: { original } }) => <OrderCell orderId={original.orderId} />,
    }),
    column.display({
      id: "progress",
      header: m.col_progress(),
      meta: { narrow: "pair", skeletonWidth: 78 },
      cell: ({ row: { original } }) => <Spine {...spineSteps(original)} />,
    }),
    column.accessor("phase", {
      header: m.col_phase(),
      meta: { narrow: "side", skeletonWidth: 64 },
      cell: ({ getValue }) => <PhaseBadge phase={getValue()} />,
    }),
    column.accessor("attempt", {
      header: m.col_attempt(),
      meta: { align: "right", narrow: "pair", skeletonWidth: 14 },
      cell: ({ getValue }) => getValue(),
    }),
    column.display({
      id: "why",
      header: m.col_why(),
      meta: { narrow: "full", skeletonWidth: 230 },
      cell: ({ row }) => <WhyCell row={row.original} />,
    }),
    column.display({
      id: "act",
      header: m.col_act(),
      meta: { align: "right", narrow: "full", skeletonWidth: 44, isHeadingHidden: true },
      cell: ({ row }) => <ActCell row={row.original} onReplay={onReplay} />,
    }),
  ]);
}

function AgeCell({ row }: { row: EventRow }) {
  const { budgetSeconds } = useDesk();
  // What is done has no budget to be held against.
  if (row.phase === "processed") return <Age since={row.createdAt} />;
  return <AgeBar since={row.createdAt} budgetSeconds={budgetSeconds} tone={PHASE_TONE[row.phase]} />;
}

function OrderCell({ orderId }: { orderId: string | null }) {
  if (orderId === null) return <Nothing />;
  return (
    <Link to={PATHS.order} params={{ orderId }} className={styles.order}>
      <code>{orderId}</code>
    </Link>
  );
}

function WhyCell({ row }: { row: EventRow }) {
  const { timezone: zone } = useDesk();
  const now = useNow();
  return <p className={styles.why}>{whySentence(row, { now, zone })}</p>;
}

function ActCell({ row, onReplay }: { row: EventRow; onReplay: (row: EventRow) => void }) {
  const { operator } = useDesk();
  if (row.phase !== "dead" && row.phase !== "stale") {
    return (
      <LinkButton
        to={PATHS.event}
        params={{ eventId: row.eventId }}
        variant="subtle"
        aria-label={m.open_event({ id: row.eventId })}
      >
        {m.open()}
      </LinkButton>
    );
  }
  return (
    <GuardedButton
      variant="subtle"
      refusal={roleRefusal(operator.role, { permission: "replay_events", what: m.replay() })}
      aria-label={m.replay_event({ id: row.eventId })}
      onClick={() => onReplay(row)}
    >
      {m.replay()}
    </GuardedButton>
  );
}
