/** Lists the rows of the smallest criterion, and filters the list by the other criteria. */

import { type FoundRows, matchingRows, rangeOf } from '../columns/column.ts';
import { DROP, KEEP } from '../sets/bits.ts';
import { keepAll, keepMarked, keepRanked } from '../sets/keep-rows.ts';
import { costOfMarkingRange } from '../sets/ranked-rows.ts';
import { eachSlice, isSliceable, markRows, type Sliceable } from '../sets/row-set.ts';
import { isTestingWorthwhile, keepTested } from '../sets/row-tests.ts';
import { sortDifferent } from '../sets/sort-different.ts';
import { bitsOf, SORTED_MAX, type WorkingMemory } from './working-memory.ts';

/** A criterion whose rows can be listed. */
export interface ListableRows extends FoundRows {
  readonly sets: readonly Sliceable[];
}

export function isListable(found: FoundRows): found is ListableRows {
  return !found.isNegated && isSliceable(found.sets);
}

/**
 * The size up to which the smallest criterion is listed. A row that is repeated must be marked in
 * the end, unless few rows are left by then.
 */
export function listedMax(
  { listed, rowCount }: WorkingMemory,
  { isDistinct }: FoundRows,
  others: readonly FoundRows[],
): number {
  if (others.length === 0) return SORTED_MAX;
  if (isDistinct) return listed.length;
  const left = others.reduce((share, { size }) => (share * size) / rowCount, 1);
  return Math.min(listed.length, (listed.length * HITS_ALLOWANCE) / (1 + LEFT_COST * left));
}

/** Measured: repeated rows may fill the list if the other criteria leave up to 15 % of them. */
const HITS_ALLOWANCE = 1.6;
const LEFT_COST = 4;

/** Appends some of `rows[from..to)` to the list, from `at` on; returns the new end of the list. */
type Keep = (at: number, rows: Uint32Array, from: number, to: number) => number;

export function filterList(
  memory: WorkingMemory,
  smallest: ListableRows,
  others: readonly FoundRows[],
): FoundRows {
  const { listed } = memory;
  const isAscending = smallest.sets.every(({ kind }) => kind === 'list');
  let count = smallest.size;
  let isListed = false;
  const apply = (keep: Keep) => {
    count = isListed ? keep(0, listed, 0, count) : listSlices(smallest.sets, keep);
    isListed = true;
  };
  for (const other of others) {
    apply(filterOf(memory, other, count, isAscending));
    if (count === 0) break;
  }
  if (!isListed) apply((at, rows, from, to) => keepAll(listed, at, rows, from, to));
  return matchesOf(memory, smallest, count);
}

function listSlices(sets: readonly Sliceable[], keep: Keep): number {
  let end = 0;
  for (const set of sets) {
    eachSlice(set, (rows, from, to) => {
      end = keep(end, rows, from, to);
    });
  }
  return end;
}

/** The cheapest way to filter this number of rows by a criterion. */
function filterOf(
  memory: WorkingMemory,
  found: FoundRows,
  rowsToFilter: number,
  isAscending: boolean,
): Keep {
  const { listed, rowCount } = memory;
  const { sets } = found;
  const how = found.isNegated ? DROP : KEEP;
  const range = rangeOf(found);
  if (range !== undefined) {
    const { ranked, from: first, to: last } = range;
    const isNear = isAscending || rowCount <= CACHED_RANKS;
    const cost = rowsToFilter * (isNear ? RANK_COST : DISTANT_RANK_COST);
    if (cost <= costOfMarkingRange(ranked, first, last)) {
      return (at, rows, from, to) =>
        keepRanked(listed, at, rows, from, to, ranked.rank, first, last);
    }
  } else if (isTestingWorthwhile(sets, rowsToFilter)) {
    return (at, rows, from, to) => keepTested(listed, at, rows, from, to, sets, how);
  }
  const words = bitsOf(memory, sets);
  return (at, rows, from, to) => keepMarked(listed, at, rows, from, to, words, how);
}

/** The ranks of this number of rows fit into the processor's second cache. */
const CACHED_RANKS = 1 << 19;
/** The cost of testing the rank of a row, in rows that are marked. */
const RANK_COST = 1.5;
const DISTANT_RANK_COST = 9;

/** The first `count` rows of the list, each once. */
function matchesOf(
  { kept, listed }: WorkingMemory,
  { sets, isDistinct }: ListableRows,
  count: number,
): FoundRows {
  const rows = listed.subarray(0, count);
  if (isDistinct) {
    const isSorted = sets.length === 1 && sets[0]?.kind === 'list';
    return matchingRows({ kind: isSorted ? 'list' : 'hits', rows, from: 0, to: count }, count);
  }
  if (count <= SORTED_MAX) {
    const to = sortDifferent(rows);
    return matchingRows({ kind: 'list', rows, from: 0, to }, to);
  }
  const list = { kind: 'hits', rows, from: 0, to: count } as const;
  const total = markRows(kept, [list]);
  return matchingRows({ kind: 'bits', words: kept, count: total }, total, [list]);
}
