import { signEvent } from "./sign-event.ts";
import { until } from "./until.ts";

/** How Stripe delivers: at least once, until somebody says 2xx, and it remembers nothing but that. */
export interface Postman {
  /** One try. False if it was not acknowledged, for whatever reason; then it is owed. */
  post: (event: { id: string }, address: string) => Promise<boolean>;
  /** Tries again whatever is owed, each until it is acknowledged. */
  deliverOwed: (address: string) => Promise<void>;
  counts: () => { sent: number; acknowledged: number };
  acknowledgedIds: () => ReadonlySet<string>;
}

export function createPostman(): Postman {
  const acknowledged: string[] = [];
  let owed: { id: string }[] = [];
  let sent = 0;

  async function attempt(event: { id: string }, address: string): Promise<boolean> {
    sent += 1;
    const { body, headers } = signEvent(event);
    try {
      const answer = await fetch(`${address}/webhooks/stripe`, { method: "POST", body, headers });
      await answer.arrayBuffer();
      if (answer.status !== 200) return false;
    } catch {
      // Nobody there, or killed before the answer was out.
      return false;
    }
    acknowledged.push(event.id);
    return true;
  }

  return {
    post: async (event, address) => {
      const isAcknowledged = await attempt(event, address);
      if (!isAcknowledged) owed.push(event);
      return isAcknowledged;
    },
    deliverOwed: async (address) => {
      const events = owed;
      owed = [];
      for (const event of events) await until(`a 2xx for ${event.id}`, () => attempt(event, address));
    },
    counts: () => ({ sent, acknowledged: acknowledged.length }),
    acknowledgedIds: () => new Set(acknowledged),
  };
}
