import { type ReactNode, useId } from "react";
import styles from "./card.module.css";

interface CardProps {
  title: string;
  beside?: ReactNode;
  children: ReactNode;
  /** Lets a table or a time axis reach the card's edges. */
  isFlush?: boolean;
}

/** A titled region of a page. */
export function Card({ title, beside, children, isFlush = false }: CardProps) {
  const titleId = useId();
  return (
    <section className={styles.card} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        {beside}
      </div>
      <div className={isFlush ? undefined : styles.body}>{children}</div>
    </section>
  );
}

/** Two columns: what happened, and the facts beside it. One below the other where the screen is narrow. */
export function Columns({ main, side }: { main: ReactNode; side: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.stack}>{main}</div>
      <div className={styles.stack}>{side}</div>
    </div>
  );
}
