import { strict as assert } from "node:assert";
import type { EventStatus } from "#shared/event-status.ts";
import { isPaidState, ORDER_TRANSITIONS } from "../../orders/transitions.ts";
import { isPaid, keyOf, type Model } from "./model.ts";
import type { EventSeen, OrderSeen, Snapshot } from "./snapshot.ts";

/** Who acted in a step. Each may move an event's status only in its own ways. */
export type StepActor = "stripe" | "door" | "worker" | "time" | "scheduler" | "operator" | "everybody";

type Move = `${EventStatus | "none"} -> ${EventStatus}`;

/** docs/state-machine.md, by who acts. An event that stays as it is, is always allowed. */
const MOVES: Record<Exclude<StepActor, "everybody">, readonly Move[]> = {
  stripe: [],
  time: [],
  door: ["none -> processing", "none -> processed", "dead -> processing", "processed -> processing"],
  worker: ["processing -> processed", "processing -> dead"],
  scheduler: ["processed -> processing"],
  operator: ["dead -> processing", "processed -> processing"],
};

/** What must be true after every step, whatever the steps before it were. Throws what is not. */
export function checkInvariants(
  model: Model,
  { before, after, actor }: { before: Snapshot; after: Snapshot; actor: StepActor },
): void {
  assert.equal(new Set(after.effects).size, after.effects.length, "an order has an effect twice");
  for (const event of model.sent) {
    if (!event.isAcknowledged) continue;
    const winner = model.winners.get(keyOf(event));
    assert(winner !== undefined && after.events.has(winner), `${event.eventId} was acknowledged and is lost`);
  }
  const carriers = new Set(model.winners.values());
  for (const [eventId, event] of after.events) {
    assert(carriers.has(eventId), `${eventId} has a claim of its own beside its twin's`);
    checkEvent(before.events.get(eventId), event, actor);
  }
  for (const eventId of before.events.keys()) assert(after.events.has(eventId), `${eventId} is gone`);
  for (const order of after.orders.values()) checkOrder(model, before.orders.get(order.orderId), order);
  for (const orderId of before.orders.keys()) assert(after.orders.has(orderId), `${orderId} is gone`);
  checkBalances(model, after);
}

function checkEvent(before: EventSeen | undefined, after: EventSeen, actor: StepActor): void {
  const from = before?.status ?? "none";
  const move: Move = `${from} -> ${after.status}`;
  if (from !== after.status && actor !== "everybody")
    assert(MOVES[actor].includes(move), `${after.eventId} moved ${move}, which is not for ${actor}`);
  if (before === undefined) return;
  assert(after.attempt >= before.attempt, `${after.eventId} went back in its attempts`);
  if (before.status === "processed" && before.outcome !== "recorded" && before.outcome !== "not_ours")
    assert.deepEqual(after, before, `${after.eventId} was settled and changed after that`);
}

function checkOrder(model: Model, before: OrderSeen | undefined, after: OrderSeen): void {
  const { orderId } = after;
  assert(after.grants <= 1, `${orderId} has ${after.grants} grants`);
  assert(after.grants === 0 || isPaid(model, orderId), `${orderId} was granted and nobody paid`);
  assert(!isPaidState(after.state) || isPaid(model, orderId), `${orderId} is ${after.state} and nobody paid`);
  assert.equal(
    after.grants,
    after.grantingSession === null ? 0 : 1,
    `${orderId}: its grant and its payment disagree`,
  );
  if (before === undefined) return;
  assert(after.version >= before.version, `${orderId} went back to version ${after.version}`);
  assert(after.grants >= before.grants, `${orderId} lost its grant`);
  if (after.state === before.state) return;
  assert(
    ORDER_TRANSITIONS[before.state].includes(after.state),
    `${orderId} moved from ${before.state} back to ${after.state}`,
  );
  assert(after.version > before.version, `${orderId} changed without a new version`);
}

/** A balance is what the customer's granted orders are worth, and the ledger says the same. */
function checkBalances(model: Model, { orders, balances }: Snapshot): void {
  const expected = new Map<string, bigint>();
  for (const { grantingSession, customerId } of orders.values()) {
    const session = model.sessions.find(({ sessionId }) => sessionId === grantingSession);
    if (session === undefined || customerId === null) continue;
    expected.set(customerId, (expected.get(customerId) ?? 0n) + session.credits);
  }
  assert.deepEqual(balances, expected, "a balance is not the sum of what was granted");
}

/** What must be true once Stripe is well, everything was delivered and nobody is left to do anything. */
export function checkFinished(model: Model, { events, orders }: Snapshot): void {
  for (const event of model.sent) assert(event.isAcknowledged, `${event.eventId} was never acknowledged`);
  for (const { eventId, status, outcome } of events.values()) {
    assert.equal(status, "processed", `${eventId} is never finished`);
    assert.notEqual(outcome, "recorded", `${eventId} was recorded and is handled by nobody`);
  }
  for (const orderId of new Set(model.sessions.map((session) => session.orderId))) {
    const sessions = model.sessions.filter((session) => session.orderId === orderId);
    const states = new Set(sessions.map(({ state }) => state));
    const order = orders.get(orderId);
    if (states.size === 1 && states.has("open")) {
      assert.equal(order, undefined, `${orderId} exists though nothing happened`);
      continue;
    }
    assert(order, `${orderId} is lost`);
    const paid = sessions.filter(({ state }) => state === "paid").length;
    assert.equal(
      order.grants,
      paid > 0 ? 1 : 0,
      `${orderId} was paid ${paid} times and has ${order.grants} grants`,
    );
    assert.equal(
      order.payments,
      paid,
      `${orderId} was paid ${paid} times and has ${order.payments} payments`,
    );
    assert.equal(isPaidState(order.state), paid > 0, `${orderId} is ${order.state}`);
    if (sessions.length === 1)
      assert.equal(order.state, FINAL_STATES[sessions[0]?.state ?? "open"], `${orderId} ended wrong`);
  }
}

const FINAL_STATES = {
  open: "pending",
  unpaid: "awaiting_payment",
  paid: "paid",
  failed: "payment_failed",
  expired: "expired",
} as const;
