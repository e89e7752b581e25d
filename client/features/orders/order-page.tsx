import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { DetailPage } from "../../app/detail-page.tsx";
import { useLive } from "../../app/live.tsx";
import { PATHS } from "../../app/paths.ts";
import { trpc } from "../../app/trpc.ts";
import { m } from "../../messages/generated/messages.js";
import { BackLink } from "../../ui/back-link.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { OrderSheet } from "./order-sheet.tsx";

const route = getRouteApi("/desk/orders/$orderId");

/** One order: fetched here, kept fresh, and drawn in each of its states. */
export function OrderPage() {
  const { orderId } = route.useParams();
  const { intervalMs } = useLive();
  const query = useQuery({ ...trpc.orders.get.queryOptions({ orderId }), refetchInterval: intervalMs });

  return (
    <DetailPage
      query={query}
      back={<BackLink to={PATHS.orders}>{m.nav_orders()}</BackLink>}
      notFound={{
        title: m.order_not_found(),
        text: m.order_not_found_text({ id: orderId }),
        action: (
          <LinkButton to={PATHS.orders} search={{ q: orderId }}>
            {m.order_not_found_action()}
          </LinkButton>
        ),
      }}
      errorTitle={m.order_error()}
    >
      {(detail) => <OrderSheet detail={detail} />}
    </DetailPage>
  );
}
