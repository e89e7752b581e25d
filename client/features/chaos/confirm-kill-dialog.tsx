import { Button } from "@mantine/core";
import { CHAOS_MINUTES_MAX } from "#shared/chaos.ts";
import type { ChaosChange } from "#shared/desk-inputs.ts";
import { m } from "../../messages/generated/messages.js";
import { Dialog } from "../../ui/dialog.tsx";
import styles from "./chaos.module.css";

interface ConfirmKillDialogProps {
  /** What is asked for; null while nothing is. */
  change: ChaosChange | null;
  databaseSeconds: number;
  onClose: () => void;
  onConfirm: (change: ChaosChange) => void;
}

/** Says what a killed database means for everybody here, before it is. */
export function ConfirmKillDialog({ change, databaseSeconds, onClose, onConfirm }: ConfirmKillDialogProps) {
  const isEverything = Object.keys(change?.switches ?? {}).length > 1;
  return (
    <Dialog
      isOpen={change !== null}
      onClose={onClose}
      title={m.chaos_confirm_title({ count: databaseSeconds })}
      actions={
        <>
          <Button onClick={onClose} data-autofocus>
            {m.cancel()}
          </Button>
          <Button variant="filled" onClick={() => change && onConfirm(change)}>
            {isEverything ? m.chaos_all_on() : m.chaos_confirm()}
          </Button>
        </>
      }
    >
      <p className={styles.lead}>{m.chaos_confirm_text({ minutes: CHAOS_MINUTES_MAX })}</p>
    </Dialog>
  );
}
