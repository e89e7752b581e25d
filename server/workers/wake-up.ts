export interface WakeUp {
  /** Ends the present sleep, or the next one before it begins. */
  wake: () => void;
  /** Forgets earlier wake-ups: called before looking, so that none that comes while looking is lost. */
  clear: () => void;
  /** Resolves at a wake-up, at once if there was one since clear(), and at the latest after `ms` milliseconds. */
  sleep: (ms: number) => Promise<void>;
}

/** A sleep that somebody else can end. */
export function createWakeUp(): WakeUp {
  let isWoken = false;
  let rouse: (() => void) | undefined;
  return {
    wake: () => {
      isWoken = true;
      rouse?.();
    },
    clear: () => {
      isWoken = false;
    },
    sleep: async (ms) => {
      if (isWoken) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        rouse = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      rouse = undefined;
    },
  };
}
