/** Random numbers that depend on nothing but a seed and an index, so every record can be made alone. */

export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** True in `perTenThousand` of 10,000 cases. */
  isChance(perTenThousand: number): boolean;
  /** One of the items; they must not be empty. */
  pick<T>(items: readonly T[]): T;
}

/** A generator for the `index`th thing of a stream; the same numbers give the same sequence. */
export function randomFor(seed: number, index: number): Random {
  let state = mix(Math.imul(seed, 0x9e3779b1) ^ mix(index + 0x7f4a7c15));
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    return mix(state);
  };
  return {
    below: (limit) => Math.floor((next() / 0x1_0000_0000) * limit),
    isChance: (perTenThousand) => next() / 0x1_0000_0000 < perTenThousand / 10_000,
    pick: (items) => {
      const item = items[Math.floor((next() / 0x1_0000_0000) * items.length)];
      if (item === undefined) throw new RangeError('There is nothing to pick from.');
      return item;
    },
  };
}

/** Spreads the bits of a 32-bit number over all of it. */
function mix(value: number): number {
  let bits = value >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
