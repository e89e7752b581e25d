import { setTimeout as wait } from "node:timers/promises";
import type Stripe from "stripe";
import type { Log } from "../../log.ts";
import { seededRandom } from "../emulator/ids.ts";
import type { Emulator } from "../emulator.ts";
import { type Catalog, openCatalog } from "./packages.ts";
import type { ShopMemory, ShopProgress } from "./progress.ts";
import { planPurchase, type PurchasePlan, START_TURNS, withoutWaiting } from "./purchase-plan.ts";
import { purchase } from "./purchase.ts";

/** Each leaves an event that stays dead until a person acts. */
const WITHOUT_CREDITS_MAX = 6;
/** So many transfers always wait, so that the desk's list of them is never empty; a newer one settles the oldest. */
const WAITING_TRANSFERS = 2;
const OPEN_ABANDONED = 1;
/** A sandbox left running must not fill a disk: after this many orders the shop has quiet days. */
const BUSY_TURNS = 300;

const START_PAUSE_MS = { from: 100, to: 300 };
const BUSY_PAUSE_MS = { from: 4000, to: 8000 };
const QUIET_PAUSE_MS = { from: 60_000, to: 120_000 };
const HURRIED_PAUSE_MS = { from: 400, to: 900 };

export interface ShopOptions {
  stripe: Stripe;
  emulator: Emulator;
  memory: ShopMemory;
  log?: Log;
  onSession?: (sessionId: string) => void;
  seed?: number;
  /** Milliseconds between purchases, for who wants another pace than the shop's. */
  pauseMs?: (turns: number) => number;
  /** Asked before each purchase: whether it sells quickly, and only what settles without a bank or a person. */
  isHurried?: () => boolean;
}

export interface Shop {
  /** Sells and goes on selling until it is closed. */
  open: () => void;
  /** One purchase, and what became of earlier ones: the step that `open` repeats. */
  takeTurn: () => Promise<PurchasePlan>;
  close: () => Promise<void>;
}

/** A small shop that sells credits to invented people through Stripe, with everybody's habits. */
export function createShop(options: ShopOptions): Shop {
  const { seed = 1, memory, isHurried = () => false } = options;
  const pauseMs =
    options.pauseMs ?? ((turns: number) => usualPauseMs(turns, { seed, isHurried: isHurried() }));
  const closing = new AbortController();
  let catalog: Catalog | undefined;
  let loop: Promise<void> | undefined;

  async function takeTurn(): Promise<PurchasePlan> {
    catalog ??= await openCatalog(options.stripe);
    const before = await memory.load();
    const planned = within(planPurchase(before.turns, { seed }), before);
    const plan = isHurried() ? withoutWaiting(planned) : planned;
    const begun: ShopProgress = {
      ...before,
      turns: before.turns + 1,
      withoutCredits: before.withoutCredits + (plan.kind === "without_credits" ? 1 : 0),
    };
    // Saved first: a purchase that fails halfway is not repeated under the same order id.
    await memory.save(begun);
    const { stripe, emulator, onSession = () => {} } = options;
    const context = { stripe, emulator, catalog, onSession, closing: closing.signal };
    const end = await purchase(context, plan);
    const after = {
      ...begun,
      transfers: [...begun.transfers, ...end.transfers],
      abandoned: [...begun.abandoned, ...end.abandoned],
    };
    await memory.save(after);
    await settleOldest(after);
    return plan;
  }

  /** The bank answers the oldest transfers, and the oldest open sessions run out. */
  async function settleOldest(progress: ShopProgress): Promise<void> {
    const transfers = progress.transfers.slice(-WAITING_TRANSFERS);
    const abandoned = progress.abandoned.slice(-OPEN_ABANDONED);
    const answered = progress.transfers.slice(0, -WAITING_TRANSFERS);
    const expired = progress.abandoned.slice(0, -OPEN_ABANDONED);
    if (answered.length + expired.length === 0) return;
    await memory.save({ ...progress, transfers, abandoned });
    for (const { sessionId, fails } of answered) await options.emulator.sessions.settle(sessionId, { fails });
    for (const sessionId of expired) await options.emulator.sessions.expire(sessionId);
  }

  async function sell(): Promise<void> {
    while (!closing.signal.aborted) {
      let { turns } = await memory.load().catch(() => ({ turns: BUSY_TURNS }));
      try {
        turns = (await takeTurn()).turn + 1;
      } catch (error) {
        if (!closing.signal.aborted) options.log?.warn({ err: error }, "Sandbox: a purchase failed.");
      }
      await wait(pauseMs(turns), undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  return {
    open: () => {
      loop ??= sell();
    },
    takeTurn,
    close: async () => {
      closing.abort();
      await loop;
    },
  };
}

function within(plan: PurchasePlan, { withoutCredits }: ShopProgress): PurchasePlan {
  if (plan.kind !== "without_credits" || withoutCredits < WITHOUT_CREDITS_MAX) return plan;
  return { ...plan, kind: "card", packageKey: "small" };
}

function usualPauseMs(turns: number, { seed, isHurried }: { seed: number; isHurried: boolean }): number {
  const usual = turns < START_TURNS ? START_PAUSE_MS : turns < BUSY_TURNS ? BUSY_PAUSE_MS : QUIET_PAUSE_MS;
  const pause = isHurried && turns >= START_TURNS ? HURRIED_PAUSE_MS : usual;
  return pause.from + seededRandom(seed + turns)() * (pause.to - pause.from);
}
