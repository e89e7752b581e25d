import { type MantineColorScheme, Menu, useMantineColorScheme } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { m } from "../../messages/generated/messages.js";
import { CheckIcon, ChevronDownIcon } from "../../ui/icons.tsx";
import { roleWord } from "../../ui/state-words.tsx";
import { useDesk } from "../desk.tsx";
import { PATHS } from "../paths.ts";
import { signOut } from "../session.ts";
import styles from "./operator-menu.module.css";

const SCHEMES: { scheme: MantineColorScheme; label: () => string }[] = [
  { scheme: "light", label: m.theme_light },
  { scheme: "dark", label: m.theme_dark },
  { scheme: "auto", label: m.theme_system },
];

/** Who is signed in, the theme, and the way out. */
export function OperatorMenu() {
  const { operator } = useDesk();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const queryClient = useQueryClient();
  const navigate = useNavigate();

  const [hasFailed, setFailed] = useState(false);

  const choose = (value: string) => {
    const chosen = SCHEMES.find(({ scheme }) => scheme === value);
    if (chosen) setColorScheme(chosen.scheme);
  };

  const leave = async () => {
    if (!(await signOut())) {
      setFailed(true);
      return;
    }
    await navigate({ to: PATHS.signIn });
    // Nothing that one operator was shown may be left for the next.
    queryClient.clear();
  };

  return (
    <>
      <Menu position="bottom-end" width={208}>
        <Menu.Target>
          <button
            type="button"
            className={styles.target}
            aria-label={m.operator_menu({ name: operator.name })}
          >
            <span className={styles.name}>{operator.name}</span>
            <ChevronDownIcon />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={styles.who}>
            <p className={styles.email}>{operator.email}</p>
            <p className={styles.role}>{m.operator_role({ role: roleWord(operator.role) })}</p>
          </div>
          <Menu.Divider />
          <Menu.Label>{m.theme_label()}</Menu.Label>
          <Menu.RadioGroup value={colorScheme} onChange={choose}>
            {SCHEMES.map(({ scheme, label }) => (
              <Menu.RadioItem key={scheme} value={scheme} checkIcon={<CheckIcon />}>
                {label()}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item closeMenuOnClick={false} onClick={() => void leave()}>
            {hasFailed ? m.sign_out_failed() : m.sign_out()}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <span className="visually-hidden" aria-live="assertive">
        {hasFailed ? m.sign_out_failed() : ""}
      </span>
    </>
  );
}
