/**
 * Answers a query. One criterion is read off where that can be done. Of several, the rows of the
 * smallest are listed and tested for the others, or, where they are many, whole sets are intersected.
 */

import type { DirectoryCriterion, DirectoryQuery, Page } from '../query.ts';
import { KEEP, keepBits, readRows, wordCount } from './bits.ts';
import type { FindRows, FoundRows } from './column.ts';
import { countBits, keepAndCountBits } from './count-bits.ts';
import { keepAll, keepMarked, keepRanked } from './keep-rows.ts';
import { costOfMarkingRange, keepRange, rangeListLength } from './ranked-rows.ts';
import { readFound, readList } from './read-set.ts';
import {
  eachSlice,
  isSliceable,
  markRows,
  markUncounted,
  type RowSet,
  type Sliceable,
} from './row-set.ts';
import { isTestingWorthwhile, keepTested } from './row-tests.ts';
import { sortDifferent } from './sort-different.ts';

/** So few rows are sorted one by one; more are marked in a set, which sorts them by itself. */
const SORTED_MAX = 128;
/** Up to this share of all rows, testing each is faster than intersecting whole sets. */
const TESTED_SHARE = 1 / 32;
/**
 * Of hits that many when up to some 15 % of them are left in the end, fewer when more are: those must
 * be marked after all, for repeats to be found.
 */
const HITS_ALLOWANCE = 1.6;
const LEFT_COST = 4;
/** Ranks of so many rows fit into the processor's second cache. */
const CACHED_RANKS = 1 << 19;
/** What it costs more to test a row's rank than its bit, counted in rows that are marked. */
const RANK_COST = 1.5;
const DISTANT_RANK_COST = 9;

const NOTHING: Page = { total: 0, rows: [] };

/** Keeps some of `rows[from..to)` in the list of a search; see `keepMarked`. */
type Keep = (at: number, rows: Uint32Array, from: number, to: number) => number;

/** A function that searches; it keeps working memory of its own, three bits a row. */
export function createSearch(
  findRows: FindRows<DirectoryCriterion>,
  rowCount: number,
): (query: DirectoryQuery, offset: number, limit: number) => Page {
  const kept = new Uint32Array(wordCount(rowCount));
  const other = new Uint32Array(wordCount(rowCount));
  const listed = new Uint32Array(
    Math.max(SORTED_MAX, rangeListLength(rowCount), Math.floor(rowCount * TESTED_SHARE)),
  );
  const rankCost = rowCount <= CACHED_RANKS ? RANK_COST : DISTANT_RANK_COST;

  /** A criterion's rows as bits: the stored ones, or marked in the second working set. */
  const bitsOf = (sets: readonly RowSet[]): Uint32Array => {
    const [first] = sets;
    if (sets.length === 1 && first?.kind === 'bits') return first.words;
    markUncounted(other, sets);
    return other;
  };

  /** How to keep those rows of so many that a criterion finds. */
  const keepOf = (sets: readonly RowSet[], rows: number, isAscending: boolean): Keep => {
    const range = onlyRange(sets);
    if (range !== undefined) {
      const { ranked, from: first, to: last } = range;
      const cost = isAscending ? RANK_COST : rankCost;
      if (rows * cost <= costOfMarkingRange(ranked, first, last)) {
        return (at, list, from, to) =>
          keepRanked(listed, at, list, from, to, ranked.rank, first, last);
      }
    }
    const words = bitsOf(sets);
    return (at, list, from, to) => keepMarked(listed, at, list, from, to, words);
  };

  const searchListed = (
    smallest: FoundRows & { readonly sets: readonly Sliceable[] },
    others: readonly FoundRows[],
    offset: number,
    limit: number,
  ): Page => {
    let count = smallest.size;
    const isAscending = smallest.sets.every(({ kind }) => kind === 'list');
    let isListed = false;
    const list = (keep: Keep) => {
      let end = 0;
      for (const set of smallest.sets) {
        eachSlice(set, (rows, from, to) => {
          end = keep(end, rows, from, to);
        });
      }
      isListed = true;
      return end;
    };
    const keepEach: Keep = (at, rows, from, to) => keepAll(listed, at, rows, from, to);
    for (const { sets } of others) {
      if (placeOf(sets) === INTERSECT_ORDER.marked && isTestingWorthwhile(sets, count)) {
        if (!isListed) list(keepEach);
        count = keepTested(listed, count, sets);
      } else {
        const keep = keepOf(sets, count, isAscending);
        count = isListed ? keep(0, listed, 0, count) : list(keep);
      }
      if (count === 0) return NOTHING;
    }
    if (!isListed) list(keepEach);
    const rows = listed.subarray(0, count);
    const kind = isAscending && smallest.sets.length === 1 ? 'list' : 'hits';
    const left: RowSet = { kind, rows, from: 0, to: count };
    const page = readFound({ ...smallest, sets: [left], size: count }, offset, limit);
    if (page !== undefined) return page;
    if (count <= SORTED_MAX) {
      const total = sortDifferent(rows);
      return { total, rows: readList(rows, 0, total, offset, limit) };
    }
    const total = markRows(kept, [left]);
    return { total, rows: readRows(kept, total, offset, limit) };
  };

  const searchMarked = (found: readonly FoundRows[], offset: number, limit: number): Page => {
    const [first, ...others] = found.toSorted((a, b) => placeOf(a.sets) - placeOf(b.sets));
    let total: number | undefined;
    let words: Uint32Array = kept;
    if (others.length === 0) total = markRows(kept, first!.sets);
    else if (placeOf(first!.sets) === INTERSECT_ORDER.bits) words = bitsOf(first!.sets);
    else markUncounted(kept, first!.sets);
    for (const [i, { sets }] of others.entries()) {
      const range = onlyRange(sets);
      if (range !== undefined) {
        total = keepRange(kept, words, range.ranked, range.from, range.to, listed);
      } else if (i + 1 < others.length) {
        keepBits(kept, words, bitsOf(sets), KEEP);
      } else {
        total = keepAndCountBits(kept, words, bitsOf(sets), KEEP);
      }
      words = kept;
    }
    total ??= countBits(kept);
    return { total, rows: readRows(kept, total, offset, limit) };
  };

  const listedMax = ({ isDistinct }: FoundRows, others: readonly FoundRows[]): number => {
    if (others.length === 0) return SORTED_MAX;
    if (isDistinct) return listed.length;
    const left = others.reduce((share, { size }) => (share * size) / rowCount, 1);
    return Math.min(listed.length, (listed.length * HITS_ALLOWANCE) / (1 + LEFT_COST * left));
  };

  return ({ criteria }, offset, limit) => {
    const found: FoundRows[] = [];
    for (const criterion of criteria) {
      const one = joinRanges(found, findRows(criterion));
      if (one.size === 0) return NOTHING;
      found.push(one);
    }
    const only = found[0];
    if (only === undefined) return readAll(rowCount, offset, limit);
    if (found.length === 1) {
      const page = readFound(only, offset, limit);
      if (page !== undefined) return page;
    }
    const [smallest = only, ...others] = found.sort((a, b) => a.size - b.size);
    const { sets, size, isDistinct } = smallest;
    return size <= listedMax(smallest, others) && isSliceable(sets)
      ? searchListed({ sets, size, isDistinct }, others, offset, limit)
      : searchMarked(found, offset, limit);
  };
}

/** The order in which whole sets are intersected: what must be marked, stored bits, ranges. */
const INTERSECT_ORDER = { marked: 0, bits: 1, range: 2 } as const;

function placeOf(sets: readonly RowSet[]): number {
  if (onlyRange(sets) !== undefined) return INTERSECT_ORDER.range;
  return sets.length === 1 && sets[0]?.kind === 'bits'
    ? INTERSECT_ORDER.bits
    : INTERSECT_ORDER.marked;
}

/** Two ranges of the same field are one: the earlier one is taken out of what has been found. */
function joinRanges(found: FoundRows[], one: FoundRows): FoundRows {
  const range = found.length === 0 ? undefined : onlyRange(one.sets);
  if (range === undefined) return one;
  const at = found.findIndex(({ sets }) => onlyRange(sets)?.ranked === range.ranked);
  const [earlier] = at < 0 ? [] : found.splice(at, 1);
  const other = earlier && onlyRange(earlier.sets);
  if (other === undefined) return one;
  const from = Math.max(range.from, other.from);
  const to = Math.max(from, Math.min(range.to, other.to));
  const joined = { ...range, from, to, ascending: range.ascending || other.ascending };
  return { sets: [joined], size: to - from, isDistinct: true };
}

function onlyRange(sets: readonly RowSet[]): (RowSet & { kind: 'range' }) | undefined {
  const first = sets[0];
  return sets.length === 1 && first?.kind === 'range' ? first : undefined;
}

function readAll(rowCount: number, offset: number, limit: number): Page {
  const rows: number[] = [];
  for (let row = offset; row < rowCount && rows.length < limit; row++) rows.push(row);
  return { total: rowCount, rows };
}
