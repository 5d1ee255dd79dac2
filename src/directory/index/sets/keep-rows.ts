/** Filters that append the rows they keep to a list. The list may be the one that they read. */
import type { DROP, KEEP } from './bits.ts';

/**
 * Appends the rows of `rows[from..to)` that the set has to `list`, from its place `at` on, or those
 * that it lacks. Returns the new end of the list. The other filters do the same.
 */
export function keepMarked(
  list: Uint32Array,
  at: number,
  rows: Uint32Array,
  from: number,
  to: number,
  words: Uint32Array,
  how: typeof KEEP | typeof DROP,
): number {
  let end = at;
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    // Without a branch, because the processor cannot predict which rows are kept.
    list[end] = row;
    end += ((words[row >>> 5]! ^ how) >>> (row & 31)) & 1;
  }
  return end;
}

/** Appends the rows that have a rank within `first..last`. */
export function keepRanked(
  list: Uint32Array,
  at: number,
  rows: Uint32Array,
  from: number,
  to: number,
  rank: Uint32Array,
  first: number,
  last: number,
): number {
  let end = at;
  const size = last - first;
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    list[end] = row;
    // A rank below the range becomes a large number, so one comparison tests both ends.
    end += (rank[row]! - first) >>> 0 < size ? 1 : 0;
  }
  return end;
}

/** Appends all rows. */
export function keepAll(
  list: Uint32Array,
  at: number,
  rows: Uint32Array,
  from: number,
  to: number,
): number {
  let end = at;
  for (let i = from; i < to; i++) list[end++] = rows[i]!;
  return end;
}
