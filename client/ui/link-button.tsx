import { Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes } from "react";

type AnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps>;

function ButtonAnchor(props: ButtonProps & AnchorProps) {
  return <Button component="a" {...props} />;
}

/** A link that looks like a button: it goes somewhere and changes nothing. */
export const LinkButton = createLink(ButtonAnchor);
