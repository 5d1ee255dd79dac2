/** The first rows of sets that are in no order: enough for a page, where the total is known. */

import { readRows } from './bits.ts';
import { eachSlice, type RowSet } from './row-set.ts';

/** Each row is moved past some of these when it is met: for more, marking takes less. */
export const LOWEST_MAX = 128;

/** The `most` lowest rows of sets that have no row in common, ascending; `most` from 1. */
export function lowestRows(sets: readonly RowSet[], most: number): number[] {
  const lowest: number[] = [];
  for (const set of sets) {
    if (set.kind === 'bits') {
      for (const row of readRows(set.words, set.count, 0, most)) {
        if (lowest.length < most) insert(lowest, lowest.length, row);
        else if (row < lowest[most - 1]!) insert(lowest, most - 1, row);
      }
    } else {
      const isAscending = set.kind === 'range' ? set.ascending : set.kind !== 'hits';
      eachSlice(set, (rows, from, to) => takeLowest(lowest, most, rows, from, to, isAscending));
    }
  }
  return lowest;
}

/** Puts those of `rows[from..to)` that are low enough among the lowest. */
function takeLowest(
  lowest: number[],
  most: number,
  rows: Uint32Array,
  from: number,
  to: number,
  isAscending: boolean,
): void {
  let i = from;
  for (; i < to && lowest.length < most; i++) insert(lowest, lowest.length, rows[i]!);
  if (i === to) return;
  const bound = isAscending ? Number.POSITIVE_INFINITY : boundOf(rows, i, to, most);
  let highest = Math.min(lowest[most - 1]!, bound);
  for (; i < to; i++) {
    const row = rows[i]!;
    if (row < highest) {
      insert(lowest, most - 1, row);
      highest = Math.min(lowest[most - 1]!, bound);
    } else if (isAscending) {
      break;
    } else {
      i = lastAbove(rows, i, to, highest);
    }
  }
}

/** One row out of so many is looked at beforehand. */
const SAMPLED = 64;

/**
 * All of the lowest rows are below this: so that rows in descending order, each lower than all
 * before, do not each take its turn among them.
 */
function boundOf(rows: Uint32Array, from: number, to: number, most: number): number {
  if (to - from <= most * SAMPLED) return Number.POSITIVE_INFINITY;
  const sample: number[] = [];
  for (let i = from; i < to; i += SAMPLED) {
    const row = rows[i]!;
    if (sample.length < most) insert(sample, sample.length, row);
    else if (row < sample[most - 1]!) insert(sample, most - 1, row);
  }
  return sample[most - 1]! + 1;
}

/** How far rows that come after one another are all as high as a row or higher; four at a time. */
function lastAbove(rows: Uint32Array, from: number, to: number, row: number): number {
  let i = from;
  for (
    const last = to - 4;
    i < last &&
    rows[i + 1]! >= row &&
    rows[i + 2]! >= row &&
    rows[i + 3]! >= row &&
    rows[i + 4]! >= row;
  ) {
    i += 4;
  }
  return i;
}

/** Into the ascending first `count` numbers; the one behind them is lost. */
function insert(lowest: number[], count: number, row: number): void {
  let at = count;
  for (; at > 0 && lowest[at - 1]! > row; at--) lowest[at] = lowest[at - 1]!;
  lowest[at] = row;
}
