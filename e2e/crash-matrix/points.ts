import type { FailPoint } from "#server/fail-points.ts";
import type { Cell } from "./cell.ts";
import { until } from "./until.ts";

/** One row of the matrix: where something dies, and how it is brought there. */
export interface Point {
  name: string;
  failPoint: FailPoint;
  victim: "web" | "worker";
  dies: "process" | "database";
  /** What is true before the victim starts. */
  prepare?: (cell: Cell) => Promise<void>;
  /** What makes the victim come by. Not awaited before it is there: it may wait for an answer that never comes. */
  approach: (cell: Cell) => Promise<unknown>;
}

const deliverToVictim = (cell: Cell) => cell.postman.post(cell.event, cell.parties.victim().address);
const deliverToBystander = (cell: Cell) => cell.postman.post(cell.event, cell.lane.bystander.address);
const replayAtVictim = (cell: Cell) => cell.operator.replay(cell.event.id, cell.parties.victim());

/** Stripe refuses the first look for good, so that the event is dead and waits for a person. */
async function makeDead(cell: Cell): Promise<void> {
  cell.looks.fail(400);
  await deliverToBystander(cell);
  const worker = await cell.parties.start("worker");
  await until("the event to be dead", async () => (await cell.statusOf(cell.event.id)) === "dead");
  await cell.parties.stop(worker);
}

/** Stripe fails the first look, which the worker is to note as a failure. */
async function deliverAndFail(cell: Cell): Promise<void> {
  cell.looks.fail(500);
  await deliverToBystander(cell);
}

/** Lets a worker take the event and wait for Stripe; only then is it asked to end. */
async function drainWhileHolding(cell: Cell): Promise<void> {
  cell.looks.hold(1);
  await deliverToBystander(cell);
  await until("a worker to hold the event", () => cell.looks.count() > 0);
  const holder = await cell.parties.holderOf(cell.event.id);
  holder.kill("SIGTERM");
}

/** Two events of one order wait for the workers. */
async function deliverBoth(cell: Cell): Promise<void> {
  const { postman, lane, looks } = cell;
  await postman.post(cell.event, lane.bystander.address);
  await postman.post(await cell.newEvent("checkout.session.async_payment_succeeded"), lane.bystander.address);
  looks.hold(2);
}

/** Both are read before either is written: the second one finds the order moved. */
async function letBothBeRead({ looks }: Cell): Promise<void> {
  await until("both to be read", () => looks.count() >= 2);
  looks.release();
}

const web = { victim: "web", dies: "process", approach: deliverToVictim } as const;
const worker = { victim: "worker", dies: "process", approach: deliverToBystander } as const;

export const POINTS: readonly Point[] = [
  { ...web, name: "between the two statements of receiving", failPoint: "receiving.between_statements" },
  { ...web, name: "before the claim commit", failPoint: "receiving.before_claim_commit" },
  { ...web, name: "after the claim commit", failPoint: "receiving.after_claim_commit" },
  { ...web, name: "before the 2xx", failPoint: "receiving.before_answer" },
  { ...web, name: "after the 2xx", failPoint: "receiving.after_answer" },
  {
    ...web,
    name: "before the commit of a re-arming",
    failPoint: "receiving.before_bring_on_commit",
    prepare: makeDead,
  },
  { ...worker, name: "after taking", failPoint: "worker.after_take" },
  { ...worker, name: "after the Stripe read", failPoint: "fulfilment.after_read" },
  { ...worker, name: "before the apply commit", failPoint: "fulfilment.before_apply_commit" },
  { ...worker, name: "after the apply commit", failPoint: "fulfilment.after_apply_commit" },
  {
    ...worker,
    name: "before a re-read of a moved order",
    failPoint: "fulfilment.before_reread",
    prepare: deliverBoth,
    approach: letBothBeRead,
  },
  {
    ...worker,
    name: "before the commit of a failure",
    failPoint: "attempt.before_failure_commit",
    approach: deliverAndFail,
  },
  {
    ...worker,
    name: "after the commit of a failure",
    failPoint: "attempt.after_failure_commit",
    approach: deliverAndFail,
  },
  {
    ...worker,
    name: "in the middle of a graceful drain",
    failPoint: "worker.while_draining",
    approach: drainWhileHolding,
  },
  {
    ...web,
    name: "before the commit of a replay",
    failPoint: "replay.before_commit",
    prepare: makeDead,
    approach: replayAtVictim,
  },
  {
    ...web,
    name: "after the commit of a replay",
    failPoint: "replay.after_commit",
    prepare: makeDead,
    approach: replayAtVictim,
  },
  {
    ...web,
    dies: "database",
    name: "database killed before the claim commit",
    failPoint: "receiving.before_claim_commit",
  },
  {
    ...web,
    dies: "database",
    name: "database killed after the claim commit",
    failPoint: "receiving.after_claim_commit",
  },
  { ...worker, dies: "database", name: "database killed after taking", failPoint: "worker.after_take" },
  {
    ...worker,
    dies: "database",
    name: "database killed before the apply commit",
    failPoint: "fulfilment.before_apply_commit",
  },
  {
    ...worker,
    dies: "database",
    name: "database killed after the apply commit",
    failPoint: "fulfilment.after_apply_commit",
  },
];
