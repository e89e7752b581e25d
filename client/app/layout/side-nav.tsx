import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { EventCounts, OrderCounts } from "#shared/desk-views.ts";
import { hasPermission } from "#shared/roles.ts";
import { m } from "../../messages/generated/messages.js";
import { Ago } from "../../ui/age.tsx";
import { formatCount } from "../../ui/format-count.ts";
import { useDesk } from "../desk.tsx";
import { PATHS } from "../paths.ts";
import styles from "./side-nav.module.css";

interface SideNavProps {
  events: EventCounts | undefined;
  orders: OrderCounts | undefined;
  /** Called when a link is followed, so that a drawer around it can close. */
  onFollow?: () => void;
  /** Stands above the links. */
  head?: ReactNode;
}

/** The pages that exist, with what waits on each. */
export function SideNav({ events, orders, onFollow, head }: SideNavProps) {
  const { operator, mode } = useDesk();
  const unfinished = events && Object.values(events.phases).reduce((sum, count) => sum + count, 0);

  return (
    <nav className={styles.nav} aria-label={m.nav_label()}>
      {head !== undefined && <div className={styles.head}>{head}</div>}
      <Link to={PATHS.events} className={styles.link} {...(onFollow && { onClick: onFollow })}>
        {m.nav_events()}
        {unfinished !== undefined && (
          <span className={styles.count} title={m.nav_events_count()}>
            {formatCount(unfinished)}
            <span className="visually-hidden"> {m.nav_events_count()}</span>
          </span>
        )}
      </Link>
      <Link to={PATHS.orders} className={styles.link} {...(onFollow && { onClick: onFollow })}>
        {m.nav_orders()}
        {orders !== undefined && orders.notExactlyOne > 0 && (
          <span className={styles.count} data-alarm="true" title={m.nav_orders_count()}>
            {formatCount(orders.notExactlyOne)}
            <span className="visually-hidden"> {m.nav_orders_count()}</span>
          </span>
        )}
      </Link>
      {mode === "sandbox" && (
        <>
          <div className={styles.line} />
          <p className={styles.group}>{m.nav_sandbox()}</p>
          <Link to={PATHS.chaos} className={styles.link} {...(onFollow && { onClick: onFollow })}>
            {m.nav_chaos()}
          </Link>
        </>
      )}
      {hasPermission(operator.role, "manage_operators") && (
        <>
          <div className={styles.line} />
          <p className={styles.group}>{m.nav_settings()}</p>
          <Link to={PATHS.operators} className={styles.link} {...(onFollow && { onClick: onFollow })}>
            {m.nav_operators()}
          </Link>
        </>
      )}
      <p className={styles.pulse}>
        {events?.lastReceivedAt ? (
          <>
            {m.nav_last_event()} <Ago since={events.lastReceivedAt} />
          </>
        ) : (
          events && m.nav_no_event()
        )}
      </p>
    </nav>
  );
}
