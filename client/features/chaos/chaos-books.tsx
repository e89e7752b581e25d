import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ChaosView } from "#shared/desk-views.ts";
import { PATHS } from "../../app/paths.ts";
import { m } from "../../messages/generated/messages.js";
import { Age } from "../../ui/age.tsx";
import { formatCount } from "../../ui/format-count.ts";
import styles from "./chaos.module.css";

/** The line that must hold whatever is on: as many grants as paid orders, and none that is not exactly one. */
export function ChaosBooks({ books }: { books: ChaosView["books"] }) {
  const { ordersPaid, grants, notExactlyOne, withoutCredits, unfinished, oldestUnfinishedAt } = books;
  return (
    <section aria-label={m.chaos_books()}>
      <dl className={styles.figures}>
        <Figure label={m.chaos_orders_paid()}>{formatCount(ordersPaid)}</Figure>
        <Figure label={m.chaos_grants()}>{formatCount(grants)}</Figure>
        <Figure label={m.chaos_not_exactly_one()} isAlarm={notExactlyOne > 0}>
          {formatCount(notExactlyOne)}
        </Figure>
        <Figure
          label={m.chaos_oldest_unfinished()}
          note={unfinished > 0 ? m.chaos_unfinished({ count: formatCount(unfinished) }) : undefined}
        >
          {oldestUnfinishedAt === null ? m.chaos_nothing_unfinished() : <Age since={oldestUnfinishedAt} />}
        </Figure>
      </dl>
      <p className={styles.verdict} data-alarm={notExactlyOne > 0}>
        {withoutCredits > 0 && `${m.chaos_without_credits({ count: formatCount(withoutCredits) })} `}
        {verdictOn(books)}{" "}
        {notExactlyOne + withoutCredits > 0 && (
          <Link to={PATHS.orders} search={{ view: "not_exactly_one" }}>
            {m.chaos_see_orders()}
          </Link>
        )}
      </p>
    </section>
  );
}

function verdictOn({ notExactlyOne, withoutCredits }: ChaosView["books"]): string {
  if (notExactlyOne > 0) return m.chaos_not_exact();
  return withoutCredits > 0 ? m.chaos_exact_others() : m.chaos_exact();
}

interface FigureProps {
  label: string;
  children: ReactNode;
  note?: string | undefined;
  isAlarm?: boolean;
}

function Figure({ label, children, note, isAlarm = false }: FigureProps) {
  return (
    <div className={styles.figure} data-alarm={isAlarm}>
      <dt>{label}</dt>
      <dd>
        {children}
        {note !== undefined && <span className={styles.note}> {note}</span>}
      </dd>
    </div>
  );
}
