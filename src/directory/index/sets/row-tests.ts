/** Tests whether single rows are in a set, which is faster than marking the set for few rows. */

import { containsText } from '../texts/text-list.ts';
import { type DROP, KEEP } from './bits.ts';
import { costOfMarkingRange, ROWS_A_WORD } from './ranked-rows.ts';
import { type RowSet, sizeMax } from './row-set.ts';

/** The cost of testing one row, in rows that are marked one by one (about 2 ns each). */
const TEST_COSTS: Readonly<Record<RowSet['kind'], number>> = {
  bits: 8,
  range: 16,
  list: 40,
  hits: 80,
  valueHits: 100,
};

/** Whether testing this number of rows one by one is faster than marking the sets. */
export function isTestingWorthwhile(sets: readonly RowSet[], rows: number): boolean {
  let testing = 0;
  let marking = 0;
  for (const set of sets) {
    if (!isTestable(set)) return false;
    testing += rows * TEST_COSTS[set.kind];
    marking += costOfMarking(set);
  }
  return testing < marking;
}

/** Whether `keepTested` can test the set. */
export function isTestable(set: RowSet): boolean {
  return (set.kind !== 'hits' && set.kind !== 'valueHits') || set.text !== undefined;
}

function costOfMarking(set: RowSet): number {
  switch (set.kind) {
    case 'bits':
      return set.words.length * ROWS_A_WORD;
    case 'range':
      return costOfMarkingRange(set.ranked, set.from, set.to);
    default:
      return sizeMax(set);
  }
}

/** As `keepMarked`: appends the rows that are in one of the sets, or in none of them. */
export function keepTested(
  list: Uint32Array,
  at: number,
  rows: Uint32Array,
  from: number,
  to: number,
  sets: readonly RowSet[],
  how: typeof KEEP | typeof DROP,
): number {
  let end = at;
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    if (isInAny(sets, row) === (how === KEEP)) list[end++] = row;
  }
  return end;
}

function isInAny(sets: readonly RowSet[], row: number): boolean {
  for (let i = 0; i < sets.length; i++) if (hasRow(sets[i]!, row)) return true;
  return false;
}

function hasRow(set: RowSet, row: number): boolean {
  switch (set.kind) {
    case 'bits':
      return ((set.words[row >>> 5]! >>> (row & 31)) & 1) === 1;
    case 'range':
      return (set.ranked.rank[row]! - set.from) >>> 0 < set.to - set.from;
    case 'list': {
      const at = firstAbove(set.rows, row, set.from, set.to) - 1;
      return at >= set.from && set.rows[at] === row;
    }
    case 'hits':
      return containsText(set.text!.texts, row, set.text!.wanted);
    case 'valueHits': {
      const rank = set.ranked.rank[row]!;
      if (rank >= set.ranked.order.length) return false;
      const value = firstAbove(set.starts, rank, 0, set.starts.length) - 1;
      return containsText(set.text!.texts, value, set.text!.wanted);
    }
    default:
      throw new Error(`Unknown set: ${JSON.stringify(set satisfies never)}`);
  }
}

/** The first place in `from..to` of the ascending numbers that has a larger number, or `to`. */
function firstAbove(numbers: Uint32Array, number: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! <= number) low = middle + 1;
    else high = middle;
  }
  return low;
}
