/** Many sets of rows as bits, one behind the other in one array. */

import { wordCount } from './bits.ts';

/** Set `index` out of `sets`, each of which has room for `rowCount` rows. */
export function bitSetAt(sets: Uint32Array, index: number, rowCount: number): Uint32Array {
  const words = wordCount(rowCount);
  return sets.subarray(index * words, (index + 1) * words);
}

/**
 * A set of more rows than this is kept as bits: a list would be larger, and each of its rows would
 * have to be marked when a query asks for it.
 */
export function bitsWorthwhileAbove(rowCount: number): number {
  return rowCount / 32;
}
