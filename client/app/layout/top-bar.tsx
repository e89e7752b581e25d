import { Burger } from "@mantine/core";
import type { Mode } from "#shared/desk-views.ts";
import { m } from "../../messages/generated/messages.js";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { useDesk } from "../desk.tsx";
import { LivePill } from "./live-pill.tsx";
import { OperatorMenu } from "./operator-menu.tsx";
import { SearchBox } from "./search-box.tsx";
import styles from "./top-bar.module.css";

interface TopBarProps {
  isFailing: boolean;
  isNavOpen: boolean;
  onToggleNav: () => void;
}

export function TopBar({ isFailing, isNavOpen, onToggleNav }: TopBarProps) {
  const desk = useDesk();
  return (
    <section className={styles.bar} aria-label={m.top_bar()}>
      <div className={styles.burger}>
        <Burger opened={isNavOpen} onClick={onToggleNav} size={18} aria-label={m.nav_open()} />
      </div>
      <div className={styles.search}>
        <SearchBox />
      </div>
      <div className={styles.facts}>
        <ModePill mode={desk.mode} />
        <LivePill isFailing={isFailing} />
        <span className={styles.zone} title={m.zone_title()}>
          {desk.timezone}
        </span>
        <OperatorMenu />
      </div>
    </section>
  );
}

/** Live needs no mark; anything else must be seen at once. */
function ModePill({ mode }: { mode: Mode }) {
  if (mode === "live") return null;
  return (
    <StatusBadge
      tone="twin"
      withDot={false}
      title={mode === "sandbox" ? m.mode_sandbox_title() : m.mode_test_title()}
    >
      {mode === "sandbox" ? m.mode_sandbox() : m.mode_test()}
    </StatusBadge>
  );
}
