import type { Logger } from "pino";
import { noteRefusedWrite, settleDead, settleFailed } from "../claims/settle.ts";
import type { Claim } from "../claims/take.ts";
import type { Db } from "../db/client.ts";
import { ClaimLost } from "../fulfilment/apply.ts";
import type { EventEnd } from "../fulfilment/decide.ts";
import { failPoint } from "../fail-points.ts";
import { classifyFailure } from "../fulfilment/fulfil.ts";
import { rateLimitedDelaySeconds, retryDelaySeconds } from "./backoff.ts";

export type AttemptEnd = "processed" | "dead" | "retry" | "lost";

export interface AttemptOptions {
  db: Db;
  handle: (claim: Claim, context: { deadline: Date }) => Promise<EventEnd>;
  attemptsMax: number;
  random: () => number;
  log: Logger;
  onFencedWrite: () => void;
}

/**
 * Runs one attempt at an event this worker holds and reports back how it ended. Never throws: an error that cannot
 * even be reported leaves the event to its lease's end, and another worker takes it over.
 */
export async function attemptEvent(
  options: AttemptOptions,
  claim: Claim,
  deadline: Date,
): Promise<AttemptEnd> {
  const log = options.log.child({ eventId: claim.eventId, attempt: claim.attempt, claimToken: claim.token });
  try {
    const end = await options.handle(claim, { deadline });
    log.info({ end }, "The event was settled.");
    return end.status;
  } catch (error) {
    return await reportFailure(options, claim, { error, log }).catch((reportError: unknown) => {
      // Both are told: the second one alone would hide what really happened.
      log.error(
        { err: error, reportError },
        "An attempt failed and could not be reported. Its lease will end.",
      );
      return "lost" as const;
    });
  }
}

async function reportFailure(
  options: AttemptOptions,
  claim: Claim,
  { error, log }: { error: unknown; log: Logger },
): Promise<AttemptEnd> {
  if (error instanceof ClaimLost) return await reportLost(options, claim, log);
  const { isPermanent, counts, code, message } = classifyFailure(error);
  if (code === "handler_error") log.error({ err: error }, "The handler failed unexpectedly.");

  const end = isPermanent
    ? await options.db.transaction(async (tx) => {
        const isHeld = await settleDead(tx, claim, { code, message, orderId: null });
        return isHeld ? ("dead" as const) : ("lost" as const);
      })
    : await settleFailed(options.db, claim, {
        code,
        message,
        counts,
        attemptsMax: options.attemptsMax,
        delaySeconds: counts
          ? retryDelaySeconds(claim.failures + 1, options.random())
          : rateLimitedDelaySeconds(options.random()),
      });
  if (end === "lost") return await reportLost(options, claim, log);
  failPoint("attempt.after_failure_commit");
  log.info({ code, end }, "The attempt failed.");
  return end;
}

/** The fence held: a late write was refused. Counted and left visible, since it means budgets are too short. */
async function reportLost(options: AttemptOptions, claim: Claim, log: Logger): Promise<"lost"> {
  options.onFencedWrite();
  log.warn("A worker that had lost its lease tried to write and was refused.");
  await noteRefusedWrite(options.db, claim);
  return "lost";
}
