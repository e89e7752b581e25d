import { Link } from "@tanstack/react-router";
import type { OrderRow } from "#shared/desk-views.ts";
import { PATHS } from "../../app/paths.ts";
import { m } from "../../messages/generated/messages.js";
import { Age } from "../../ui/age.tsx";
import { columnsOf } from "../../ui/data-table.tsx";
import { formatCount } from "../../ui/format-count.ts";
import { Money, Nothing } from "../../ui/money.tsx";
import { OrderStateBadge } from "../../ui/state-words.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { GrantCount } from "./grant-count.tsx";
import styles from "./order-columns.module.css";
import { OrderCustomer } from "./order-customer.tsx";

const column = columnsOf<OrderRow>();

export const ORDER_COLUMNS = column.columns([
  column.accessor("createdAt", {
    id: "age",
    header: m.col_age(),
    meta: { narrow: "pair", skeletonWidth: 40 },
    cell: ({ getValue }) => <Age since={getValue()} />,
  }),
  column.accessor("orderId", {
    header: m.col_order(),
    meta: { narrow: "lead", skeletonWidth: 110 },
    cell: ({ getValue }) => (
      <Link to={PATHS.order} params={{ orderId: getValue() }} className={styles.order}>
        <code>{getValue()}</code>
      </Link>
    ),
  }),
  column.accessor("state", {
    header: m.col_state(),
    meta: { narrow: "side", skeletonWidth: 66 },
    cell: ({ getValue }) => <OrderStateBadge state={getValue()} />,
  }),
  column.accessor("customer", {
    header: m.col_customer(),
    meta: { narrow: "pair", skeletonWidth: 120 },
    cell: ({ getValue }) => <OrderCustomer customer={getValue()} />,
  }),
  column.accessor("grantsActual", {
    header: m.col_grants(),
    meta: { narrow: "pair", skeletonWidth: 54 },
    cell: ({ row: { original } }) => <GrantCount {...original} />,
  }),
  column.accessor("paymentCount", {
    header: m.col_payments(),
    meta: { narrow: "pair", skeletonWidth: 14 },
    cell: ({ getValue }) => <PaymentCount count={getValue()} />,
  }),
  column.accessor("creditsExpected", {
    header: m.col_credits(),
    meta: { align: "right", narrow: "pair", skeletonWidth: 24 },
    cell: ({ getValue }) => <Credits credits={getValue()} />,
  }),
  column.accessor("amountTotalMinor", {
    header: m.col_amount(),
    meta: { align: "right", narrow: "pair", skeletonWidth: 72 },
    cell: ({ row: { original } }) => (
      <Money amountMinor={original.amountTotalMinor} currency={original.currency} />
    ),
  }),
]);

function Credits({ credits }: { credits: bigint | null }) {
  return credits === null ? <Nothing /> : formatCount(credits);
}

function PaymentCount({ count }: { count: number }) {
  if (count <= 1) return <span className="numeric">{formatCount(count)}</span>;
  return (
    <StatusBadge tone="retry" title={m.payments_several_title()}>
      {m.payments_several({ count })}
    </StatusBadge>
  );
}
