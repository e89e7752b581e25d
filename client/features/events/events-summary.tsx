import { Skeleton } from "@mantine/core";
import type { EventCounts } from "#shared/desk-views.ts";
import { m } from "../../messages/generated/messages.js";
import { useNow } from "../../ui/clock.tsx";
import { formatAge } from "../../ui/format-age.ts";
import { formatCount } from "../../ui/format-count.ts";

/** Everything the door has seen in a day and what is left of it, in two sentences. */
export function EventsSummary({ counts }: { counts: EventCounts | undefined }) {
  const now = useNow();
  if (counts === undefined) return <Skeleton height={11} width={380} maw="100%" my={4} />;

  const unfinished = Object.values(counts.phases).reduce((sum, count) => sum + count, 0);
  const { claimed, redeliveries, twins, unreadable } = counts.lastDay;
  return (
    <p>
      {counts.oldestUnfinishedAt === null
        ? m.events_none_unfinished()
        : m.events_unfinished({
            count: formatCount(unfinished),
            age: formatAge(counts.oldestUnfinishedAt, now),
          })}{" "}
      {m.events_last_day({
        received: formatCount(claimed),
        redeliveries: m.count_redeliveries({ count: redeliveries, shown: formatCount(redeliveries) }),
        twins: m.count_twins({ count: twins, shown: formatCount(twins) }),
      })}
      {unreadable > 0 && ` ${m.events_unreadable({ count: unreadable, shown: formatCount(unreadable) })}`}
    </p>
  );
}
