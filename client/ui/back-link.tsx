import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes } from "react";
import styles from "./back-link.module.css";

function BackAnchor({ children, ...anchor }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a {...anchor} className={styles.back}>
      <span aria-hidden="true">‹</span> {children}
    </a>
  );
}

/** The way back from one thing to the list it is in. */
export const BackLink = createLink(BackAnchor);
