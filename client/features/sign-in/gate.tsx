import type { ReactNode } from "react";
import { Brand } from "../../app/layout/brand.tsx";
import { m } from "../../messages/generated/messages.js";
import styles from "./gate.module.css";

interface GateProps {
  title: string;
  /** What this page asks for, or why it cannot go on. */
  lead: ReactNode;
  children?: ReactNode;
  foot?: ReactNode;
}

/** The frame of the pages before the desk. */
export function Gate({ title, lead, children, foot }: GateProps) {
  return (
    <main className={styles.gate}>
      <title>{m.page_title({ title })}</title>
      <div className={styles.column}>
        <div className={styles.brand}>
          <Brand />
        </div>
        <div className={styles.card}>
          <h1 className={styles.title}>{title}</h1>
          <div className={styles.lead}>{lead}</div>
          {children}
        </div>
        {foot !== undefined && <div className={styles.foot}>{foot}</div>}
      </div>
    </main>
  );
}

/** What went wrong with the form above it; read out when it changes. */
export function GateProblem({ children }: { children: string | null }) {
  return <div role="alert">{children !== null && <p className={styles.problem}>{children}</p>}</div>;
}
