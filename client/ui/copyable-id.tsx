import { useClipboard } from "@mantine/hooks";
import { m } from "../messages/generated/messages.js";
import styles from "./copyable-id.module.css";
import { CheckIcon, CopyIcon } from "./icons.tsx";
import { shortenId } from "./shorten-id.ts";

interface CopyableIdProps {
  id: string;
  /** Shows every character, where there is room and the reader compares ids. */
  isWhole?: boolean;
}

/** An id to read and to copy. Shortened for the eye only: what lands in the clipboard is the whole id. */
export function CopyableId({ id, isWhole = false }: CopyableIdProps) {
  return (
    <span className={styles.id} data-whole={isWhole || undefined}>
      <code title={id} className={styles.code}>
        {isWhole ? id : shortenId(id)}
      </code>
      <CopyButton id={id} />
    </span>
  );
}

function CopyButton({ id }: { id: string }) {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <>
      <button
        type="button"
        className={styles.copy}
        data-copied={clipboard.copied || undefined}
        aria-label={m.copy_id({ id })}
        onClick={() => clipboard.copy(id)}
      >
        {clipboard.copied ? <CheckIcon /> : <CopyIcon />}
      </button>
      <span className="visually-hidden" aria-live="polite">
        {clipboard.copied ? m.copied() : ""}
      </span>
    </>
  );
}
