import { useHotkeys } from "@mantine/hooks";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useRef } from "react";
import { m } from "../../messages/generated/messages.js";
import { SearchIcon } from "../../ui/icons.tsx";
import { PATHS } from "../paths.ts";
import styles from "./search-box.module.css";

/** Takes any id. On the orders pages it looks among orders, everywhere else among events. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const isOrders = useRouterState({ select: (state) => state.location.pathname.startsWith(PATHS.orders) });
  const term = useRouterState({
    select: (state) => ("q" in state.location.search ? state.location.search.q : undefined),
  });
  useHotkeys([["/", () => input.current?.focus()]]);

  const search = (formData: FormData) => {
    const typed = formData.get("q");
    const q = typeof typed === "string" && typed.trim() !== "" ? typed.trim() : undefined;
    void (isOrders
      ? navigate({ to: PATHS.orders, search: { q, view: "all" } })
      : navigate({ to: PATHS.events, search: { q, view: q === undefined ? "unfinished" : "all" } }));
  };

  const label = isOrders ? m.search_orders() : m.search_events();
  return (
    <search>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          search(new FormData(event.currentTarget));
        }}
      >
        <SearchIcon />
        <input
          // A search taken off elsewhere empties the box as well.
          key={term ?? ""}
          ref={input}
          className={styles.input}
          type="search"
          name="q"
          defaultValue={term ?? ""}
          placeholder={label}
          aria-label={label}
          maxLength={300}
          autoComplete="off"
          spellCheck={false}
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
        />
        <kbd className={styles.key} aria-hidden="true">
          /
        </kbd>
      </form>
    </search>
  );
}
