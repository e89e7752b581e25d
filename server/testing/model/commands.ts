import { strict as assert } from "node:assert";
import * as fc from "fast-check";
import { checkInvariants, type StepActor } from "./invariants.ts";
import type { Model, SentEvent, SessionState } from "./model.ts";
import * as act from "./system.ts";

/** Numbers that a command chooses by, whatever there is to choose from when its turn comes. */
type Dice = readonly [number, number, number];

interface CommandKind {
  weight: number;
  actor: StepActor;
  /** Says what it did, or null where there was nothing to do it with: then it was no step. */
  run: (system: act.System, dice: Dice) => Promise<string | null>;
}

function pick<T>(list: readonly T[], dice: number): T | null {
  return list[dice % list.length] ?? null;
}

const inState = (model: Model, state: SessionState) =>
  model.sessions.filter((session) => session.state === state);
const labelOf = ({ type, session, eventId }: SentEvent) => `${type} of ${session.name} (${eventId})`;
const heldBy = ({ workers }: act.System) =>
  workers.flatMap((attempts, worker) => attempts.map((attempt) => ({ attempt, worker })));
const PASSING_SECONDS = [5, 61, 61, 600, 3700];
const FAILURES = [500, 429, 404, 400, "reset"] as const;
const WORKERS = 3;

/** All that can happen, and how often it is tried beside the others. */
export const KINDS: Record<string, CommandKind> = {
  pay: {
    weight: 7,
    actor: "stripe",
    run: async (system, [which, how]) => {
      const session = pick(inState(system.model, "open"), which);
      if (!session) return null;
      const method = how % 2 === 0 ? "card" : "bank_transfer";
      await system.bench.stripe().sessions.pay(session.sessionId, { method, deliver: false });
      session.state = method === "card" ? "paid" : "unpaid";
      await act.makeEvent(system, session, "checkout.session.completed");
      return `${session.name} is paid by ${method}`;
    },
  },
  settle: {
    weight: 5,
    actor: "stripe",
    run: async (system, [which, how]) => {
      const session = pick(inState(system.model, "unpaid"), which);
      if (!session) return null;
      const fails = how % 3 === 0;
      await system.bench.stripe().sessions.settle(session.sessionId, { fails, deliver: false });
      session.state = fails ? "failed" : "paid";
      const type = `checkout.session.async_payment_${fails ? "failed" : "succeeded"}`;
      await act.makeEvent(system, session, type);
      return `the transfer of ${session.name} ${fails ? "fails" : "arrives"}`;
    },
  },
  expire: {
    weight: 1,
    actor: "stripe",
    run: async (system, [which]) => {
      const session = pick(inState(system.model, "open"), which);
      if (!session) return null;
      await system.bench.stripe().sessions.expire(session.sessionId, { deliver: false });
      session.state = "expired";
      await act.makeEvent(system, session, "checkout.session.expired");
      return `${session.name} expires`;
    },
  },
  fail: {
    weight: 2,
    actor: "stripe",
    run: async (system, [which, how, often]) => {
      const session = pick(system.model.sessions, which);
      const status = pick(FAILURES, how) ?? 500;
      if (!session) return null;
      const times = 1 + (often % 3);
      const path = new RegExp(`/sessions/${session.sessionId}$`);
      system.bench.stripe().controls.failNext({ path, status, times });
      act.count(system, "Stripe fails");
      return `the next ${times} readings of ${session.name} fail with ${status}`;
    },
  },
  mend: {
    weight: 2,
    actor: "stripe",
    run: async (system, [which]) => {
      const session = pick(system.model.sessions, which);
      if (!session) return null;
      if (!(await act.mend(system, session))) return null;
      return `the catalog knows the price of ${session.name}`;
    },
  },
  deliver: {
    weight: 10,
    actor: "door",
    run: async (system, [which, whether]) => {
      const { sent } = system.model;
      const news = sent.filter(({ isAcknowledged }) => !isAcknowledged);
      const event = pick(whether % 2 === 0 && news.length > 0 ? news : sent, which);
      if (!event) return null;
      await act.deliver(system, [[event]]);
      return `delivered: ${labelOf(event)}`;
    },
  },
  deliver_twin: {
    weight: 4,
    actor: "door",
    run: async (system, [which]) => {
      const event = pick(system.model.sent, which);
      if (!event) return null;
      const twin = await act.makeEvent(system, event.session, event.type);
      await act.deliver(system, [[twin]]);
      return `delivered a twin: ${labelOf(twin)}`;
    },
  },
  deliver_batch: {
    weight: 3,
    actor: "door",
    run: async (system, dice) => {
      const batch = dice.flatMap((which) => pick(system.model.sent, which) ?? []);
      if (batch.length === 0) return null;
      await act.deliver(system, [batch]);
      return `delivered in a batch: ${batch.map(labelOf).join(", ")}`;
    },
  },
  deliver_at_once: {
    weight: 4,
    actor: "door",
    run: async (system, [which, other]) => {
      const event = pick(system.model.sent, which);
      const second = pick(system.model.sent, other);
      if (!event || !second) return null;
      const twin = await act.makeEvent(system, event.session, event.type);
      await act.deliver(system, [[event, second], [second, twin], [twin]]);
      return `delivered at the same instant in opposite orders: ${labelOf(event)}, ${labelOf(second)}, ${labelOf(twin)}`;
    },
  },
  deliver_to_old: {
    weight: 2,
    actor: "door",
    run: async (system, [which]) => {
      const event = pick(
        system.model.sent.filter(({ isAcknowledged }) => !isAcknowledged),
        which,
      );
      if (!event) return null;
      await act.deliver(system, [[event]], { isOld: true });
      return `delivered to an old process: ${labelOf(event)}`;
    },
  },
  take: {
    weight: 10,
    actor: "worker",
    run: async (system, [who, many]) => {
      if ((await act.take(system, who % WORKERS, 1 + (many % 3))) === 0) return null;
      return `worker_${who % WORKERS} takes up to ${1 + (many % 3)}`;
    },
  },
  take_over: {
    weight: 10,
    actor: "worker",
    run: async (system, [who]) => {
      if (!(await act.takeOver(system, who % WORKERS))) return null;
      return `worker_${who % WORKERS} takes over or buries what another left behind`;
    },
  },
  read_all: {
    weight: 6,
    actor: "worker",
    run: async (system) => {
      const taken = heldBy(system).filter(({ attempt }) => attempt.stage === "taken");
      if (taken.length === 0) return null;
      for (const { attempt } of taken) await act.step(system, attempt);
      return `all who hold something read its order: ${taken.map(({ attempt }) => attempt.claim.eventId).join(", ")}`;
    },
  },
  step: {
    weight: 30,
    actor: "worker",
    run: async (system, [which]) => {
      const held = pick(heldBy(system), which);
      if (!held) return null;
      const { stage, claim } = held.attempt;
      await act.step(system, held.attempt);
      return `worker_${held.worker} goes on with ${claim.eventId} (attempt ${claim.attempt}): ${stage} -> ${held.attempt.stage} ${held.attempt.end ?? ""}`;
    },
  },
  die_writing: {
    weight: 5,
    actor: "worker",
    run: async (system, [which, how]) => {
      const held = pick(
        heldBy(system).filter(({ attempt }) => attempt.stage === "decided"),
        which,
      );
      if (!held) return null;
      const death = how % 2 === 0 ? "before_commit" : "after_commit";
      await act.step(system, held.attempt, death);
      act.crash(system, held.worker);
      return `worker_${held.worker} dies ${death} with ${held.attempt.claim.eventId}`;
    },
  },
  crash: {
    weight: 4,
    actor: "worker",
    run: async (system, [which]) => {
      const held = pick(heldBy(system), which);
      if (!held) return null;
      act.crash(system, held.worker);
      return `worker_${held.worker} dies with all it holds`;
    },
  },
  give_back: {
    weight: 1,
    actor: "worker",
    run: async (system, [which]) => {
      const held = pick(
        heldBy(system).filter(({ attempt }) => attempt.stage === "taken"),
        which,
      );
      if (!held) return null;
      await act.giveBackOne(system, held.attempt);
      return `worker_${held.worker} gives ${held.attempt.claim.eventId} back`;
    },
  },
  work: {
    weight: 1,
    actor: "worker",
    run: async (system) => {
      await act.work(system);
      return "a worker handles all that is due";
    },
  },
  pass_time: {
    weight: 9,
    actor: "time",
    run: async (system, [which]) => {
      const seconds = pick(PASSING_SECONDS, which) ?? 0;
      if (system.seen.events.size === 0) return null;
      await act.letTimePass(system, seconds);
      return `${seconds} s pass`;
    },
  },
  schedule: {
    weight: 4,
    actor: "scheduler",
    run: async (system) => {
      if ((await act.schedule(system)) === 0) return null;
      return "the scheduler offers what was recorded and is handled now";
    },
  },
  replay: {
    weight: 5,
    actor: "operator",
    run: async (system, [which]) => {
      const eventId = pick([...system.seen.events.keys()], which);
      if (!eventId) return null;
      await act.replay(system, await act.look(system, eventId));
      return `an operator replays ${eventId}`;
    },
  },
  look: {
    weight: 2,
    actor: "operator",
    run: async (system, [which]) => {
      const eventId = pick([...system.seen.events.keys()], which);
      if (!eventId) return null;
      await act.look(system, eventId);
      return `an operator opens ${eventId}`;
    },
  },
  replay_late: {
    weight: 3,
    actor: "operator",
    run: async (system, [which]) => {
      const picture = pick(system.pictures, which);
      if (!picture) return null;
      await act.replay(system, picture);
      return `an operator presses replay of ${picture.eventId}, as it was then or once more`;
    },
  },
  at_once: {
    weight: 4,
    actor: "everybody",
    run: async (system, [which, other, who]) => {
      const event = pick(system.model.sent, which);
      const held = pick(heldBy(system), other);
      const picture = pick(system.pictures, other);
      if (!event) return null;
      await Promise.all([
        act.deliver(system, [[event], [event]]),
        act.takeOver(system, who % WORKERS),
        held ? act.step(system, held.attempt) : null,
        picture ? act.replay(system, picture) : null,
      ]);
      return `at once: ${labelOf(event)} delivered twice, worker_${who % WORKERS} takes over, ${held ? `${held.attempt.claim.eventId} goes on` : "nobody goes on"}, ${picture ? `${picture.eventId} replayed` : "nothing replayed"}`;
    },
  },
};

/** A step that may turn out to be none: what it is about is chosen when its turn comes. */
class ChosenCommand implements fc.AsyncCommand<Model, act.System> {
  readonly kind: string;
  readonly dice: Dice;
  constructor(kind: string, dice: Dice) {
    this.kind = kind;
    this.dice = dice;
  }
  check(model: Readonly<Model>): boolean {
    return this.kind !== "rest" && model.steps < model.stepsMax;
  }
  async run(model: Model, system: act.System): Promise<void> {
    const kind = KINDS[this.kind];
    assert(kind, this.kind);
    const did = await kind.run(system, this.dice);
    if (did === null) return;
    model.steps += 1;
    model.journal.push(`${model.steps}. ${did}`);
    act.count(system, `step ${this.kind}`);
    act.reckon(system);
    const after = await act.lookAtBooks(system);
    checkInvariants(model, { before: system.seen, after, actor: kind.actor });
    system.seen = after;
  }
  toString(): string {
    return `${this.kind}(${this.dice.join(",")})`;
  }
}

const dice = fc.tuple(fc.nat(59), fc.nat(59), fc.nat(59));

/** One command. Each may shrink to a rest, so that a failure is told by the steps that matter. */
export const anyCommand: fc.Arbitrary<ChosenCommand> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant(new ChosenCommand("rest", [0, 0, 0])) },
  ...Object.entries(KINDS).map(([kind, { weight }]) => ({
    weight,
    arbitrary: dice.map((thrown) => new ChosenCommand(kind, thrown)),
  })),
);
