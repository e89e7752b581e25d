import type { PaymentView } from "#shared/desk-views.ts";
import { m } from "../../messages/generated/messages.js";
import { Ago } from "../../ui/age.tsx";
import { CopyableId } from "../../ui/copyable-id.tsx";
import { columnsOf, DataTable } from "../../ui/data-table.tsx";
import { Money } from "../../ui/money.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import styles from "./order-sheet.module.css";

const column = columnsOf<PaymentView>();

const COLUMNS = column.columns([
  column.accessor("paymentId", {
    header: m.col_payment(),
    meta: { narrow: "lead", skeletonWidth: 140 },
    cell: ({ row: { original } }) => (
      <div>
        <CopyableId id={original.paymentIntentId ?? original.checkoutSessionId} />
        {original.chargeId !== null && (
          <div>
            <CopyableId id={original.chargeId} />
          </div>
        )}
      </div>
    ),
  }),
  column.accessor("grants", {
    header: m.col_payment_role(),
    meta: { narrow: "side", skeletonWidth: 80 },
    cell: ({ row: { original }, table }) => (
      <PaymentRole
        payment={original}
        isGranted={table.getCoreRowModel().rows.some((row) => row.original.grants)}
      />
    ),
  }),
  column.accessor("paidAt", {
    header: m.col_paid(),
    meta: { narrow: "pair", skeletonWidth: 60 },
    cell: ({ getValue }) => {
      const paidAt = getValue();
      return paidAt === null ? m.payment_open() : <Ago since={paidAt} />;
    },
  }),
  column.accessor("amountMinor", {
    header: m.col_amount(),
    meta: { align: "right", narrow: "pair", skeletonWidth: 70 },
    cell: ({ row: { original } }) => (
      <Money amountMinor={original.amountMinor} currency={original.currency} />
    ),
  }),
]);

/** Every payment of an order. One grants; a second paid one is money that nobody owes. */
export function PaymentTable({ payments }: { payments: PaymentView[] }) {
  return (
    <DataTable
      caption={m.payments_title()}
      columns={COLUMNS}
      rows={payments}
      rowKey={(payment) => payment.paymentId}
      isInCard
      empty={<p className={styles.empty}>{m.payments_none()}</p>}
    />
  );
}

interface PaymentRoleProps {
  payment: PaymentView;
  /** Whether any payment of the order has granted its credits. */
  isGranted: boolean;
}

function PaymentRole({ payment, isGranted }: PaymentRoleProps) {
  if (payment.grants) return <StatusBadge tone="ok">{m.payment_grants()}</StatusBadge>;
  if (payment.paidAt === null) return <StatusBadge tone="queued">{m.payment_unpaid()}</StatusBadge>;
  if (!isGranted) return <StatusBadge tone="stale">{m.payment_waiting()}</StatusBadge>;
  return (
    <StatusBadge tone="retry" title={m.payment_duplicate_title()}>
      {m.payment_duplicate()}
    </StatusBadge>
  );
}
