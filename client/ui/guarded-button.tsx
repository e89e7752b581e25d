import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface GuardedButtonProps extends ButtonProps {
  /** Why this operator may not use it; undefined when they may. */
  refusal: string | undefined;
  onClick: () => void;
  children: ReactNode;
  "aria-label"?: string;
}

/**
 * A button that not everybody may use. Without permission it stays in place and can be focused, so that
 * its reason is read: as a tooltip by the eye, as a description by a screen reader. The server checks again.
 */
export function GuardedButton({ refusal, onClick, children, ...button }: GuardedButtonProps) {
  const reasonId = useId();
  if (refusal === undefined) {
    return (
      <Button {...button} onClick={onClick}>
        {children}
      </Button>
    );
  }

  return (
    <>
      <Tooltip label={refusal}>
        <Button
          {...button}
          aria-disabled="true"
          aria-describedby={reasonId}
          onClick={(event) => event.preventDefault()}
        >
          {children}
        </Button>
      </Tooltip>
      <span id={reasonId} className="visually-hidden">
        {refusal}
      </span>
    </>
  );
}
