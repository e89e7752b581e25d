import { checkFinished, checkInvariants, type StepActor } from "./invariants.ts";
import * as act from "./system.ts";

/** Ends of retrying, of a Resend's hour and of a lease all fit in it. */
const LONG_SECONDS = 3700;
/** Far more than the failures that were ordered need. */
const ROUNDS_MAX = 60;

/** Everything ends well at last: Stripe answers, what it sent is acknowledged, and people look after what is dead. */
export async function finish(system: act.System): Promise<void> {
  const { model } = system;
  const done = async (actor: StepActor) => {
    act.reckon(system);
    const after = await act.lookAtBooks(system);
    checkInvariants(model, { before: system.seen, after, actor });
    system.seen = after;
  };
  for (const session of model.sessions) await act.mend(system, session);
  for (const event of model.sent.filter(({ isAcknowledged }) => !isAcknowledged)) {
    await act.deliver(system, [[event]]);
    await done("door");
  }
  await act.letTimePass(system, LONG_SECONDS);
  await act.work(system);
  await done("worker");
  // Only now do those wake up who have hung since.
  for (const attempt of system.workers.flat())
    while (attempt.stage === "taken" || attempt.stage === "decided") await act.step(system, attempt);
  await done("worker");

  for (let round = 0; round < ROUNDS_MAX && !isFinished(system); round++) {
    for (const { eventId, status, outcome } of system.seen.events.values())
      if (status !== "processed" || outcome === "not_ours")
        await act.replay(system, await act.look(system, eventId));
    await act.schedule(system);
    await done("everybody");
    await act.letTimePass(system, LONG_SECONDS);
    await act.work(system);
    await done("worker");
  }
  checkFinished(model, system.seen);
}

function isFinished({ seen }: act.System): boolean {
  return [...seen.events.values()].every(
    ({ status, outcome }) => status === "processed" && outcome !== "recorded" && outcome !== "not_ours",
  );
}
