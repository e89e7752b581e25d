/** What can be made to go wrong in a sandbox, in the order in which the desk lists it. */
export const CHAOS_SWITCHES = [
  "duplicates",
  "twins",
  "reordering",
  "slow_stripe",
  "failing_stripe",
  "worker_kills",
  "database_kills",
] as const;
export type ChaosSwitch = (typeof CHAOS_SWITCHES)[number];
export type ChaosSwitches = Record<ChaosSwitch, boolean>;

/** How many seconds may lie between two kills of a worker, or of the database. */
export const CHAOS_PERIOD_SECONDS = { min: 5, max: 120 } as const;
export const CHAOS_PERIOD_DEFAULTS = { workerSeconds: 10, databaseSeconds: 30 } as const;

/** Chaos ends by itself this long after the last change, so that a forgotten one fills no disk. */
export const CHAOS_MINUTES_MAX = 15;

export interface ChaosSettings {
  switches: ChaosSwitches;
  /** A worker is killed every so many seconds, while `worker_kills` is on. */
  workerSeconds: number;
  /** The database is killed and started again every so many seconds, while `database_kills` is on. */
  databaseSeconds: number;
}

/** What chaos did since it was turned on, beyond what the deliveries themselves show. */
export interface ChaosTally {
  workersKilled: number;
  databaseKills: number;
  /** Stripe's answers to our reads. */
  answersSlowed: number;
  answersFailed: number;
}
