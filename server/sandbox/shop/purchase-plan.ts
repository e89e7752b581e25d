import { seededRandom } from "../emulator/ids.ts";
import type { PackageKey } from "./packages.ts";

/**
 * One habit of buyers or of Stripe each.
 *
 * - `card`: paid at once, told once.
 * - `redelivered`: the same event several times, one after the other. - `crowded`: several times at once.
 * - `twin`: a second event object for the same payment.
 * - `reversed`: its events arrive latest first. - `overtaken`: a transfer's success arrives before its checkout.
 * - `transfer`, `failing_transfer`: complete but unpaid until the bank answers.
 * - `abandoned`: never paid, expires. - `paid_twice`: two paid sessions for one order.
 * - `gift`: a whole coupon. - `without_credits`: a price nobody gave credits.
 * - `unreadable`, `long_unreadable`: Stripe answers 500 to the first looks at it, so that its event is retried.
 * - `slow`: Stripe takes seconds to answer, so that a worker is seen holding its event.
 */
export type PurchaseKind =
  | "card"
  | "redelivered"
  | "crowded"
  | "twin"
  | "reversed"
  | "overtaken"
  | "transfer"
  | "failing_transfer"
  | "abandoned"
  | "paid_twice"
  | "gift"
  | "without_credits"
  | "unreadable"
  | "long_unreadable"
  | "slow";

export interface Buyer {
  /** The shop's own id; null for a guest, or for somebody only Stripe knows. */
  userId: string | null;
  email: string;
  /** Whether Checkout makes a customer. */
  isStripeCustomer: boolean;
}

export interface PurchasePlan {
  turn: number;
  orderId: string;
  kind: PurchaseKind;
  packageKey: PackageKey;
  quantity: number;
  buyer: Buyer;
}

/** What the desk shows within its first minute: something of everything, in this order. */
const START: readonly PurchaseKind[] = [
  "card",
  "failing_transfer",
  "transfer",
  "without_credits",
  "long_unreadable",
  "abandoned",
  "twin",
  "slow",
  "card",
  "gift",
  "paid_twice",
  "transfer",
  "redelivered",
  "abandoned",
  "overtaken",
  "crowded",
  "transfer",
  "reversed",
  "without_credits",
  "unreadable",
  "slow",
  "card",
];
/** Turns of the start, which follow each other quickly. */
export const START_TURNS = START.length;

/** How often a kind comes up afterwards, in parts of their sum. */
const SHARES: readonly (readonly [PurchaseKind, number])[] = [
  ["card", 36],
  ["redelivered", 10],
  ["crowded", 5],
  ["twin", 8],
  ["reversed", 6],
  ["overtaken", 4],
  ["transfer", 8],
  ["failing_transfer", 3],
  ["abandoned", 7],
  ["paid_twice", 2],
  ["gift", 5],
  ["without_credits", 1],
  ["unreadable", 4],
  ["slow", 6],
];
const SHARES_SUM = SHARES.reduce((sum, [, share]) => sum + share, 0);

/** Invented people. example.test can belong to nobody. */
const PEOPLE = [
  "amara",
  "bruno",
  "chiyo",
  "dilan",
  "elif",
  "farid",
  "greta",
  "hana",
  "ines",
  "jonas",
  "kaya",
  "luca",
  "mirjam",
  "noor",
  "oskar",
  "priya",
] as const;
const FIRST_USER = 7731;
const FIRST_ORDER = 10_482;
/** Spreads neighbouring turns over the generator's seeds. */
const SEED_STRIDE = 7919;

/**
 * The purchase of a turn. Depends on nothing but the seed and the turn, so that a run can be repeated, and a shop
 * that starts again goes on where it stopped.
 */
export function planPurchase(turn: number, { seed }: { seed: number }): PurchasePlan {
  const random = seededRandom(seed + turn * SEED_STRIDE);
  const kind = START[turn] ?? kindAt(random() * SHARES_SUM);
  return {
    turn,
    orderId: `order_${FIRST_ORDER + turn}`,
    kind,
    packageKey: packageFor(kind, random()),
    quantity: random() < 0.2 ? 2 + Math.floor(random() * 2) : 1,
    buyer: buyerAt(random(), random()),
  };
}

/** Kinds whose order is settled as soon as its events are. */
const SETTLE_BY_THEMSELVES: readonly PurchaseKind[] = [
  "card",
  "redelivered",
  "crowded",
  "twin",
  "reversed",
  "overtaken",
  "paid_twice",
  "gift",
];

/** The same purchase, by card if its own way would leave it to a bank, a person or long retries. */
export function withoutWaiting(plan: PurchasePlan): PurchasePlan {
  if (SETTLE_BY_THEMSELVES.includes(plan.kind)) return plan;
  return { ...plan, kind: "card", packageKey: plan.packageKey === "call" ? "small" : plan.packageKey };
}

function kindAt(point: number): PurchaseKind {
  let left = point;
  for (const [kind, share] of SHARES) {
    left -= share;
    if (left < 0) return kind;
  }
  return "card";
}

function packageFor(kind: PurchaseKind, point: number): PackageKey {
  if (kind === "gift") return "gift";
  if (kind === "without_credits") return "call";
  // Debits exist in euros.
  if (kind === "transfer" || kind === "failing_transfer" || kind === "overtaken") return "large";
  if (point < 0.45) return "small";
  if (point < 0.8) return "large";
  return point < 0.9 ? "tokyo" : "kuwait";
}

function buyerAt(person: number, habit: number): Buyer {
  const index = Math.floor(person * PEOPLE.length);
  const email = `${PEOPLE[index] ?? "somebody"}@example.test`;
  if (habit < 0.12) return { userId: null, email, isStripeCustomer: false };
  if (habit < 0.25) return { userId: null, email, isStripeCustomer: true };
  return { userId: `user_${FIRST_USER + index}`, email, isStripeCustomer: habit > 0.8 };
}
