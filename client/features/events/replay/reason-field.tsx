import { Textarea } from "@mantine/core";
import { useId, useRef } from "react";
import { REASON_LENGTH_MAX, REASON_LENGTH_MIN } from "#shared/desk-inputs.ts";
import { m } from "../../../messages/generated/messages.js";
import styles from "./replay-dialog.module.css";

const SUGGESTIONS = [
  { word: m.reason_worker_died, text: m.reason_worker_died_text },
  { word: m.reason_cause_fixed, text: m.reason_cause_fixed_text },
  { word: m.reason_customer_waiting, text: m.reason_customer_waiting_text },
];

interface ReasonFieldProps {
  reason: string;
  onChange: (reason: string) => void;
  /** Enter, as in any form; with Shift it begins a new line. */
  onSubmit: () => void;
  isDisabled: boolean;
}

/** Why the operator acts. A chip begins the sentence; the operator may finish it. */
export function ReasonField({ reason, onChange, onSubmit, isDisabled }: ReasonFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const areaId = useId();
  const missing = REASON_LENGTH_MIN - reason.trim().length;

  return (
    <div className={styles.reason}>
      <label htmlFor={areaId} className={styles.label}>
        {m.reason_label()}
      </label>
      <fieldset className={styles.chips} aria-label={m.reason_suggestions()}>
        {SUGGESTIONS.map(({ word, text }) => (
          <button
            key={word()}
            type="button"
            className={styles.chip}
            aria-pressed={reason.startsWith(text())}
            disabled={isDisabled}
            onClick={() => {
              onChange(`${text()} `);
              area.current?.focus();
            }}
          >
            {word()}
          </button>
        ))}
      </fieldset>
      <Textarea
        ref={area}
        id={areaId}
        description={
          missing > 0
            ? m.reason_missing({ count: missing, shown: missing })
            : m.reason_kept({ length: reason.trim().length, max: REASON_LENGTH_MAX })
        }
        inputWrapperOrder={["input", "description"]}
        value={reason}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onSubmit();
        }}
        rows={3}
        maxLength={REASON_LENGTH_MAX}
        disabled={isDisabled}
        data-autofocus
      />
    </div>
  );
}
