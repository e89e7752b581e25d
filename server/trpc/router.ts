import { chaosRouter } from "./chaos.ts";
import { eventsRouter } from "./events.ts";
import { router } from "./init.ts";
import { operatorsRouter } from "./operators.ts";
import { ordersRouter } from "./orders.ts";
import { replaysRouter } from "./replays.ts";

export const appRouter = router({
  chaos: chaosRouter,
  events: eventsRouter,
  operators: operatorsRouter,
  orders: ordersRouter,
  replays: replaysRouter,
});

/** What the desk is typed against. */
export type AppRouter = typeof appRouter;
