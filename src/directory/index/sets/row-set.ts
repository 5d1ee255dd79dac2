/** Sets of rows in the forms in which columns find them: lists, ranges of an order, and bits. */

import { lowest, type Range } from '../../arrays/binary-search.ts';
import { addRows, type DROP, hasRow, KEEP, uniteBits } from './bits.ts';
import { addRange, costOfRange, type RankedRows, ROWS_A_WORD } from './ranked-rows.ts';

export type RowSet =
  | ListedRows
  | { readonly kind: 'bits'; readonly words: Uint32Array; readonly count: number };

/** A set whose rows are in an array, in some of its places. */
export type ListedRows = Range & RowsInArray;

type RowsInArray =
  /** Ascending, each row once. */
  | { readonly kind: 'list'; readonly rows: Uint32Array }
  /** The rows of the ranks `from..to`, each row once, in the order of the field. */
  | { readonly kind: 'range'; readonly ranked: RankedRows }
  /** In no order, and a row may be repeated unless `distinct`. */
  | { readonly kind: 'hits'; readonly rows: Uint32Array; readonly distinct?: true };

/** Up to this number of rows are sorted one by one. Marking more rows in a set is a faster way to sort. */
export const SORTED_MAX = 128;

export const noRows: RowSet = { kind: 'list', rows: new Uint32Array(0), from: 0, to: 0 };

/** The number of rows. Counts a row again for each time that it is repeated. */
export function sizeMax(set: RowSet): number {
  return set.kind === 'bits' ? set.count : set.to - set.from;
}

/** Whether no row is repeated. */
export function hasDistinctRows(set: RowSet): boolean {
  return set.kind !== 'hits' || set.distinct === true;
}

/**
 * Makes `target` the set of the rows of all `sets`. Returns the number of different rows, or
 * undefined if counting them would need another pass.
 */
export function markRows(target: Uint32Array, sets: readonly RowSet[]): number | undefined {
  const copied = sets.find((set) => set.kind === 'bits');
  if (copied === undefined) target.fill(0);
  else target.set(copied.words);
  let count: number | undefined = copied?.count ?? 0;
  for (const set of sets) {
    if (set === copied) continue;
    const added = addSet(target, set);
    count = count === undefined || added === undefined ? undefined : count + added;
  }
  return count;
}

function addSet(target: Uint32Array, set: RowSet): number | undefined {
  switch (set.kind) {
    case 'bits':
      uniteBits(target, set.words);
      return undefined;
    case 'range':
      return addRange(target, set.ranked, set.from, set.to);
    default:
      return addRows(target, set.rows, set.from, set.to);
  }
}

export function areListed(sets: readonly RowSet[]): sets is readonly ListedRows[] {
  return sets.every((set) => set.kind !== 'bits');
}

/** Copies the rows of the sets into a list, in the order in which they have them. Returns their number. */
export function listRows(list: Uint32Array, sets: readonly ListedRows[]): number {
  let end = 0;
  for (const set of sets) {
    const rows = set.kind === 'range' ? set.ranked.order : set.rows;
    for (let i = set.from; i < set.to; i++) list[end++] = rows[i]!;
  }
  return end;
}

/** Sorts a few numbers in place. The different numbers come first; returns how many there are. */
export function sortDifferent(numbers: Uint32Array): number {
  numbers.sort();
  let different = 0;
  for (const number of numbers) {
    if (different === 0 || number !== numbers[different - 1]) numbers[different++] = number;
  }
  return different;
}

/** The cost of testing one row, in rows that are added one by one (about 2 ns each). */
const TEST_COSTS: Readonly<Record<RowSet['kind'], number>> = {
  bits: 4,
  range: 8,
  list: 40,
  hits: Number.POSITIVE_INFINITY,
};

/** Whether testing this number of rows one by one is faster than marking the sets. */
export function isTestingWorthwhile(sets: readonly RowSet[], rows: number): boolean {
  let testing = 0;
  let marking = 0;
  for (const set of sets) {
    testing += rows * TEST_COSTS[set.kind];
    marking += costOfMarking(set);
  }
  return testing < marking;
}

function costOfMarking(set: RowSet): number {
  switch (set.kind) {
    case 'bits':
      return set.words.length * ROWS_A_WORD;
    case 'range':
      return costOfRange(set.ranked, set.from, set.to);
    default:
      return sizeMax(set);
  }
}

/**
 * Keeps those of the first `count` rows of a list that are in one of the sets, or in none of them.
 * Returns their number. The sets must not be hits.
 */
export function keepTested(
  list: Uint32Array,
  count: number,
  sets: readonly RowSet[],
  how: typeof KEEP | typeof DROP,
): number {
  let end = 0;
  for (let i = 0; i < count; i++) {
    const row = list[i]!;
    if (sets.some((set) => isIn(set, row)) === (how === KEEP)) list[end++] = row;
  }
  return end;
}

function isIn(set: RowSet, row: number): boolean {
  switch (set.kind) {
    case 'bits':
      return hasRow(set.words, row);
    case 'range':
      // A rank below the range becomes a large number, so one comparison tests both ends.
      return (set.ranked.rank[row]! - set.from) >>> 0 < set.to - set.from;
    default: {
      const { rows, from, to } = set;
      const at = from + lowest(to - from, (place) => rows[from + place]! >= row);
      return at < to && rows[at] === row;
    }
  }
}

/** As `keepTested`, for one set of bits. */
export function keepMarked(
  list: Uint32Array,
  count: number,
  words: Uint32Array,
  how: typeof KEEP | typeof DROP,
): number {
  let end = 0;
  for (let i = 0; i < count; i++) {
    const row = list[i]!;
    // Without a branch, because the processor cannot predict which rows are kept.
    list[end] = row;
    end += ((words[row >>> 5]! ^ how) >>> (row & 31)) & 1;
  }
  return end;
}
