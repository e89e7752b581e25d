import { strict as assert } from "node:assert";
import { abandonClaim, giveBack } from "../claims/settle.ts";
import {
  type Claim,
  hasLostEvent,
  TAKE_BATCH_MAX,
  takeDueEvents,
  takeLostEvent,
  type TakeOptions,
} from "../claims/take.ts";
import { failPoint } from "../fail-points.ts";
import { pauseMs } from "./backoff.ts";
import { createWakeUp } from "./wake-up.ts";
import { type AttemptEnd, attemptEvent, type AttemptOptions } from "./attempt.ts";

/** The part of a lease that is left for the apply and for reporting back, after the deadline. */
const DEADLINE_MARGIN_SECONDS = 10;
/** The safety net under LISTEN/NOTIFY, and how promptly a retry whose time has come is seen. */
const POLL_MS = 1000;
/** How soon the lease of a sandbox worker that "died" is over: a visitor waits a moment to see it, not a minute. */
const DEAD_LEASE_SECONDS = 20;

export interface EventWorkerOptions extends AttemptOptions {
  /** Names this worker on the desk. */
  worker: string;
  /** Events handled at the same time. */
  concurrency: number;
  /** The handler budget: how long a lease runs. */
  budgetSeconds: number;
  takeover: "automatic" | "manual";
  onAttempt: (seconds: number, labels: { type: string; result: AttemptEnd }) => void;
  /**
   * The sandbox's switch: an attempt for which it is true never reports back, as if its process had died under manual
   * takeover, so that it stays stale until somebody replays it.
   */
  faults?: { diesInHandler: (event: Claim) => boolean };
}

export interface EventWorker {
  /** Starts the loop. */
  start: () => void;
  /** Takes what is due right now and resolves when it is handled: the step that the loop repeats. */
  runOnce: () => Promise<number>;
  /** Something is due: look now rather than at the next poll. */
  wake: () => void;
  /** Takes nothing more and resolves when what is held is handled. */
  stop: () => Promise<void>;
  /** When the loop last looked, for readiness. */
  lastLookAt: () => Date | null;
}

/** A worker: takes due events, runs an attempt at each, and looks again. Any number may run, in any process. */
export function createEventWorker(options: EventWorkerOptions): EventWorker {
  assert(options.concurrency >= 1 && options.concurrency <= TAKE_BATCH_MAX);
  assert(options.budgetSeconds > DEADLINE_MARGIN_SECONDS);
  const wakeUp = createWakeUp();
  const attempts = createAttempts(options, wakeUp.wake);
  const state = { isStopping: false };
  let lastLookAt: Date | null = null;
  let loop: Promise<void> | undefined;

  async function look(): Promise<number> {
    lastLookAt = new Date();
    return (await takeOverLost(options, attempts, state)) + (await takeNew(options, attempts, state));
  }

  async function lookAgainAndAgain(): Promise<void> {
    let failedLooks = 0;
    while (!state.isStopping) {
      wakeUp.clear();
      try {
        const taken = await look();
        if (failedLooks > 0) options.log.info({ failedLooks }, "The worker looks for due events again.");
        failedLooks = 0;
        // A full take means more may be due; a full house means nothing can be taken anyway.
        if (taken > 0 && attempts.free() > 0) continue;
      } catch (error) {
        failedLooks += 1;
        options.log.error(
          { err: error, failedLooks },
          "The worker could not look for due events. It pauses.",
        );
      }
      // A signal ends the pause as well: it comes by the database, so that the database is back.
      if (!state.isStopping)
        await wakeUp.sleep(failedLooks === 0 ? POLL_MS : pauseMs(failedLooks, options.random()));
    }
  }

  return {
    start: () => {
      loop ??= lookAgainAndAgain();
    },
    runOnce: async () => {
      const taken = await look();
      await attempts.allEnded();
      return taken;
    },
    wake: wakeUp.wake,
    stop: async () => {
      state.isStopping = true;
      wakeUp.wake();
      if (attempts.free() < options.concurrency) failPoint("worker.while_draining");
      await loop;
      await attempts.allEnded();
    },
    lastLookAt: () => lastLookAt,
  };
}

interface Attempts {
  begin: (claim: Claim, deadline: Date) => void;
  /** How many more may run now. */
  free: () => number;
  allEnded: () => Promise<void>;
}

/** The attempts that run in this process. */
function createAttempts(options: EventWorkerOptions, wake: () => void): Attempts {
  const running = new Set<Promise<void>>();
  return {
    begin: (claim, deadline) => {
      if (options.faults?.diesInHandler(claim)) {
        options.log.warn({ eventId: claim.eventId }, "Sandbox: this worker dies in mid-handler.");
        void abandonClaim(options.db, claim, { seconds: DEAD_LEASE_SECONDS }).catch(() => {});
        return;
      }
      failPoint("worker.after_take");
      const startedMs = performance.now();
      const attempt = attemptEvent(options, claim, deadline).then((result) => {
        // With a full house the last look took nothing, so whoever leaves first lets the next ones in.
        const wasFull = running.size >= options.concurrency;
        running.delete(attempt);
        options.onAttempt((performance.now() - startedMs) / 1000, { type: claim.eventType, result });
        if (wasFull) wake();
      });
      running.add(attempt);
    },
    free: () => options.concurrency - running.size,
    allEnded: async () => {
      await Promise.all(running);
    },
  };
}

async function takeNew(
  options: EventWorkerOptions,
  attempts: Attempts,
  state: { isStopping: boolean },
): Promise<number> {
  const free = attempts.free();
  if (free <= 0 || state.isStopping) return 0;
  const deadline = deadlineOf(options);
  const claims = await takeDueEvents(options.db, { ...leaseOf(options), batchSize: free });
  for (const claim of claims) {
    // The answer came so late that the time to handle them is over, or this process is to end.
    if (state.isStopping || Date.now() > deadline.getTime()) await giveBack(options.db, claim);
    else attempts.begin(claim, deadline);
  }
  return claims.length;
}

/**
 * Takes over at most one lost event, with nothing else running in this process. One a look: new work goes on between
 * them, however many a dead host left behind.
 */
async function takeOverLost(
  options: EventWorkerOptions,
  attempts: Attempts,
  state: { isStopping: boolean },
): Promise<number> {
  const { db, attemptsMax, log } = options;
  if (state.isStopping || !(await hasLostEvent(db))) return 0;
  await attempts.allEnded();
  const deadline = deadlineOf(options);
  const { claim, buriedEventId } = await takeLostEvent(db, { ...leaseOf(options), attemptsMax });
  if (buriedEventId) log.error({ eventId: buriedEventId }, "Workers die at this event. It is dead now.");
  if (claim) attempts.begin(claim, deadline);
  await attempts.allEnded();
  return claim || buriedEventId ? 1 : 0;
}

function leaseOf({ worker, budgetSeconds, takeover }: EventWorkerOptions): TakeOptions {
  return { worker, leaseSeconds: budgetSeconds, takeover };
}

/** Counted from before the take, so that it can only be early. */
function deadlineOf({ budgetSeconds }: EventWorkerOptions): Date {
  return new Date(Date.now() + (budgetSeconds - DEADLINE_MARGIN_SECONDS) * 1000);
}
