/** Numbers values, and sorts by such numbers. */
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

/** The places of keys, in the order of the keys. */
export interface SortedPlaces {
  readonly sorted: Uint32Array;
  /** For each key, and for the number of keys, the number of places with a lower key. */
  readonly first: Uint32Array;
}

/**
 * The places of keys, in the order of the keys: whole numbers below `keyCount`, or others, whose places
 * are left out. Places with the same key stay in the order in which `places` has them.
 */
export function sortedByKey(
  keys: Uint32Array,
  keyCount: number,
  places: Uint32Array = keys.map((_, place) => place),
): SortedPlaces {
  const lengths = new Uint32Array(keyCount);
  for (let at = 0; at < places.length; at++) {
    const key = keys[places[at]!]!;
    if (key < keyCount) lengths[key]!++;
  }
  const first = startsOf(lengths);
  const next = first.slice();
  const sorted = sharedWords(first[keyCount]!);
  for (let at = 0; at < places.length; at++) {
    const key = keys[places[at]!]!;
    if (key < keyCount) sorted[next[key]!++] = places[at]!;
  }
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

/** The number of a text: the texts are numbered in the order in which they first come. */
export function numberOfText(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  const number = numbers.size;
  numbers.set(text, number);
  return number;
}
