/** Reads the page of rows that are each found once, without marking them if that is possible. */

import type { Page } from '../../query.ts';
import type { FoundRows } from '../columns/column.ts';
import { readRows } from '../sets/bits.ts';
import type { RankedRows } from '../sets/ranked-rows.ts';
import { copyRows, isSliceable, markUncounted, type RowSet } from '../sets/row-set.ts';
import { sortDifferent } from '../sets/sort-different.ts';
import { LOWEST_MAX, lowestRows } from './lowest-rows.ts';
import { SORTED_MAX, type WorkingMemory } from './working-memory.ts';

/** The rows from `offset` on, at most `limit`, in ascending order. */
export function readPage(
  memory: WorkingMemory,
  { sets, size }: FoundRows,
  offset: number,
  limit: number,
): Page {
  if (offset >= size || limit === 0) return { total: size, rows: [] };
  const only = sets[0];
  const rows = sets.length === 1 && only !== undefined ? readSet(only, offset, limit) : undefined;
  if (rows !== undefined) return { total: size, rows };
  if (offset + limit <= LOWEST_MAX) {
    const lowest = lowestRows(sets, offset + limit);
    return { total: size, rows: offset === 0 ? lowest : lowest.slice(offset) };
  }
  if (size <= SORTED_MAX && isSliceable(sets)) {
    const list = copyRows(sets, size);
    return { total: size, rows: readList(list, 0, sortDifferent(list), offset, limit) };
  }
  markUncounted(memory.kept, sets);
  return { total: size, rows: readRows(memory.kept, size, offset, limit) };
}

function readSet(set: RowSet, offset: number, limit: number): number[] | undefined {
  switch (set.kind) {
    case 'list':
      return readList(set.rows, set.from, set.to, offset, limit);
    case 'bits':
      return readRows(set.words, set.count, offset, limit);
    case 'range': {
      const { ranked, from, to, ascending } = set;
      return ascending || to - from === 1
        ? readList(ranked.order, from, to, offset, limit)
        : readRanked(ranked, from, to, offset, limit);
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

/** The scan ends when it has read this many times the rows that evenly spread matches would need. */
const UNEVEN_MAX = 4;

/**
 * Scans the ranks of all rows from the first row on: a large range soon has enough of them.
 * Undefined if reading the range itself is faster, or if the scan does not find the page in time.
 */
function readRanked(
  { rank }: RankedRows,
  from: number,
  to: number,
  offset: number,
  limit: number,
): number[] | undefined {
  const size = to - from;
  const end = Math.min(rank.length, (((offset + limit) * rank.length) / size) * UNEVEN_MAX);
  if (end > size) return undefined;
  const rows: number[] = [];
  let skip = offset;
  for (let row = 0; row < end; row++) {
    if ((rank[row]! - from) >>> 0 >= size) continue;
    if (skip > 0) skip--;
    else if (rows.push(row) === limit) return rows;
  }
  return end === rank.length ? rows : undefined;
}
