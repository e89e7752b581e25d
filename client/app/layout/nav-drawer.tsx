import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { m } from "../../messages/generated/messages.js";
import { Brand } from "./brand.tsx";
import styles from "./nav-drawer.module.css";

interface NavDrawerProps {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The navigation where there is no room beside the page. */
export function NavDrawer({ isOpen, onClose, children }: NavDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      size={264}
      title={<Brand />}
      closeButtonProps={{ "aria-label": m.close() }}
    >
      <div className={styles.drawer}>{children}</div>
    </Drawer>
  );
}
