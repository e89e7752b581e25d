import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { m } from "../messages/generated/messages.js";
import styles from "./dialog.module.css";

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** The buttons, the one that acts last. */
  actions: ReactNode;
}

/** What opened the dialog may be gone by the time it closes, such as the row of an event that was finished. */
function focusPageIfLost() {
  if (document.activeElement === document.body) document.querySelector("main")?.focus();
}

/** A question to the operator. Keeps the focus inside, closes on Escape, and gives the focus back. */
export function Dialog({ isOpen, onClose, title, children, actions }: DialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={560}
      centered
      onExitTransitionEnd={focusPageIfLost}
      closeButtonProps={{ "aria-label": m.close() }}
    >
      <div className={styles.body}>{children}</div>
      <div className={styles.actions}>{actions}</div>
    </Modal>
  );
}
