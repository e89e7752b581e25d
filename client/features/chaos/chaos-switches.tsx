import { NativeSelect, Switch } from "@mantine/core";
import { CHAOS_SWITCHES, type ChaosSettings, type ChaosSwitch } from "#shared/chaos.ts";
import type { ChaosChange } from "#shared/desk-inputs.ts";
import { OUTCOMES } from "#shared/outcomes.ts";
import { m } from "../../messages/generated/messages.js";
import { Card } from "../../ui/card.tsx";
import styles from "./chaos.module.css";

const WORDS: Record<ChaosSwitch, { name: () => string; text: () => string }> = {
  duplicates: { name: m.chaos_duplicates, text: m.chaos_duplicates_text },
  twins: { name: m.chaos_twins, text: m.chaos_twins_text },
  reordering: { name: m.chaos_reordering, text: m.chaos_reordering_text },
  slow_stripe: { name: m.chaos_slow_stripe, text: m.chaos_slow_stripe_text },
  failing_stripe: { name: m.chaos_failing_stripe, text: m.chaos_failing_stripe_text },
  worker_kills: { name: m.chaos_worker_kills, text: m.chaos_worker_kills_text },
  database_kills: { name: m.chaos_database_kills, text: m.chaos_database_kills_text },
};
const PERIODS: {
  [S in ChaosSwitch]?: { setting: "workerSeconds" | "databaseSeconds"; label: () => string };
} = {
  worker_kills: { setting: "workerSeconds", label: m.chaos_worker_period },
  database_kills: { setting: "databaseSeconds", label: m.chaos_database_period },
};
const PERIOD_CHOICES = [5, 10, 20, 30, 60, 120];

interface ChaosSwitchesProps {
  settings: ChaosSettings & { mayKillDatabase: boolean };
  /** What was asked and is not yet answered: shown as if it were. */
  asked: ChaosChange | undefined;
  /** Why this operator may not throw them; undefined when they may. */
  refusal: string | undefined;
  onChange: (change: ChaosChange) => void;
}

/** One switch for each thing that goes wrong in practice. */
export function ChaosSwitches({ settings, asked, refusal, onChange }: ChaosSwitchesProps) {
  return (
    <Card title={m.chaos_switches()}>
      {refusal !== undefined && <p className={styles.lead}>{refusal}</p>}
      <ul className={styles.switches}>
        {CHAOS_SWITCHES.map((name) => {
          const isMissing = name === "database_kills" && !settings.mayKillDatabase;
          const isDisabled = refusal !== undefined || isMissing;
          return (
            <li key={name} className={styles.switch}>
              <Switch
                withThumbIndicator={false}
                label={WORDS[name].name()}
                description={isMissing ? OUTCOMES.database_not_ours.meaning : WORDS[name].text()}
                checked={asked?.switches[name] ?? settings.switches[name]}
                disabled={isDisabled}
                onChange={({ currentTarget }) => onChange({ switches: { [name]: currentTarget.checked } })}
              />
              <Period {...{ name, settings, asked, isDisabled, onChange }} />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

interface PeriodProps extends Omit<ChaosSwitchesProps, "refusal"> {
  name: ChaosSwitch;
  isDisabled: boolean;
}

/** How often it happens, for what happens every so many seconds. */
function Period({ name, settings, asked, isDisabled, onChange }: PeriodProps) {
  const period = PERIODS[name];
  if (period === undefined) return null;
  const value = asked?.[period.setting] ?? settings[period.setting];
  const choices = [...new Set([...PERIOD_CHOICES, value])].toSorted((a, b) => a - b);
  return (
    <NativeSelect
      aria-label={period.label()}
      value={value}
      disabled={isDisabled}
      data={choices.map((seconds) => ({ value: String(seconds), label: m.chaos_every({ count: seconds }) }))}
      onChange={({ currentTarget }) =>
        onChange({ switches: {}, [period.setting]: Number(currentTarget.value) })
      }
    />
  );
}
