/** Finds the first rows of sets that are in no order, for a page whose total is known. */

import { readRows } from '../sets/bits.ts';
import { eachSlice, type RowSet } from '../sets/row-set.ts';

/** For more rows than these, marking is faster, because each row is moved past some of them. */
export const LOWEST_MAX = 128;

/** The lowest rows of disjoint sets, ascending, and at most `most` of them (1 or more). */
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

/** Adds the rows of `rows[from..to)` that are among the lowest. */
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
  let highest = lowest[most - 1]!;
  for (; i < to; i++) {
    const row = rows[i]!;
    if (row < highest) {
      insert(lowest, most - 1, row);
      highest = lowest[most - 1]!;
    } else if (isAscending) {
      break;
    } else {
      i = lastAbove(rows, i, to, highest);
    }
  }
}

/** Skips rows that are as high as `row` or higher, four at a time. Returns the last one skipped. */
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

/** Inserts a row into the first `count` numbers, which ascend. Overwrites the number behind them. */
function insert(lowest: number[], count: number, row: number): void {
  let at = count;
  for (; at > 0 && lowest[at - 1]! > row; at--) lowest[at] = lowest[at - 1]!;
  lowest[at] = row;
}
