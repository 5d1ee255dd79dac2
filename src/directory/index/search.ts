/** Answers a query: starts from its smallest criterion, and tests or intersects the others. */

import type { Page, Query } from '../query.ts';
import { addRows, countBits, keepAndCountBits, keepBits, readRows, wordCount } from './bits.ts';
import { type Columns, rowSetsOf, sizeOf } from './criterion-rows.ts';
import { eachSlice, isSliceable, markUncounted, type RowSet, type Sliceable } from './row-set.ts';

/** So few rows are sorted one by one; more are marked in a set, which sorts them by itself. */
const SORTED_MAX = 128;
/** Up to this share of all rows, testing each is faster than intersecting whole sets. */
const TESTED_SHARE = 1 / 32;

const NOTHING: Page = { total: 0, rows: [] };

interface Found {
  readonly sets: readonly RowSet[];
  readonly size: number;
}

/** A function that searches; it keeps working memory of its own, two bits a row and a little. */
export function createSearch(
  columns: Columns,
): (query: Query, offset: number, limit: number) => Page {
  const { rowCount } = columns;
  const kept = new Uint32Array(wordCount(rowCount));
  const other = new Uint32Array(wordCount(rowCount));
  const listed = new Uint32Array(Math.max(SORTED_MAX, Math.floor(rowCount * TESTED_SHARE)));

  /** A criterion's rows as bits: the stored ones, or marked in the second working set. */
  const bitsOf = (sets: readonly RowSet[]): Uint32Array => {
    const [first] = sets;
    if (sets.length === 1 && first?.kind === 'bits') return first.words;
    markUncounted(other, sets);
    return other;
  };

  const searchListed = (
    smallest: readonly Sliceable[],
    others: readonly Found[],
    offset: number,
    limit: number,
  ): Page => {
    let count = collectRows(listed, smallest);
    for (const { sets } of others) {
      const [first] = sets;
      count =
        sets.length === 1 && first?.kind === 'range'
          ? keepRanked(listed, count, first.ranked.rank, first.from, first.to)
          : keepMarked(listed, count, bitsOf(sets));
      if (count === 0) return NOTHING;
    }
    if (count <= SORTED_MAX) {
      const total = sortDifferent(listed.subarray(0, count));
      return { total, rows: readList(listed, 0, total, offset, limit) };
    }
    kept.fill(0);
    const total = addRows(kept, listed, 0, count);
    return { total, rows: readRows(kept, offset, limit) };
  };

  const searchMarked = (
    smallest: Found,
    others: readonly Found[],
    offset: number,
    limit: number,
  ): Page => {
    let total = markUncounted(kept, smallest.sets);
    for (const [i, { sets }] of others.entries()) {
      const bits = bitsOf(sets);
      if (i + 1 < others.length) keepBits(kept, bits);
      else total = keepAndCountBits(kept, bits);
    }
    total ??= countBits(kept);
    return { total, rows: offset < total ? readRows(kept, offset, limit) : [] };
  };

  return ({ criteria }, offset, limit) => {
    const found: Found[] = [];
    for (const criterion of criteria) {
      const sets = rowSetsOf(columns, criterion);
      const size = sizeOf(sets);
      if (size === 0) return NOTHING;
      found.push({ sets, size });
    }
    found.sort((a, b) => a.size - b.size);
    const [smallest, ...others] = found;
    if (smallest === undefined) return readAll(rowCount, offset, limit);
    const [only] = smallest.sets;
    if (found.length === 1 && smallest.sets.length === 1 && only !== undefined) {
      const page = readSet(only, offset, limit);
      if (page !== undefined) return page;
    }
    const listedMax = others.length === 0 ? SORTED_MAX : listed.length;
    return smallest.size <= listedMax && isSliceable(smallest.sets)
      ? searchListed(smallest.sets, others, offset, limit)
      : searchMarked(smallest, others, offset, limit);
  };
}

function readAll(rowCount: number, offset: number, limit: number): Page {
  const rows: number[] = [];
  for (let row = offset; row < rowCount && rows.length < limit; row++) rows.push(row);
  return { total: rowCount, rows };
}

/** The page of one set alone, where it can be read off as it stands. */
function readSet(set: RowSet, offset: number, limit: number): Page | undefined {
  switch (set.kind) {
    case 'list':
      return {
        total: set.to - set.from,
        rows: readList(set.rows, set.from, set.to, offset, limit),
      };
    case 'bits':
      return { total: set.count, rows: readRows(set.words, offset, limit) };
    case 'range': {
      const { ranked, from, to, ascending } = set;
      if (!ascending && limit > 0) return undefined;
      return { total: to - from, rows: readList(ranked.order, from, to, offset, limit) };
    }
    default:
      return undefined;
  }
}

function readList(
  list: Uint32Array,
  from: number,
  to: number,
  offset: number,
  limit: number,
): number[] {
  const rows: number[] = [];
  for (let i = from + offset; i < to && rows.length < limit; i++) rows.push(list[i]!);
  return rows;
}

/** Puts the rows of all sets into `list`, in no order; returns how many, repeats included. */
function collectRows(list: Uint32Array, sets: readonly Sliceable[]): number {
  let count = 0;
  for (const set of sets) {
    eachSlice(set, (rows, from, to) => {
      for (let i = from; i < to; i++) list[count++] = rows[i]!;
    });
  }
  return count;
}

/** Of the first `count` rows of `list`, keeps those with a rank within `from..to`. */
function keepRanked(
  list: Uint32Array,
  count: number,
  rank: Uint32Array,
  from: number,
  to: number,
): number {
  let left = 0;
  const size = to - from;
  for (let i = 0; i < count; i++) {
    const row = list[i]!;
    list[left] = row;
    // Ranks below the range wrap round to beyond it: one comparison for both ends.
    left += (rank[row]! - from) >>> 0 < size ? 1 : 0;
  }
  return left;
}

/** Of the first `count` rows of `list`, keeps those whose bit is set. */
function keepMarked(list: Uint32Array, count: number, words: Uint32Array): number {
  let left = 0;
  for (let i = 0; i < count; i++) {
    const row = list[i]!;
    list[left] = row;
    left += (words[row >>> 5]! >>> (row & 31)) & 1;
  }
  return left;
}

/** Sorts the rows, the different ones first; returns how many these are. */
function sortDifferent(rows: Uint32Array): number {
  rows.sort();
  let different = 0;
  for (let i = 0; i < rows.length; i++) {
    if (i === 0 || rows[i] !== rows[different - 1]) rows[different++] = rows[i]!;
  }
  return different;
}
