import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { DetailPage } from "../../app/detail-page.tsx";
import { useLive } from "../../app/live.tsx";
import { PATHS } from "../../app/paths.ts";
import { trpc } from "../../app/trpc.ts";
import { m } from "../../messages/generated/messages.js";
import { BackLink } from "../../ui/back-link.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { EventView } from "./detail/event-view.tsx";

const route = getRouteApi("/desk/events/$eventId");

/** One event: fetched here, kept fresh, and drawn in each of its states. */
export function EventPage() {
  const { eventId } = route.useParams();
  const { intervalMs } = useLive();
  const query = useQuery({ ...trpc.events.get.queryOptions({ eventId }), refetchInterval: intervalMs });

  return (
    <DetailPage
      query={query}
      back={<BackLink to={PATHS.events}>{m.nav_events()}</BackLink>}
      notFound={{
        title: m.event_not_found(),
        text: m.event_not_found_text({ id: eventId }),
        action: (
          <LinkButton to={PATHS.events} search={{ view: "all", q: eventId }}>
            {m.event_not_found_action()}
          </LinkButton>
        ),
      }}
      errorTitle={m.event_error()}
    >
      {(detail) => (
        <>
          {detail.event.eventId !== eventId && <p>{m.event_by_twin({ id: eventId })}</p>}
          <EventView key={eventId} detail={detail} />
        </>
      )}
    </DetailPage>
  );
}
