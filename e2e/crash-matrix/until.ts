import { setTimeout as wait } from "node:timers/promises";

/** Looks until there is something to see. Throws, naming what was waited for, when it does not come. */
export async function until<Found>(
  waitedFor: string,
  look: () => Promise<Found | null | false> | Found | null | false,
  { secondsMax = 45 } = {},
): Promise<Found> {
  const end = Date.now() + secondsMax * 1000;
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    if (Date.now() > end) throw new Error(`waited ${secondsMax} s for ${waitedFor}`);
    await wait(20);
  }
}
