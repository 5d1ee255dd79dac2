import { sharedWords } from './arrays.ts';

/** Numbers values from 0, in the order in which they first come. */
export class FirstNumbers {
  /** Value → its number + 1. */
  readonly #numbers: number[] = [];
  /** The values by their numbers. */
  readonly order: number[] = [];

  /** `value`: a whole number that is not negative. */
  readonly numberOf = (value: number): number => {
    this.#numbers[value] ??= this.order.push(value);
    return this.#numbers[value] - 1;
  };
}

/**
 * The places, in the order of their keys: whole numbers below `keyCount`. Places with the same key keep
 * their order. `first` has the number of places with a lower key, for each key and `keyCount`.
 */
export function sortedByKey(places: Uint32Array, keys: Uint32Array, keyCount: number) {
  const lengths = new Uint32Array(keyCount);
  for (const place of places) lengths[keys[place]!]!++;
  const first = startsOf(lengths);
  const next = first.slice();
  const sorted = sharedWords(places.length);
  for (const place of places) sorted[next[keys[place]!]!++] = place;
  return { sorted, first };
}

/** Where each of some lengths starts if they are put one after the other, and the end of the last. */
export function startsOf(lengths: Uint32Array): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, number) => {
    starts[number + 1] = starts[number]! + length;
  });
  return starts;
}
