import { m } from "../messages/generated/messages.js";
import styles from "./boot-screen.module.css";
import { Mark } from "./layout/brand.tsx";

/** Shown while the server has not yet said who is asking. */
export function BootScreen() {
  return (
    <output className={styles.screen}>
      <span className={styles.mark}>
        <Mark />
      </span>
      <span className="visually-hidden">{m.loading()}</span>
    </output>
  );
}
