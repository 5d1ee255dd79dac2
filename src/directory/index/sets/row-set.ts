/** The sets of rows that columns find, in the form in which each column has them. */

import type { TextList } from '../texts/text-list.ts';
import { addRows, setRows, uniteBits } from './bits.ts';
import { countBits } from './count-bits.ts';
import { markRange, type RankedRows } from './ranked-rows.ts';

export type RowSet =
  /** Ascending, each row once. */
  | {
      readonly kind: 'list';
      readonly rows: Uint32Array;
      readonly from: number;
      readonly to: number;
    }
  /**
   * The rows of the ranks `from..to`, each row once, in the order of the field. `ascending`: this is
   * also the order of rows, because all of them have the same text.
   */
  | {
      readonly kind: 'range';
      readonly ranked: RankedRows;
      readonly from: number;
      readonly to: number;
      readonly ascending: boolean;
    }
  /** The texts that contain a part: in no order, and a row may be repeated unless `distinct`. */
  | {
      readonly kind: 'hits';
      readonly rows: Uint32Array;
      readonly from: number;
      readonly to: number;
      readonly distinct?: true;
      readonly text?: TextPart;
    }
  /** As hits, but of values. The rows of value `v` have the ranks `starts[v]..starts[v + 1]`. */
  | {
      readonly kind: 'valueHits';
      readonly values: Uint32Array;
      readonly from: number;
      readonly to: number;
      readonly starts: Uint32Array;
      readonly ranked: RankedRows;
      readonly size: number;
      /** Whether no value is repeated. */
      readonly distinct: boolean;
      readonly text?: TextPart;
    }
  | { readonly kind: 'bits'; readonly words: Uint32Array; readonly count: number };

/** The part that the texts of hits contain. Absent while the index is built. */
export interface TextPart {
  /** By row or by value. */
  readonly texts: TextList;
  readonly wanted: Uint8Array;
}

export const noRows: RowSet = { kind: 'list', rows: new Uint32Array(0), from: 0, to: 0 };

/** The number of rows. Counts a row again for each time that it is repeated. */
export function sizeMax(set: RowSet): number {
  switch (set.kind) {
    case 'bits':
      return set.count;
    case 'valueHits':
      return set.size;
    default:
      return set.to - set.from;
  }
}

/** Whether no row is repeated. */
export function hasDistinctRows(set: RowSet): boolean {
  return set.kind === 'valueHits' || set.kind === 'hits' ? set.distinct === true : true;
}

/** Makes `target` the set of the rows of all `sets`. Returns the number of different rows. */
export function markRows(target: Uint32Array, sets: readonly RowSet[]): number {
  const [first, ...others] = cheapestFirst(sets);
  let count = 0;
  let added = 0;
  for (const set of others)
    added += MARK_ORDER[set.kind] < ONE_BY_ONE ? target.length : sizeMax(set);
  if (added >= target.length) {
    // Counting in one pass over the words is faster than counting this number of rows one by one.
    markUncounted(target, sets);
    return countBits(target);
  }
  if (first !== undefined && MARK_ORDER[first.kind] < ONE_BY_ONE) {
    markUncounted(target, [first]);
    count = sizeMax(first);
  } else {
    target.fill(0);
    if (first !== undefined) count = addHits(target, first);
  }
  for (const set of others) count += addHits(target, set);
  return count;
}

/** As `markRows`, in two thirds of the time, because nothing is counted. */
export function markUncounted(target: Uint32Array, sets: readonly RowSet[]): void {
  const [first, second, ...others] = cheapestFirst(sets);
  if (first?.kind === 'bits' && second?.kind === 'bits') {
    uniteBits(target, first.words, second.words);
  } else {
    if (first?.kind === 'bits') {
      target.set(first.words);
    } else if (first?.kind === 'range') {
      markRange(target, first.ranked, first.from, first.to);
    } else {
      target.fill(0);
      if (first !== undefined) addSet(target, first);
    }
    if (second !== undefined) addSet(target, second);
  }
  for (const set of others) addSet(target, set);
}

/** From this place on, the rows of a kind are marked one by one. */
const ONE_BY_ONE = 2;
/**
 * The order in which kinds are marked. A first set of bits or a range overwrites the target, which
 * saves the pass that clears it.
 */
const MARK_ORDER: Readonly<Record<RowSet['kind'], number>> = {
  bits: 0,
  range: 1,
  list: ONE_BY_ONE,
  hits: ONE_BY_ONE,
  valueHits: ONE_BY_ONE,
};

function cheapestFirst(sets: readonly RowSet[]): readonly RowSet[] {
  return sets.length < 2 ? sets : sets.toSorted((a, b) => MARK_ORDER[a.kind] - MARK_ORDER[b.kind]);
}

/** Returns the number of rows that were not in the set before. */
function addHits(target: Uint32Array, set: RowSet): number {
  if (set.kind === 'bits') throw new TypeError('sets of bits are added by whole passes');
  let added = 0;
  eachSlice(set, (rows, from, to) => {
    added += addRows(target, rows, from, to);
  });
  return added;
}

function addSet(target: Uint32Array, set: RowSet): void {
  if (set.kind === 'bits') uniteBits(target, target, set.words);
  else eachSlice(set, (rows, from, to) => setRows(target, rows, from, to));
}

export type Sliceable = Exclude<RowSet, { kind: 'bits' }>;

/** The rows as parts of arrays, in no order. */
export function eachSlice(
  set: Sliceable,
  visit: (rows: Uint32Array, from: number, to: number) => void,
): void {
  switch (set.kind) {
    case 'range':
      visit(set.ranked.order, set.from, set.to);
      break;
    case 'valueHits':
      for (let i = set.from; i < set.to; i++) {
        const value = set.values[i]!;
        visit(set.ranked.order, set.starts[value]!, set.starts[value + 1]!);
      }
      break;
    default:
      visit(set.rows, set.from, set.to);
  }
}

export function isSliceable(sets: readonly RowSet[]): sets is readonly Sliceable[] {
  return sets.every((set) => set.kind !== 'bits');
}

/** The rows of the sets, which have `size` rows in total, in no order. */
export function copyRows(sets: readonly Sliceable[], size: number): Uint32Array {
  const rows = new Uint32Array(size);
  let end = 0;
  for (const set of sets) {
    eachSlice(set, (of, from, to) => {
      rows.set(of.subarray(from, to), end);
      end += to - from;
    });
  }
  return rows;
}
