import { Link } from "@tanstack/react-router";
import type { EffectView } from "#shared/desk-views.ts";
import { PATHS } from "../../app/paths.ts";
import { m } from "../../messages/generated/messages.js";
import { Ago } from "../../ui/age.tsx";
import { columnsOf, DataTable } from "../../ui/data-table.tsx";
import { formatSignedCount } from "../../ui/format-count.ts";
import { Nothing } from "../../ui/money.tsx";
import { shortenId } from "../../ui/shorten-id.ts";
import { effectWord } from "../../ui/state-words.tsx";
import styles from "./order-sheet.module.css";

const column = columnsOf<EffectView>();

const COLUMNS = column.columns([
  column.accessor("kind", {
    header: m.col_effect(),
    meta: { narrow: "lead", skeletonWidth: 110 },
    cell: ({ row: { original } }) => (
      <span style={{ fontWeight: "var(--medium)" }}>
        {effectWord(original.kind)}
        {original.subject !== "" && <span className={styles.muted}> {original.subject}</span>}
      </span>
    ),
  }),
  column.accessor("eventId", {
    header: m.col_by(),
    meta: { narrow: "pair", skeletonWidth: 120 },
    cell: ({ row: { original } }) => (
      <Link to={PATHS.event} params={{ eventId: original.eventId }} title={original.eventId}>
        <code>{shortenId(original.eventId)}</code>{" "}
        <span className={styles.muted}>{m.by_attempt({ attempt: original.attempt })}</span>
      </Link>
    ),
  }),
  column.accessor("createdAt", {
    header: m.col_when(),
    meta: { narrow: "pair", skeletonWidth: 70 },
    cell: ({ getValue }) => <Ago since={getValue()} />,
  }),
  column.accessor("credits", {
    header: m.col_ledger(),
    meta: { align: "right", narrow: "side", skeletonWidth: 36 },
    cell: ({ getValue }) => {
      const credits = getValue();
      return credits === null ? <Nothing /> : formatSignedCount(credits);
    },
  }),
]);

/** What was done for an order, each thing once, with its line in the credit ledger. */
export function OrderEffects({ effects }: { effects: EffectView[] }) {
  return (
    <DataTable
      caption={m.effects_title()}
      columns={COLUMNS}
      rows={effects}
      rowKey={(effect) => effect.effectId}
      isInCard
      empty={<p className={styles.empty}>{m.effects_none()}</p>}
    />
  );
}
