import { and, eq, gte } from "drizzle-orm";
import type { ChaosView } from "#shared/desk-views.ts";
import { arrivalCounts, countEvents } from "../claims/event-counts.ts";
import type { Db } from "../db/client.ts";
import { eventAttempts } from "../db/schema/event-attempts.ts";
import { eventDeliveries } from "../db/schema/event-deliveries.ts";
import { countBooks } from "../orders/order-counts.ts";
import type { Chaos } from "./change.ts";
import type { ChaosRun } from "./switchboard.ts";

/** What is on, what it did, and the books meanwhile. Counts every order there is: a sandbox's are few. */
export async function readChaos(db: Db, { switchboard, mayKillDatabase }: Chaos): Promise<ChaosView> {
  const run = switchboard.run();
  const [books, events, deeds] = await Promise.all([
    countBooks(db),
    countEvents(db),
    run === null ? null : countDeeds(db, run),
  ]);
  return {
    ...switchboard.settings(),
    now: events.now,
    mayKillDatabase,
    run: run && deeds && { ...run, ...deeds, tally: { ...run.tally }, isOn: switchboard.isOn() },
    books: {
      ...books,
      unfinished: Object.values(events.phases).reduce((sum, count) => sum + count, 0),
      oldestUnfinishedAt: events.oldestUnfinishedAt,
    },
  };
}

/** What arrived at the door in a run, and how often a worker took over from a dead one. */
async function countDeeds(db: Db, { startedAt }: ChaosRun) {
  const [[deliveries], takenOver] = await Promise.all([
    db.select(arrivalCounts).from(eventDeliveries).where(gte(eventDeliveries.receivedAt, startedAt)),
    db.$count(eventAttempts, and(eq(eventAttempts.result, "lost"), gte(eventAttempts.startedAt, startedAt))),
  ]);
  if (!deliveries) throw new Error("Bug! An aggregate without a row.");
  return { deliveries, takenOver };
}
