import { strict as assert } from "node:assert";
import { offerRecorded } from "../../claims/rearm.ts";
import { giveBack } from "../../claims/settle.ts";
import { type Claim, takeDueEvents, takeLostEvent } from "../../claims/take.ts";
import { catalogItems } from "../../db/schema/catalog-items.ts";
import { acceptArrivals } from "../../receiving/accept.ts";
import { readEvent } from "../../receiving/read-event.ts";
import { requestReplay } from "../../replays/request.ts";
import { forecastReplay } from "../../replays/forecast.ts";
import type { ReplayRequest } from "#shared/desk-inputs.ts";
import type { useFulfilment } from "../fulfilment-bench.ts";
import type { TestDatabase } from "../use-database.ts";
import { beginGated, type Death, type GatedAttempt } from "./gated-attempt.ts";
import { acknowledge, type Model, type ModelSession, predictVerdicts, type SentEvent } from "./model.ts";
import { readSnapshot, type Snapshot } from "./snapshot.ts";

const ATTEMPTS_MAX = 2;
const LEASE_SECONDS = 60;
const RULES = { accounts: [], attemptsMax: ATTEMPTS_MAX };

/** How often what the rules are there for really happened, over all runs. */
export type Tally = Map<string, number>;

export interface System {
  model: Model;
  database: TestDatabase;
  bench: ReturnType<typeof useFulfilment>;
  takeover: "automatic" | "manual";
  /** Each worker's attempts that have not ended. The first worker's clock stands still: its deadlines never pass. */
  workers: GatedAttempt[][];
  /** What operators had on their screens, and perhaps still act on. */
  pictures: ReplayRequest[];
  seen: Snapshot;
  tally: Tally;
}

export const count = ({ tally }: Pick<System, "tally">, what: string, by = 1) =>
  tally.set(what, (tally.get(what) ?? 0) + by);

/** Stripe makes an event about what has just become of a session. It is sent when the test says so. */
export async function makeEvent(
  { model, bench }: System,
  session: ModelSession,
  type: string,
): Promise<SentEvent> {
  const event = await bench.stripe().eventOf(session.sessionId, { type });
  const sent = {
    eventId: event.id,
    type,
    session,
    body: Buffer.from(JSON.stringify(event)),
    isAcknowledged: false,
  };
  model.sent.push(sent);
  return sent;
}

/** Delivers batches at the same instant, to receivers of their own. An old one has no handler for any type. */
export async function deliver(
  system: System,
  batches: readonly (readonly SentEvent[])[],
  { isOld = false } = {},
): Promise<void> {
  const { model, seen } = system;
  const rearmable = new Set(
    [...seen.events.values()].flatMap((row) => (row.isRearmable ? [row.eventId] : [])),
  );
  const predicted = batches.length === 1 ? predictVerdicts(model, batches[0] ?? [], rearmable) : null;
  const accepted = await Promise.all(batches.map((batch) => accept(system, batch, { isOld })));
  const verdicts = accepted.flat().map(({ verdict }) => verdict);
  if (predicted) assert.deepEqual(verdicts, predicted, "the door said something else than the rules");
  for (const [index, event] of batches.flat().entries()) {
    const { verdict = "unreadable" } = accepted.flat()[index] ?? {};
    acknowledge(model, event, verdict);
    count(system, verdict);
  }
}

async function accept({ database }: System, batch: readonly SentEvent[], { isOld }: { isOld: boolean }) {
  const arrivals = batch.map(({ body }) => {
    const event = readEvent(body, { livemode: false, accounts: [] });
    assert(event.kind === "event");
    const read = isOld ? { ...event, settled: { outcome: "recorded" as const, reason: null } } : event;
    return { event: read, body, signedAt: null, source: "webhook" as const };
  });
  return await acceptArrivals(database.db, arrivals, {
    ...RULES,
    onBringOnFailed: (error) => {
      throw error;
    },
  });
}

const leaseOf = ({ takeover }: System, worker: number) => ({
  worker: `worker_${worker}`,
  leaseSeconds: LEASE_SECONDS,
  takeover,
});

/** A worker takes what is due and stands before its first step with each. Returns how many. */
export async function take(system: System, worker: number, batchSize: number): Promise<number> {
  const claims = await takeDueEvents(system.database.db, { ...leaseOf(system, worker), batchSize });
  for (const claim of claims) hold(system, worker, claim);
  count(system, "taken", claims.length);
  return claims.length;
}

/** A worker takes over an event whose holder never reported back, or buries it. False if there is none. */
export async function takeOver(system: System, worker: number): Promise<boolean> {
  const { claim, buriedEventId } = await takeLostEvent(system.database.db, {
    ...leaseOf(system, worker),
    attemptsMax: ATTEMPTS_MAX,
  });
  if (buriedEventId) {
    system.model.holders.delete(buriedEventId);
    count(system, "buried");
  }
  if (!claim) return buriedEventId !== null;
  hold(system, worker, claim);
  count(system, "taken over");
  return true;
}

function hold(system: System, worker: number, claim: Claim): void {
  const { model, database, bench, workers } = system;
  model.holders.set(claim.eventId, claim.token);
  const secondsLeft = worker === 0 ? 86_400 : LEASE_SECONDS - 10;
  const deadline = new Date(Date.now() + secondsLeft * 1000);
  const options = {
    db: database.db,
    reader: bench.reader(),
    attemptsMax: ATTEMPTS_MAX,
    onFencedWrite: () => void count(system, "fenced"),
  };
  workers[worker]?.push(beginGated(options, claim, deadline));
}

/** One step of an attempt. */
export async function step(system: System, attempt: GatedAttempt, death?: Death): Promise<void> {
  const wasDecided = attempt.stage === "decided";
  await attempt.step(death);
  if (wasDecided && attempt.stage === "decided") count(system, "read again");
  if (attempt.stage === "dead") count(system, `died ${death}`);
}

/** A worker that nothing hinders: takes and handles until nothing is due. Its attempts begin and end within this step. */
export async function work(system: System): Promise<void> {
  const { bench, takeover } = system;
  const onFencedWrite = () => void count(system, "fenced");
  await bench.drain({ worker: "worker_whole", takeover, attemptsMax: ATTEMPTS_MAX, onFencedWrite });
  // Whoever held one of these events holds it no longer.
  const { events } = await readSnapshot(system.database);
  for (const [eventId, token] of system.model.holders)
    if (events.get(eventId)?.token !== token) system.model.holders.delete(eventId);
}

/** Compares how attempts ended with who held their events: only the present holder may have written anything. */
export function reckon(system: System): void {
  const { holders } = system.model;
  for (const { stage, end, claim } of system.workers.flat()) {
    if (stage !== "ended" || end === null) continue;
    const { eventId, attempt, token } = claim;
    const isHolder = holders.get(eventId) === token;
    assert.equal(end === "lost", !isHolder, `attempt ${attempt} at ${eventId} ended ${end}`);
    if (isHolder) holders.delete(eventId);
    count(system, `attempt ${end}`);
  }
  system.workers = system.workers.map((held) =>
    held.filter(({ stage }) => stage === "taken" || stage === "decided"),
  );
}

/** A worker's process is gone, with all that it held. */
export function crash(system: System, worker: number): void {
  system.workers[worker] = [];
  count(system, "crashed");
}

export async function giveBackOne(system: System, attempt: GatedAttempt): Promise<void> {
  const { eventId, token } = attempt.claim;
  const isHolder = system.model.holders.get(eventId) === token;
  assert.equal(
    await giveBack(system.database.db, attempt.claim),
    isHolder,
    "a claim was given back by another",
  );
  attempt.stage = "dead";
  if (isHolder) system.model.holders.delete(eventId);
}

/** Time passes for every row and for every honest clock. */
export async function letTimePass(system: System, seconds: number): Promise<void> {
  await system.database.sql`
    update processed_stripe_events set due_at = due_at - make_interval(secs => ${seconds}),
      lease_until = lease_until - make_interval(secs => ${seconds}),
      rearmed_at = rearmed_at - make_interval(secs => ${seconds})`;
  for (const attempt of system.workers.slice(1).flat())
    attempt.deadline.setTime(attempt.deadline.getTime() - seconds * 1000);
}

/** The scheduler offers what an old process recorded. Returns how many. */
export async function schedule(system: System): Promise<number> {
  const offered = await offerRecorded(system.database.db, { accounts: [], limit: 100 });
  count(system, "recorded offered", offered);
  return offered;
}

/** An operator looks at an event. What they see is what a replay will be decided on, even if they press later. */
export async function look(system: System, eventId: string): Promise<ReplayRequest> {
  const { attempt, phase } = await forecastReplay(system.database.db, { eventId, rules: RULES });
  const request = {
    requestId: crypto.randomUUID(),
    eventId,
    expectedAttempt: attempt,
    expectedPhase: phase,
    reason: "A random walk came along here.",
  };
  system.pictures.push(request);
  return request;
}

export async function replay(system: System, request: ReplayRequest): Promise<void> {
  const operator = { id: "operator_1", role: "ops" as const };
  const { result } = await requestReplay(system.database.db, request, {
    rules: RULES,
    operator,
    onDue: () => {},
  });
  count(system, `replay ${result}`);
}

/** Somebody tells the catalog what a price is worth. False if it knew. */
export async function mend({ database }: System, { priceId, credits }: ModelSession): Promise<boolean> {
  const added = await database.db
    .insert(catalogItems)
    .values({ priceId, credits })
    .onConflictDoNothing()
    .returning({ priceId: catalogItems.priceId });
  return added.length > 0;
}

export async function lookAtBooks(system: System): Promise<Snapshot> {
  return await readSnapshot(system.database);
}
