import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode } from "react";
import { formatCount } from "./format-count.ts";
import type { Tone } from "./status-badge.tsx";
import styles from "./view-tabs.module.css";

/** A row of views of one list. They are links, so each view can be sent to somebody. */
export function ViewTabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  );
}

interface TabAnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  isCurrent: boolean;
  count?: number | undefined;
  /** Colours the count when it is above zero. */
  tone?: Tone;
}

function TabAnchor({ isCurrent, count, tone, children, ...anchor }: TabAnchorProps) {
  return (
    <a
      {...anchor}
      className={styles.tab}
      aria-current={isCurrent ? "page" : undefined}
      data-current={isCurrent}
    >
      {children}
      {count !== undefined && (
        <b className={styles.count} data-tone={tone} data-toned={tone !== undefined && count > 0}>
          {formatCount(count)}
        </b>
      )}
    </a>
  );
}

export const ViewTab = createLink(TabAnchor);
