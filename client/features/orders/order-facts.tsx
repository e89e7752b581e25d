import type { OrderDetail } from "#shared/desk-views.ts";
import { m } from "../../messages/generated/messages.js";
import { Ago } from "../../ui/age.tsx";
import { Card } from "../../ui/card.tsx";
import { CopyableId } from "../../ui/copyable-id.tsx";
import { type Fact, FactList } from "../../ui/fact-list.tsx";
import { formatCount } from "../../ui/format-count.ts";
import { Money, Nothing } from "../../ui/money.tsx";
import { GrantCount } from "./grant-count.tsx";
import { OrderCustomer } from "./order-customer.tsx";

function Credits({ credits }: { credits: bigint | null }) {
  return credits === null ? <Nothing /> : formatCount(credits);
}

/** Expected against granted, and what the customer has altogether. */
export function OrderCredits({ detail: { order, balance } }: { detail: OrderDetail }) {
  return (
    <Card title={m.credits_title()}>
      <FactList
        facts={[
          { label: m.fact_grants(), value: <GrantCount {...order} /> },
          { label: m.fact_credits_expected(), value: <Credits credits={order.creditsExpected} /> },
          { label: m.fact_credits_granted(), value: formatCount(order.creditsGranted) },
          { label: m.fact_balance(), value: <Credits credits={balance} /> },
        ]}
      />
    </Card>
  );
}

/** The order's row in plain words. */
export function OrderFacts({ detail: { order } }: { detail: OrderDetail }) {
  const { currency } = order;
  const facts: Fact[] = [
    { label: m.fact_customer(), value: <OrderCustomer customer={order.customer} /> },
    {
      label: m.fact_subtotal(),
      value: <Money amountMinor={order.amountSubtotalMinor} currency={currency} />,
    },
    { label: m.fact_total(), value: <Money amountMinor={order.amountTotalMinor} currency={currency} /> },
    { label: m.fact_paid(), value: order.paidAt ? <Ago since={order.paidAt} /> : <Nothing /> },
    {
      label: m.fact_session(),
      value: order.checkoutSessionId ? <CopyableId id={order.checkoutSessionId} /> : <Nothing />,
    },
    { label: m.fact_version(), value: formatCount(order.version) },
  ];
  if (order.presentment !== null) {
    facts.splice(3, 0, { label: m.fact_presentment(), value: <Money {...order.presentment} /> });
  }
  if (order.account !== "") facts.push({ label: m.fact_account(), value: <CopyableId id={order.account} /> });
  return (
    <Card title={m.facts_title()}>
      <FactList facts={facts} />
    </Card>
  );
}
