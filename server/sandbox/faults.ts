/** Eligible events of a fresh sandbox at which a worker dies for certain, so that its desk shows stale events soon. */
const CERTAIN_DEATHS: readonly number[] = [2, 9];
const DEATH_PROBABILITY = 0.02;

export interface FaultsOptions {
  /** In [0, 1). */
  random: () => number;
  /** Dead attempts that nobody has taken over yet, at most. */
  staleMax: number;
  /** Events that an earlier process left held: they count, and a sandbox that has some is not fresh. */
  staleEventIds?: Iterable<string>;
  /** Whether an event is about something the sample shop sold. What a person sends by hand is never meddled with. */
  isShops: (objectId: string) => boolean;
}

export interface SandboxFaults {
  /**
   * Whether the worker that took this event dies now and never reports back. Only at first attempts: an event that
   * is replayed or taken over gets through, and makes room for another death.
   */
  diesInHandler: (event: {
    eventId: string;
    eventType: string;
    objectId: string;
    attempt: number;
  }) => boolean;
}

/** The switch that kills a worker in mid-handler now and then. */
export function createSandboxFaults(options: FaultsOptions): SandboxFaults {
  const { random, staleMax, staleEventIds = [], isShops } = options;
  const stale = new Set(staleEventIds);
  const isFresh = stale.size === 0;
  let eligible = 0;

  return {
    diesInHandler: ({ eventId, eventType, objectId, attempt }) => {
      if (attempt > 1) {
        stale.delete(eventId);
        return false;
      }
      if (!eventType.startsWith("checkout.session.") || !isShops(objectId)) return false;
      if (stale.size >= staleMax) return false;
      eligible += 1;
      const isCertain = isFresh && CERTAIN_DEATHS.includes(eligible);
      if (!isCertain && random() >= DEATH_PROBABILITY) return false;
      stale.add(eventId);
      return true;
    },
  };
}
