/** A guard in the code, how it is taken away, and the test that must notice. */
export interface Guard {
  /** What a customer or an operator is promised. */
  promise: string;
  /** What keeps the promise. */
  guard: string;
  file: string;
  /** Occurs once in the file. */
  find: string;
  /** What stands there when the guard is gone. */
  replace: string;
  test: { file: string; title: string };
}

const TAKE = "server/claims/take.ts";
const SETTLE = "server/claims/settle.ts";
const REARM = "server/claims/rearm.ts";
const ACCEPT = "server/receiving/accept.ts";
const APPLY = "server/fulfilment/apply.ts";
const DECIDE = "server/fulfilment/decide.ts";
const CHAOS = "server/chaos/change.ts";
const CHAOS_TEST = "server/trpc/chaos.pg.test.ts";
const REQUEST = "server/replays/request.ts";
const WORKER_TEST = "server/workers/event-worker.pg.test.ts";
const RECEIVER_TEST = "server/receiving/receiver.pg.test.ts";
const SETTLE_TEST = "server/claims/settle.pg.test.ts";
const TROUBLE_TEST = "server/fulfilment/trouble.pg.test.ts";
const REPLAYS_TEST = "server/replays/replays.pg.test.ts";
const RULES_TEST = "server/claims/rules.pg.test.ts";

/** docs/guarantees.md tells of each; `npm run guards` takes one after the other away and expects its test to fail. */
export const GUARDS: readonly Guard[] = [
  {
    promise: "Only Stripe can bring in an event.",
    guard: "the signature over the raw bytes",
    file: "server/stripe/signing.ts",
    find: "      continue;\n    }\n    const signedAtSeconds",
    replace: "    }\n    const signedAtSeconds",
    test: { file: "server/stripe/signing.test.ts", title: "does not survive a single byte changed" },
  },
  {
    promise: "A 2xx means that the event is in the database.",
    guard: "the answer waits for the commit",
    file: "server/receiving/receiver.ts",
    find: "const accepted = await acceptArrivals(options.db, arrivals, options);",
    replace:
      'void acceptArrivals(options.db, arrivals, options);\n      const accepted = arrivals.map(() => ({ verdict: "claimed" as const, winnerEventId: null, isDue: false }));',
    test: {
      file: RECEIVER_TEST,
      title: "answers only after the commit: what is acknowledged is in the database",
    },
  },
  {
    promise: "An act of the buyer is handled once, under however many event ids Stripe tells of it.",
    guard: "a second event of a one-shot type and the same object makes no claim",
    file: ACCEPT,
    find: "winner.once &&",
    replace: "false &&",
    test: {
      file: RECEIVER_TEST,
      title: "of two events for one action keeps the second as the first one's twin, with its bytes",
    },
  },
  {
    promise: "A type that repeats is never taken for a twin.",
    guard: "only listed types are one-shot",
    file: "server/claims/event-types.ts",
    find: "return ONE_SHOT_TYPES.has(eventType);",
    replace: "return eventType !== '';",
    test: {
      file: RECEIVER_TEST,
      title: "of a type that repeats for one object never takes the second for a twin",
    },
  },
  {
    promise: "Two batches with the same keys do not stop each other.",
    guard: "claims are inserted in one order",
    file: ACCEPT,
    find: "    order by object_id, event_type, event_id\n",
    replace: "",
    test: {
      file: RECEIVER_TEST,
      title: "of batches that hold the same keys in opposite order ends without a deadlock",
    },
  },
  {
    promise: "A twin in the same microsecond refuses nobody's batch.",
    guard: "bytes that are kept already are kept once",
    file: ACCEPT,
    find: "    .onConflictDoNothing();\n}\n\n/**\n * Offers",
    replace: ";\n}\n\n/**\n * Offers",
    test: {
      file: RECEIVER_TEST,
      title: "of the same twins in the same microsecond, in opposite order, refuses none",
    },
  },
  {
    promise: "Resend in Stripe brings a dead event back once an hour, not more.",
    guard: "the time of the last re-arming",
    file: "server/claims/rules.ts",
    find: 'return wasRearmedLately(row, now) ? "nothing" : "rearm";',
    replace: 'return "rearm";',
    test: { file: RULES_TEST, title: "on a row that is dead, re-armed a minute ago, for a delivery" },
  },
  {
    promise: "An event is handled by one worker at a time.",
    guard: "a row that somebody takes is skipped",
    file: TAKE,
    find: '.limit(which.limit)\n        .for("update", { skipLocked: true }),',
    replace: '.limit(which.limit)\n        .for("update"),',
    test: {
      file: SETTLE_TEST,
      title: "skips a row that somebody has locked instead of waiting for it",
    },
  },
  {
    promise: "While a lease runs, nobody else takes the event.",
    guard: "a held event is due when its lease ends",
    file: TAKE,
    find: "lte(events.dueAt, sql`now()`), ",
    replace: "",
    test: {
      file: WORKER_TEST,
      title: "leaves an event alone while another's lease runs, and takes it over when it ends",
    },
  },
  {
    promise: "A worker that lost its lease changes nothing.",
    guard: "the claim token",
    file: SETTLE,
    find: "    eq(events.claimToken, claim.token),\n",
    replace: "",
    test: {
      file: SETTLE_TEST,
      title: "refuses a worker whose event a successor holds: settling it as processed changes nothing",
    },
  },
  {
    promise: "A lost lease rolls back all that was written with it.",
    guard: "ClaimLost ends the transaction",
    file: APPLY,
    find: "  if (!isHeld) throw new ClaimLost(",
    replace: "  if (!isHeld && Math.random() > 1) throw new ClaimLost(",
    test: {
      file: "server/fulfilment/fulfilment-races.pg.test.ts",
      title: "that a successor has taken over keeps nothing of what it wrote when it wakes up",
    },
  },
  {
    promise: "An event that kills its worker does not do so for ever.",
    guard: "lost leases count, and the last one buries",
    file: TAKE,
    find: "  const [buried] = await buryLostEvent(db, options.attemptsMax);\n  if (buried) return { claim: null, buriedEventId: buried.eventId };\n",
    replace: "",
    test: {
      file: WORKER_TEST,
      title: "buries an event that lost its lease as often as is allowed, instead of crashing for ever",
    },
  },
  {
    promise: "A poison event takes no neighbours along when it is taken over.",
    guard: "new work is taken apart from lost events",
    file: TAKE,
    find: "condition: isNull(events.claimToken) });",
    replace: "condition: sql`true` });",
    test: { file: SETTLE_TEST, title: "of new work leaves lost events to be taken over alone" },
  },
  {
    promise: "An old process does not swallow a type that a newer one handles.",
    guard: "a worker takes only types it has a handler for",
    file: TAKE,
    find: ", isHandled());",
    replace: ");",
    test: { file: WORKER_TEST, title: "does not take a type it has no handler for: a newer process may" },
  },
  {
    promise: "An event has as many tries as it is said to have.",
    guard: "the last failure settles it as dead",
    file: SETTLE,
    find: "case when ${isLastTry} then 'dead' else 'processing' end",
    replace: "case when ${isLastTry} then 'processing' else 'processing' end",
    test: {
      file: WORKER_TEST,
      title: "retries a failure later, counts it, and lets the event die at its last try",
    },
  },
  {
    promise: "A rate limit of Stripe's never kills an event.",
    guard: "a failure that says nothing about the event does not count",
    file: SETTLE,
    find: "(${end.counts} and (${events.failures}",
    replace: "(true and (${events.failures}",
    test: {
      file: SETTLE_TEST,
      title: "that does not count never kills, however many tries are used up",
    },
  },
  {
    promise: "A stale answer of Stripe's never overwrites a newer one.",
    guard: "the order's version, read before Stripe is asked",
    file: APPLY,
    find: "  if (locked?.version !== (before?.version ?? 0n)) {",
    replace: "  if (locked === undefined) {",
    test: {
      file: TROUBLE_TEST,
      title: "to write an order that moved since it was read: the reading is repeated",
    },
  },
  {
    promise: "Two workers never write one order at once.",
    guard: "the order's row lock",
    file: APPLY,
    find: '    .for("update");\n',
    replace: ";\n",
    test: {
      file: TROUBLE_TEST,
      title:
        "two writers of one order at once: the second waits for the first, and then finds that the order moved",
    },
  },
  {
    promise: "Credits are granted for money, not for a completed checkout.",
    guard: "payment_status decides",
    file: DECIDE,
    find: '    case "unpaid":\n      return decideUnpaid(now, before, { credits, eventType });',
    replace: '    case "unpaid":\n      return decidePaid(now, before, credits);',
    test: {
      file: "server/fulfilment/decide.test.ts",
      title: "and complete awaits its payment without credits",
    },
  },
  {
    promise: "A second payment of an order grants nothing and is shown.",
    guard: "the payment that granted",
    file: DECIDE,
    find: "if (before?.grantingPaymentId !== null && before?.grantingPaymentId !== undefined) {",
    replace: "if (before?.grantingPaymentId === payment.paymentId) {",
    test: {
      file: "server/fulfilment/decide.test.ts",
      title: "whose order another payment has granted is a duplicate payment and grants nothing",
    },
  },
  {
    promise: "A late event never moves an order backwards.",
    guard: "the table of transitions",
    file: DECIDE,
    find: "mayOrderMove(before.state, target, { isSameSession })",
    replace: "(isSameSession || !isSameSession)",
    test: { file: "server/fulfilment/decide.test.ts", title: "and expired never moves a paid order" },
  },
  {
    promise: "A payment counts for one order.",
    guard: "a payment that belongs to another order is a mismatch",
    file: APPLY,
    find: "if (decision.payment && !(await recordPayment(tx, { ...decision.payment, orderId: decision.orderId }))) {",
    replace:
      "if (decision.payment && !(await recordPayment(tx, { ...decision.payment, orderId: decision.orderId })) && Math.random() > 1) {",
    test: {
      file: "server/fulfilment/fulfil.pg.test.ts",
      title: "is not made of one whose order id was changed afterwards",
    },
  },
  {
    promise: "No attempt writes after its time is up.",
    guard: "the deadline before the apply",
    file: "server/fulfilment/fulfil.ts",
    find: "    if (Date.now() > deadline.getTime())\n",
    replace: "    if (Date.now() > deadline.getTime() && Math.random() > 1)\n",
    test: {
      file: "server/fulfilment/fulfilment-races.pg.test.ts",
      title: "whose time is up once its order is read writes nothing",
    },
  },
  {
    promise: "A replay happens on what the operator saw, or not at all.",
    guard: "the attempt and phase they saw",
    file: REQUEST,
    find: "if (attempt !== request.expectedAttempt || phase !== request.expectedPhase) {",
    replace: "if (attempt < 0) {",
    test: {
      file: REPLAYS_TEST,
      title: "is what two operators do to one death: the second sees that it changed",
    },
  },
  {
    promise: "A double click is one act.",
    guard: "the request id",
    file: REQUEST,
    find: "  if (earlier) return earlier;\n",
    replace: "",
    test: { file: REPLAYS_TEST, title: "is what a double click is" },
  },
  {
    promise: "A replay decides on what is there, not on what was.",
    guard: "the lock on the event's row",
    file: "server/claims/claim-row.ts",
    find: '    .for("update");\n',
    replace: ";\n",
    test: { file: REPLAYS_TEST, title: "waits for whoever changes the event, and decides on what they left" },
  },
  {
    promise: "Whoever may not replay cannot.",
    guard: "the role's permission",
    file: REQUEST,
    find: 'if (!hasPermission(role, "replay_events")) return "role_not_allowed";',
    replace: 'if (role.length === 0) return "role_not_allowed";',
    test: { file: REPLAYS_TEST, title: "to whoever may not replay, on record: support" },
  },
  {
    promise: "What an old process recorded is brought on.",
    guard: "a delivery offers it",
    file: REARM,
    find: 'or(phaseIs("stale"), isRecordedButHandled(accounts))',
    replace: 'phaseIs("stale")',
    test: { file: RULES_TEST, title: "on a row that is recorded, now handled, for a delivery" },
  },
  {
    promise: "The audit chain has no gap and no fork.",
    guard: "the lock on the chain's head",
    file: "server/audit/append.ts",
    find: '    .for("update");\n',
    replace: ";\n",
    test: {
      file: "server/audit/audit.pg.test.ts",
      title: "numbers acts without a gap when many are done at once, and loses none",
    },
  },
  {
    promise: "Stripe is asked no faster than it allows, by however many processes.",
    guard: "the next free slot of a route",
    file: "server/stripe/rate-limit.ts",
    find: "greatest(slot.next_at, clock_timestamp())",
    replace: "clock_timestamp()",
    test: {
      file: "server/stripe/rate-limit.pg.test.ts",
      title: "turns to call one route are handed out one interval apart, whoever asks",
    },
  },
  {
    promise: "The sandbox never touches real books.",
    guard: "the mode that a database is bound to",
    file: "server/sandbox/sandbox.ts",
    find: 'if (row?.mode === "sandbox") return;',
    replace: "if (row !== undefined) return;",
    test: { file: "server/sandbox/sandbox.pg.test.ts", title: "refuses a database of live mode" },
  },
  {
    promise: "Chaos is for who may run it.",
    guard: "the role's permission to run it",
    file: CHAOS,
    find: 'if (!hasPermission(role, "run_chaos")) return "role_not_allowed";',
    replace: 'if (role.length === 0) return "role_not_allowed";',
    test: { file: CHAOS_TEST, title: "is refused to who may not, with an entry, and nothing is thrown" },
  },
  {
    promise: "Chaos kills no database that Einmal did not start.",
    guard: "the database's owner is asked for",
    file: CHAOS,
    find: "switches.database_kills === true && !chaos.mayKillDatabase",
    replace: "switches.database_kills === true && role.length === 0",
    test: {
      file: CHAOS_TEST,
      title: "never kills a database that is not ours, and says so to who asks for it",
    },
  },
  {
    promise: "A test event never grants live credits.",
    guard: "the event's mode is compared with ours",
    file: "server/receiving/read-event.ts",
    find: "event.livemode !== livemode",
    replace: "event.livemode === null",
    test: {
      file: "server/http/stripe-webhook.pg.test.ts",
      title: "answers 200 to a test event on a live installation and settles it as recorded",
    },
  },
  {
    promise: "One event that the database refuses costs its neighbours nothing.",
    guard: "a batch that failed is tried item by item",
    file: "server/receiving/receiver.ts",
    find: "mayBeOneItem: (error) => !isConnectionError(error)",
    replace: "mayBeOneItem: (error) => isConnectionError(error)",
    test: { file: RECEIVER_TEST, title: "of one poison event in a batch refuses only that one" },
  },
];
