import { m } from "../../messages/generated/messages.js";
import styles from "./brand.module.css";

/** The mark: a one in a ring, for *once*. */
export function Mark() {
  return (
    <span className={styles.mark} aria-hidden="true">
      1
    </span>
  );
}

export function Brand() {
  return (
    <span className={styles.brand}>
      <Mark />
      {m.app_name()}
    </span>
  );
}
