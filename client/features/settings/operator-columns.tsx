import { Button } from "@mantine/core";
import type { OperatorView } from "#shared/desk-views.ts";
import { m } from "../../messages/generated/messages.js";
import { Age } from "../../ui/age.tsx";
import { useNow } from "../../ui/clock.tsx";
import { columnsOf } from "../../ui/data-table.tsx";
import { formatWait } from "../../ui/format-age.ts";
import { roleWord } from "../../ui/state-words.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";

const column = columnsOf<OperatorView>();

interface OperatorActs {
  mayManage: boolean;
  isBusy: boolean;
  onReissue: (operatorId: string) => void;
}

export function operatorColumns({ mayManage, isBusy, onReissue }: OperatorActs) {
  return column.columns([
    column.accessor("name", {
      header: m.col_name(),
      meta: { narrow: "lead", skeletonWidth: 120 },
      cell: ({ row: { original } }) => (
        <div>
          <div style={{ fontWeight: "var(--medium)" }}>{original.name}</div>
          <div style={{ color: "var(--ink-3)", overflowWrap: "anywhere" }}>{original.email}</div>
        </div>
      ),
    }),
    column.accessor("role", {
      header: m.col_role(),
      meta: { narrow: "pair", skeletonWidth: 50 },
      cell: ({ getValue }) => roleWord(getValue()),
    }),
    column.accessor("hasSignedUp", {
      header: m.col_access(),
      meta: { narrow: "side", skeletonWidth: 90 },
      cell: ({ row }) => <Access operator={row.original} />,
    }),
    column.accessor("createdAt", {
      header: m.col_since(),
      meta: { narrow: "pair", skeletonWidth: 40 },
      cell: ({ getValue }) => <Age since={getValue()} />,
    }),
    column.display({
      id: "act",
      header: m.col_act(),
      meta: { align: "right", narrow: "full", skeletonWidth: 60, isHeadingHidden: true },
      cell: ({ row: { original } }) =>
        mayManage &&
        !original.hasSignedUp && (
          <Button
            variant="subtle"
            disabled={isBusy}
            aria-label={m.operators_reissue_for({ name: original.name })}
            onClick={() => onReissue(original.id)}
          >
            {m.operators_reissue()}
          </Button>
        ),
    }),
  ]);
}

function Access({ operator }: { operator: OperatorView }) {
  const now = useNow();
  if (operator.hasSignedUp) return <StatusBadge tone="ok">{m.access_active()}</StatusBadge>;
  const wait = operator.invitationExpiresAt === null ? null : formatWait(operator.invitationExpiresAt, now);
  return wait === null ? (
    <StatusBadge tone="stale">{m.access_expired()}</StatusBadge>
  ) : (
    <StatusBadge tone="retry">{m.access_invited({ wait })}</StatusBadge>
  );
}
