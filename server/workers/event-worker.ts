import { strict as assert } from "node:assert";
import { giveBack } from "../claims/settle.ts";
import { type Claim, hasLostEvent, TAKE_BATCH_MAX, takeDueEvents, takeLostEvent } from "../claims/take.ts";
import { type AttemptEnd, attemptEvent, type AttemptOptions } from "./attempt.ts";

/** The part of a lease that is left for the apply and for reporting back, after the deadline. */
const DEADLINE_MARGIN_SECONDS = 10;
/** The safety net under LISTEN/NOTIFY, and how promptly a retry whose time has come is seen. */
const POLL_MS = 1000;

export interface EventWorkerOptions extends AttemptOptions {
  /** Names this worker on the desk. */
  worker: string;
  /** Events handled at the same time. */
  concurrency: number;
  /** The handler budget: how long a lease runs. */
  budgetSeconds: number;
  takeover: "automatic" | "manual";
  onAttempt: (seconds: number, labels: { type: string; result: AttemptEnd }) => void;
  /** The sandbox's switch: an attempt for which it is true never reports back, as if its process had died. */
  faults?: { diesInHandler: (event: { eventId: string; eventType: string; attempt: number }) => boolean };
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
  const lease = { worker: options.worker, leaseSeconds: options.budgetSeconds, takeover: options.takeover };
  const inFlight = new Set<Promise<void>>();
  let isStopping = false;
  let lastLookAt: Date | null = null;
  let loop: Promise<void> | undefined;
  let isWoken = false;
  let rouse: (() => void) | undefined;

  function wake(): void {
    isWoken = true;
    rouse?.();
  }

  /** Resolves at the next wake-up, at the end of an attempt, or at the poll. */
  async function sleep(): Promise<void> {
    if (isWoken || isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    rouse = undefined;
  }

  function begin(claim: Claim, deadline: Date): void {
    if (options.faults?.diesInHandler(claim)) {
      options.log.warn(
        { eventId: claim.eventId, worker: options.worker },
        "Sandbox: this worker dies in mid-handler.",
      );
      return;
    }
    const startedMs = performance.now();
    const run = attemptEvent(options, claim, deadline).then((result) => {
      // With a full house the last look took nothing, so whoever leaves first lets the next ones in.
      const wasFull = inFlight.size >= options.concurrency;
      inFlight.delete(run);
      options.onAttempt((performance.now() - startedMs) / 1000, { type: claim.eventType, result });
      if (wasFull) wake();
    });
    inFlight.add(run);
  }

  /** Counted from before the take, so that it can only be early. */
  function nextDeadline(): Date {
    return new Date(Date.now() + (options.budgetSeconds - DEADLINE_MARGIN_SECONDS) * 1000);
  }

  async function takeNew(): Promise<number> {
    const free = options.concurrency - inFlight.size;
    if (free <= 0) return 0;
    const deadline = nextDeadline();
    const claims = await takeDueEvents(options.db, { ...lease, batchSize: free });
    for (const claim of claims) {
      // The answer came so late that the time to handle them is over, or this process is to end.
      if (isStopping || Date.now() > deadline.getTime()) await giveBack(options.db, claim);
      else begin(claim, deadline);
    }
    return claims.length;
  }

  /** Takes over lost events one after the other, with nothing else running in this process. */
  async function takeOverLost(): Promise<number> {
    let taken = 0;
    while (!isStopping && (await hasLostEvent(options.db))) {
      await Promise.all(inFlight);
      const deadline = nextDeadline();
      const { claim, buriedEventId } = await takeLostEvent(options.db, {
        ...lease,
        attemptsMax: options.attemptsMax,
      });
      if (buriedEventId)
        options.log.error({ eventId: buriedEventId }, "Workers die at this event. It is dead now.");
      if (!claim && !buriedEventId) break;
      taken += 1;
      if (claim) begin(claim, deadline);
      await Promise.all(inFlight);
    }
    return taken;
  }

  async function look(): Promise<number> {
    lastLookAt = new Date();
    return (await takeOverLost()) + (await takeNew());
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      isWoken = false;
      try {
        const taken = await look();
        // A full take means more may be due; a full house means nothing can be taken anyway.
        if (taken > 0 && inFlight.size < options.concurrency) continue;
      } catch (error) {
        options.log.error({ err: error }, "The worker could not look for due events. It tries again.");
      }
      await sleep();
    }
  }

  return {
    start: () => {
      loop ??= run();
    },
    runOnce: async () => {
      const taken = await look();
      await Promise.all(inFlight);
      return taken;
    },
    wake,
    stop: async () => {
      isStopping = true;
      wake();
      await loop;
      await Promise.all(inFlight);
    },
    lastLookAt: () => lastLookAt,
  };
}
