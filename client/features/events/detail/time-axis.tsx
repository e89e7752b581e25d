import { useDisclosure } from "@mantine/hooks";
import { m } from "../../../messages/generated/messages.js";
import { CopyableId } from "../../../ui/copyable-id.tsx";
import { formatClock, formatDay, formatInstant } from "../../../ui/format-instant.ts";
import { useZone } from "../../../ui/zone.tsx";
import styles from "./time-axis.module.css";
import type { TimelineItem } from "./timeline.ts";

/** The spine grown into a line of time. */
export function TimeAxis({ items }: { items: TimelineItem[] }) {
  const zone = useZone();
  return (
    <ol className={styles.axis}>
      {items.map((item, index) => (
        <AxisItem key={item.key} item={item} day={newDay(item, items[index - 1], zone)} />
      ))}
    </ol>
  );
}

/** The day, where it differs from the item's above. */
function newDay(item: TimelineItem, above: TimelineItem | undefined, zone: string): string | undefined {
  if (item.at === null) return undefined;
  const day = formatDay(item.at, zone);
  return above?.at && formatDay(above.at, zone) === day ? undefined : day;
}

function AxisItem({ item, day }: { item: TimelineItem; day: string | undefined }) {
  const [isUnfolded, folding] = useDisclosure(false);
  return (
    <li className={styles.item} data-coming={item.at === null || undefined}>
      <AxisTime at={item.at} day={day} />
      <span className={styles.dot} data-tone={item.tone} aria-hidden="true" />
      <div className={styles.what}>
        <p className={styles.title}>
          {item.title} {item.id !== undefined && <CopyableId id={item.id} />}
        </p>
        {item.text !== undefined && <p className={styles.text}>{item.text}</p>}
        {item.folded && (
          <>
            <button type="button" className={styles.fold} aria-expanded={isUnfolded} onClick={folding.toggle}>
              {isUnfolded ? m.axis_fold() : m.axis_unfold()}
            </button>
            {isUnfolded && <FoldedItems items={item.folded} />}
          </>
        )}
      </div>
    </li>
  );
}

function AxisTime({ at, day }: { at: Date | null; day: string | undefined }) {
  const zone = useZone();
  if (at === null) return <span className={styles.time}>{m.axis_now()}</span>;
  return (
    <time className={styles.time} dateTime={at.toISOString()} title={formatInstant(at, zone)}>
      {day !== undefined && <span className={styles.day}>{day}</span>}
      {formatClock(at, zone)}
    </time>
  );
}

function FoldedItems({ items }: { items: TimelineItem[] }) {
  const zone = useZone();
  return (
    <ul className={styles.folded}>
      {items.map((item) => (
        <li key={item.key}>
          {item.at && <time dateTime={item.at.toISOString()}>{formatClock(item.at, zone)}</time>} {item.text}
        </li>
      ))}
    </ul>
  );
}
