import pino from "pino";
import type { Claim } from "../../claims/take.ts";
import type { Db } from "../../db/client.ts";
import { fulfilEvent } from "../../fulfilment/fulfil.ts";
import type { StripeReader } from "../../stripe/checkout-session.ts";
import { type AttemptEnd, attemptEvent } from "../../workers/attempt.ts";

/** Where a worker's process dies while it writes. */
export type Death = "before_commit" | "after_commit";

/** A real attempt that goes on only when it is told to, so that a hang between two of its steps lasts as long as it likes. */
export interface GatedAttempt {
  claim: Claim;
  /** The test's clock moves it: time passes for those who wait. */
  deadline: Date;
  /** `taken`: about to read the order. `decided`: about to write. `dead`: its process ended and reports nothing. */
  stage: "taken" | "decided" | "ended" | "dead";
  /** Null until it ended. */
  end: AttemptEnd | null;
  /** Goes on to its next stop; with `death`, its process dies at the write it is about to make. */
  step: (death?: Death) => Promise<void>;
}

export interface GatedOptions {
  db: Db;
  reader: StripeReader;
  attemptsMax: number;
  onFencedWrite: () => void;
}

/** Begins a worker's attempt at an event it holds. It stands at its first stop when this returns. */
export function beginGated(options: GatedOptions, claim: Claim, deadline: Date): GatedAttempt {
  let goOn: (death: Death | undefined) => void = () => {};
  let arrived = () => {};
  const attempt: GatedAttempt = {
    claim,
    deadline,
    stage: "taken",
    end: null,
    step: (death) =>
      new Promise((resolve) => {
        arrived = resolve;
        goOn(death);
      }),
  };
  function stopAt(stage: GatedAttempt["stage"]): Promise<Death | undefined> {
    attempt.stage = stage;
    arrived();
    return new Promise((resolve) => {
      goOn = resolve;
    });
  }
  const db = withGate(
    options.db,
    () => stopAt("decided"),
    () => stopAt("dead"),
  );
  const handle = async () => {
    await stopAt("taken");
    return await fulfilEvent({ db, reader: options.reader, app: null }, claim, { deadline });
  };
  const log = pino({ level: "silent" });
  void attemptEvent({ ...options, handle, random: () => 0.5, log }, claim, deadline).then((end) => {
    attempt.stage = "ended";
    attempt.end = end;
    arrived();
  });
  return attempt;
}

/** A database whose transactions begin only when the gate opens, and in which a process can die at its commit. */
function withGate(db: Db, gate: () => Promise<Death | undefined>, dies: () => Promise<unknown>): Db {
  const transaction: Db["transaction"] = async (work, config) => {
    const death = await gate();
    if (death === undefined) return await db.transaction(work, config);
    await db
      .transaction(async (tx) => {
        await work(tx);
        if (death === "before_commit") throw new Error("The process died before its commit.");
      }, config)
      .catch(() => {});
    await dies();
    throw new Error("Bug! A dead process went on.");
  };
  return Object.create(db, { transaction: { value: transaction } }) as Db;
}
