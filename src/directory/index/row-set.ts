/** Sets of rows as the columns find them: what each kind can do without looking at other rows. */

import { addBits, addRows, countBits } from './bits.ts';
import { addRange, type RankedRows } from './ranked-rows.ts';

export type RowSet =
  /** Ascending, each row once. */
  | {
      readonly kind: 'list';
      readonly rows: Uint32Array;
      readonly from: number;
      readonly to: number;
    }
  /**
   * The rows of the ranks `from..to`: each row once, in the order of the field; `ascending` where
   * that is also the order of rows, because all have the same text.
   */
  | {
      readonly kind: 'range';
      readonly ranked: RankedRows;
      readonly from: number;
      readonly to: number;
      readonly ascending: boolean;
    }
  /** In no order; a row may come more than once. */
  | {
      readonly kind: 'hits';
      readonly rows: Uint32Array;
      readonly from: number;
      readonly to: number;
    }
  /** Hits on values; the rows of value `v` are `rows[starts[v]..starts[v + 1])`. */
  | {
      readonly kind: 'valueHits';
      readonly values: Uint32Array;
      readonly from: number;
      readonly to: number;
      readonly starts: Uint32Array;
      readonly rows: Uint32Array;
      readonly size: number;
    }
  | { readonly kind: 'bits'; readonly words: Uint32Array; readonly count: number };

export const noRows: RowSet = { kind: 'list', rows: new Uint32Array(0), from: 0, to: 0 };

/** How many rows there are; for hits at most, as a row may be among them twice. */
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

/** Makes `target` the set of the rows of all `sets`; returns how many they are. */
export function markRows(target: Uint32Array, sets: readonly RowSet[]): number {
  return markUncounted(target, sets) ?? countBits(target);
}

/** As `markRows`, but returns undefined where counting would take a pass of its own. */
export function markUncounted(target: Uint32Array, sets: readonly RowSet[]): number | undefined {
  const [first] = sets;
  let count: number | undefined = 0;
  let next = 0;
  if (first?.kind === 'bits') {
    target.set(first.words);
    count = first.count;
    next = 1;
  } else {
    target.fill(0);
  }
  for (; next < sets.length; next++) {
    const set = sets[next]!;
    if (set.kind === 'bits') {
      addBits(target, set.words);
      count = undefined;
    } else if (set.kind === 'range') {
      addRange(target, set.ranked, set.from, set.to);
      count = next === 0 ? sizeMax(set) : undefined;
    } else {
      let added = 0;
      eachSlice(set, (rows, from, to) => {
        added += addRows(target, rows, from, to);
      });
      if (count !== undefined) count += added;
    }
  }
  return count;
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
        visit(set.rows, set.starts[value]!, set.starts[value + 1]!);
      }
      break;
    default:
      visit(set.rows, set.from, set.to);
  }
}

export function isSliceable(sets: readonly RowSet[]): sets is readonly Sliceable[] {
  return sets.every((set) => set.kind !== 'bits');
}
