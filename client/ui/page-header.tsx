import { type ReactNode, useEffect } from "react";
import { m } from "../messages/generated/messages.js";
import styles from "./page-header.module.css";

interface PageHeaderProps {
  title: string;
  /** Beside the title: badges, an id. */
  beside?: ReactNode;
  /** Under the title: a sentence, or a skeleton of one. */
  children?: ReactNode;
  actions?: ReactNode;
}

/** The head of a page. Its title is the browser tab's as well. */
export function PageHeader({ title, beside, children, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = m.page_title({ title });
  }, [title]);

  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <div className={styles.line}>
          <h1 className={styles.title}>{title}</h1>
          {beside}
        </div>
        {children !== undefined && <div className={styles.sub}>{children}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
