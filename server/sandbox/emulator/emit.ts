import { setTimeout as wait } from "node:timers/promises";
import { buildEvent } from "./events.ts";
import type { ObjectStore } from "./object-store.ts";
import type { StripeEvent } from "./objects.ts";
import type { WebhookSender } from "./webhook-sender.ts";
import type { DeliverOptions, Occurrence, World } from "./world.ts";

export interface EmitterOptions {
  store: ObjectStore;
  nowSeconds: World["nowSeconds"];
  newId: World["newId"];
  /** Null: nobody is told. */
  sender: WebhookSender | null;
  onError: (error: unknown) => void;
  /** Asked for every act whose events are sent: what becomes of the way in which they would be. */
  deliveryOf?: (usual: DeliverOptions) => DeliverOptions;
}

export interface Emitter {
  emit: World["emit"];
  /** Sends what an earlier process recorded and could not deliver. */
  resume: () => Promise<number>;
  /** Resolves when everything emitted so far was delivered or given up. */
  idle: () => Promise<void>;
}

/** Turns occurrences into events: recorded first, so that no event arrives that cannot be read back, then sent. */
export function createEmitter(options: EmitterOptions): Emitter {
  const { store, nowSeconds, newId, sender, onError, deliveryOf = (usual) => usual } = options;
  const sending = new Set<Promise<unknown>>();

  function begin(work: Promise<unknown>): void {
    const run = work.catch(onError).finally(() => sending.delete(run));
    sending.add(run);
  }

  const emit: World["emit"] = async (occurrences, origin) => {
    const isTold = sender !== null && origin.deliver !== false;
    const deliver = origin.deliver === false ? false : deliveryOf(origin.deliver);
    const twin = deliver !== false && deliver.twin ? occurrences.slice(-1) : [];
    const events: StripeEvent[] = [];
    for (const occurrence of [...occurrences, ...twin]) {
      const isExpected = isTold && sender.isWanted(occurrence.type);
      const stamp = { id: newId("evt"), created: nowSeconds(), origin, isExpected };
      const event = buildEvent(occurrence, stamp);
      await store.put("event", origin.account, event);
      events.push(event);
    }
    if (isTold && deliver !== false) begin(send(sender, { events, ...deliver, occurrences }));
    return events;
  };

  return {
    emit,
    resume: async () => {
      const events = sender === null ? [] : await store.undeliveredEvents();
      for (const event of events) if (sender) begin(sender.deliver(event));
      return events.length;
    },
    idle: async () => {
      while (sending.size > 0) await Promise.all(sending);
    },
  };
}

/** Sends the events of one act, in order, without waiting for one to be taken before the next is sent. */
async function send(
  sender: WebhookSender,
  options: DeliverOptions & { events: readonly StripeEvent[]; occurrences: readonly Occurrence[] },
): Promise<void> {
  const { times = 1, parallel = false, reversed = false, delayMs = 0 } = options;
  if (delayMs > 0) await wait(delayMs, undefined, { signal: sender.stopping }).catch(() => {});
  const main = options.events[options.occurrences.length - 1];
  const wanted = options.events.filter((event) => sender.isWanted(event.type));
  const inOrder = reversed ? wanted.toReversed() : wanted;
  const deliveries: Promise<unknown>[] = [];
  for (const event of inOrder) {
    if (event !== main) deliveries.push(sender.deliver(event));
    else if (!parallel) deliveries.push(oneAfterTheOther(sender, { event, times }));
    else for (let delivery = 0; delivery < times; delivery++) deliveries.push(sender.deliver(event));
  }
  await Promise.all(deliveries);
}

async function oneAfterTheOther(
  sender: WebhookSender,
  { event, times }: { event: StripeEvent; times: number },
): Promise<void> {
  for (let delivery = 0; delivery < times; delivery++) await sender.deliver(event);
}
