/** Random numbers that a seed decides: the same seed gives the same inputs again. */

/** A number from 0 to below 1. */
export type Random = () => number;

/** The algorithm is xorshift32; `seed` is any whole number. */
export function seededRandom(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 0x1_0000_0000;
  };
}

/** A whole number from 0 to below `limit`. */
export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

/** One of the items; throws where there are none. */
export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new RangeError('There is nothing to pick from.');
  return item;
}
