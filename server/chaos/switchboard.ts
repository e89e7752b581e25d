import {
  CHAOS_MINUTES_MAX,
  CHAOS_PERIOD_DEFAULTS,
  CHAOS_SWITCHES,
  type ChaosSettings,
  type ChaosSwitches,
  type ChaosTally,
} from "#shared/chaos.ts";
import type { ChaosChange } from "#shared/desk-inputs.ts";

/** From the first switch turned on to the last turned off. */
export interface ChaosRun {
  startedAt: Date;
  /** When it ends by itself, or when it ended. */
  endsAt: Date;
  tally: ChaosTally;
}

/** The switches of one process's chaos, and what was done since they were thrown. Kept in memory: each start is calm. */
export interface Switchboard {
  settings: () => ChaosSettings;
  /** Whether anything is on. */
  isOn: () => boolean;
  /** The present run, or the last one; null if there was none. */
  run: () => ChaosRun | null;
  /** Throws the switches named, and starts the time anew after which all of them go off. */
  change: (change: ChaosChange) => void;
  count: (what: keyof ChaosTally) => void;
  /** Resolves at the next change. */
  changed: () => Promise<void>;
}

const ALL_OFF = Object.fromEntries(CHAOS_SWITCHES.map((name) => [name, false])) as ChaosSwitches;
const MAX_MS = CHAOS_MINUTES_MAX * 60_000;

/** @param now Milliseconds since 1970. */
export function createSwitchboard(now: () => number = Date.now): Switchboard {
  let thrown: ChaosSettings = { switches: ALL_OFF, ...CHAOS_PERIOD_DEFAULTS };
  let run: ChaosRun | null = null;
  let waiting: (() => void)[] = [];

  const isOver = () => run !== null && now() >= run.endsAt.getTime();
  const settings = (): ChaosSettings => (isOver() ? { ...thrown, switches: ALL_OFF } : thrown);
  const isOn = () => Object.values(settings().switches).some(Boolean);

  return {
    settings,
    isOn,
    run: () => run,
    change: ({ switches, ...periods }) => {
      const wasOn = isOn();
      thrown = { ...thrown, ...periods, switches: { ...settings().switches, ...switches } };
      const isOnNow = Object.values(thrown.switches).some(Boolean);
      const endsAt = new Date(now() + (isOnNow ? MAX_MS : 0));
      if (wasOn && run !== null) run = { ...run, endsAt };
      else if (isOnNow) run = { startedAt: new Date(now()), endsAt, tally: nothingDone() };
      for (const tell of waiting.splice(0)) tell();
    },
    count: (what) => {
      if (run !== null) run.tally[what] += 1;
    },
    changed: () =>
      new Promise((resolve) => {
        waiting = [...waiting, resolve];
      }),
  };
}

function nothingDone(): ChaosTally {
  return { workersKilled: 0, databaseKills: 0, answersSlowed: 0, answersFailed: 0 };
}
