const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Makes ids in Stripe's manner, such as evt_1Q9hTq2eZvKYlo2C. */
export function createIds(random: () => number): (prefix: string, length?: number) => string {
  return (prefix, length = 24) => {
    let id = "";
    while (id.length < length) id += ALPHABET[Math.floor(random() * ALPHABET.length)];
    return `${prefix}_${id}`;
  };
}

/** Random numbers in [0, 1) that repeat for the same seed (mulberry32). For variety, not for secrets. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
