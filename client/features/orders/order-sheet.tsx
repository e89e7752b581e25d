import type { OrderDetail } from "#shared/desk-views.ts";
import { m } from "../../messages/generated/messages.js";
import { Ago } from "../../ui/age.tsx";
import { Card, Columns } from "../../ui/card.tsx";
import { CopyableId } from "../../ui/copyable-id.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { shortenId } from "../../ui/shorten-id.ts";
import { OrderStateBadge } from "../../ui/state-words.tsx";
import { GrantCount } from "./grant-count.tsx";
import { orderSentence } from "./order-sentence.ts";
import { OrderEffects } from "./order-effects.tsx";
import { OrderEvents } from "./order-events.tsx";
import { OrderCredits, OrderFacts } from "./order-facts.tsx";
import styles from "./order-sheet.module.css";
import { PaymentTable } from "./payment-table.tsx";

/** One order with its payments, what was done for it, and the events that did it. */
export function OrderSheet({ detail }: { detail: OrderDetail }) {
  const { order, payments, effects, events } = detail;
  const verdict = orderSentence(detail);

  return (
    <>
      <PageHeader
        title={m.order_title({ id: shortenId(order.orderId) })}
        beside={
          <>
            <OrderStateBadge state={order.state} />
            <GrantCount {...order} />
          </>
        }
      >
        <CopyableId id={order.orderId} isWhole /> · {m.order_first_seen()} <Ago since={order.createdAt} />
      </PageHeader>
      {verdict !== null && (
        <section className={styles.verdict} data-tone={verdict.tone} aria-label={m.order_verdict()}>
          <p className={styles.big}>{verdict.text}</p>
          {verdict.next !== undefined && <p className={styles.next}>{verdict.next}</p>}
        </section>
      )}
      <Columns
        main={
          <>
            <Card title={m.payments_title()} isFlush>
              <PaymentTable payments={payments} />
            </Card>
            <Card title={m.effects_title()} isFlush>
              <OrderEffects effects={effects} />
            </Card>
            <Card title={m.order_events_title()} isFlush>
              <OrderEvents events={events} />
            </Card>
          </>
        }
        side={
          <>
            <OrderCredits detail={detail} />
            <OrderFacts detail={detail} />
          </>
        }
      />
    </>
  );
}
