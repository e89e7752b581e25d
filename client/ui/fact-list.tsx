import type { ReactNode } from "react";
import styles from "./fact-list.module.css";

export interface Fact {
  label: string;
  value: ReactNode;
}

/** Names and values in two columns. */
export function FactList({ facts }: { facts: Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map((fact) => (
        <div key={fact.label} className={styles.fact}>
          <dt className={styles.label}>{fact.label}</dt>
          <dd className={styles.value}>{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
