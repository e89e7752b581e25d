import { Menu } from "@mantine/core";
import { m } from "../messages/generated/messages.js";
import styles from "./filter-chip.module.css";
import { CheckIcon, CloseIcon } from "./icons.tsx";

export interface FilterOption<Value> {
  label: string;
  value: Value;
}

interface FilterChipProps<Value> {
  /** What is filtered, such as "Type is". */
  label: string;
  /** The chosen value in words; undefined when nothing is filtered. */
  chosen: string | undefined;
  /** What stands there instead. */
  unset?: string;
  options: FilterOption<Value>[];
  isChosen: (value: Value) => boolean;
  onChoose: (value: Value) => void;
  /** Takes the filter off. */
  onClear: () => void;
}

/** One filter: says what it filters by, opens its choices, and can be taken off. */
export function FilterChip<Value>({
  label,
  chosen,
  unset,
  options,
  isChosen,
  onChoose,
  onClear,
}: FilterChipProps<Value>) {
  return (
    <span className={styles.chip} data-set={chosen !== undefined}>
      <Menu position="bottom-start">
        <Menu.Target>
          <button type="button" className={styles.open}>
            <span className={styles.label}>{label}</span> {chosen ?? unset ?? m.filter_any()}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {options.map((option) => (
            <Menu.RadioItem
              key={option.label}
              value={option.label}
              checked={isChosen(option.value)}
              checkIcon={<CheckIcon />}
              closeMenuOnClick
              onChange={() => onChoose(option.value)}
            >
              {option.label}
            </Menu.RadioItem>
          ))}
        </Menu.Dropdown>
      </Menu>
      {chosen !== undefined && (
        <button
          type="button"
          className={styles.clear}
          aria-label={m.filter_clear({ label })}
          onClick={onClear}
        >
          <CloseIcon />
        </button>
      )}
    </span>
  );
}

interface SearchChipProps {
  term: string;
  onClear: () => void;
}

/** The search a list is narrowed by, to be seen and taken off. */
export function SearchChip({ term, onClear }: SearchChipProps) {
  return (
    <span className={styles.chip} data-set="true">
      <span className={styles.open}>
        <span className={styles.label}>{m.filter_search()}</span> <code>{term}</code>
      </span>
      <button type="button" className={styles.clear} aria-label={m.filter_search_clear()} onClick={onClear}>
        <CloseIcon />
      </button>
    </span>
  );
}

/** Where chips stand in a row, with what belongs on the right of it. */
export function FilterBar({ children, aside }: { children: React.ReactNode; aside?: React.ReactNode }) {
  return (
    <div className={styles.bar}>
      {children}
      {aside !== undefined && <div className={styles.aside}>{aside}</div>}
    </div>
  );
}
