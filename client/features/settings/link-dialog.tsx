import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useDesk } from "../../app/desk.tsx";
import { m } from "../../messages/generated/messages.js";
import { Dialog } from "../../ui/dialog.tsx";
import { formatInstant } from "../../ui/format-instant.ts";
import styles from "./operators.module.css";

export interface IssuedLink {
  link: string;
  expiresAt: Date;
}

interface LinkDialogProps {
  link: IssuedLink | null;
  onClose: () => void;
}

/** Shows a one-time link the one time it can be seen: the server keeps only its hash. */
export function LinkDialog({ link, onClose }: LinkDialogProps) {
  const { timezone } = useDesk();
  const clipboard = useClipboard({ timeout: 2000 });

  return (
    <Dialog
      isOpen={link !== null}
      onClose={onClose}
      title={m.link_title()}
      actions={
        <>
          <Button onClick={onClose}>{m.done()}</Button>
          <Button variant="filled" data-autofocus onClick={() => link && clipboard.copy(link.link)}>
            {clipboard.copied ? m.copied() : m.link_copy()}
          </Button>
        </>
      }
    >
      <p className={styles.lead}>{m.link_lead()}</p>
      {link && (
        <>
          <code className={styles.link}>{link.link}</code>
          <p className={styles.lead}>{m.link_expires({ at: formatInstant(link.expiresAt, timezone) })}</p>
        </>
      )}
      <span className="visually-hidden" aria-live="polite">
        {clipboard.copied ? m.copied() : ""}
      </span>
    </Dialog>
  );
}
