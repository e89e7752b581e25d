import type { OrderRow } from "#shared/desk-views.ts";
import { m } from "../../messages/generated/messages.js";
import { CopyableId } from "../../ui/copyable-id.tsx";
import { Nothing } from "../../ui/money.tsx";
import styles from "./order-customer.module.css";

const KIND = {
  user: m.customer_user,
  stripe_customer: m.customer_stripe,
  guest: m.customer_guest,
};

/** Who the credits go to, and by what they are known. */
export function OrderCustomer({ customer }: { customer: OrderRow["customer"] }) {
  if (customer === null) return <Nothing />;
  if (customer.kind === "guest") return <span className={styles.kind}>{m.customer_guest()}</span>;
  return (
    <span>
      <span className={styles.kind}>{KIND[customer.kind]()}</span> <CopyableId id={customer.ref} />
    </span>
  );
}
