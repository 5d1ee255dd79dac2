/** Several sets of rows as bits, one after the other in one array. */

import { wordCount } from './bits.ts';

/** Set `index` out of `sets`, each of which has room for `rowCount` rows. */
export function bitSetAt(sets: Uint32Array, index: number, rowCount: number): Uint32Array {
  const words = wordCount(rowCount);
  return sets.subarray(index * words, (index + 1) * words);
}

/**
 * A set with more rows than this is stored as bits. A list would be larger, and a search would have
 * to mark each of its rows.
 */
export function bitsWorthwhileAbove(rowCount: number): number {
  return rowCount / 32;
}
