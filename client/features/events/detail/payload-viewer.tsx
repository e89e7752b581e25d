import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useState } from "react";
import type { PayloadNode } from "#shared/desk-views.ts";
import { m } from "../../../messages/generated/messages.js";
import { Card } from "../../../ui/card.tsx";
import { formatCount } from "../../../ui/format-count.ts";
import { PayloadTree } from "./payload-tree.tsx";
import styles from "./payload-viewer.module.css";

interface PayloadViewerProps {
  payload: PayloadNode | null;
  payloadBytes: number | null;
}

/** What Stripe sent, as far as this operator may see it. It is evidence, never what the desk acts on. */
export function PayloadViewer({ payload, payloadBytes }: PayloadViewerProps) {
  const clipboard = useClipboard({ timeout: 1500 });
  // Unfolding everything draws the tree anew, so that each branch starts from the new default.
  const [depth, setDepth] = useState(2);
  const isUnfolded = depth === Number.POSITIVE_INFINITY;

  return (
    <Card
      title={m.payload_title()}
      isFlush
      beside={
        payload && (
          <div className={styles.tools}>
            {payloadBytes !== null && <span>{m.payload_bytes({ shown: formatCount(payloadBytes) })}</span>}
            <Button variant="subtle" onClick={() => setDepth(isUnfolded ? 2 : Number.POSITIVE_INFINITY)}>
              {isUnfolded ? m.payload_fold() : m.payload_unfold()}
            </Button>
          </div>
        )
      }
    >
      {payload === null ? (
        <p className={styles.gone}>{payloadBytes === null ? m.payload_dropped() : m.payload_not_json()}</p>
      ) : (
        <div className={styles.scroll} key={depth}>
          <PayloadTree name="" path="" node={payload} depth={0} openDepth={depth} onCopy={clipboard.copy} />
        </div>
      )}
      <p className={styles.note} aria-live="polite">
        {clipboard.copied ? m.payload_path_copied() : payload && m.payload_note()}
      </p>
    </Card>
  );
}
