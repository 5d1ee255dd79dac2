/**
 * Reads the page of rows that are each found once, in a sort order. Few rows are compared with each
 * other. For many rows, the order of the first key is read until the page is full; if they are not
 * evenly spread over the order, they are compared, too.
 */
import type { Page } from '../../query.ts';
import type { FoundRows } from '../columns/column.ts';
import { eachPart, readRows } from '../sets/bits.ts';
import { copyRows, eachSlice, isSliceable, type Sliceable, sizeMax } from '../sets/row-set.ts';
import { createSelection, isComparingWorthwhile, isSelectable, sortList } from './select-rows.ts';
import type { SortOrder } from './sort-order.ts';
import { readSorted } from './sort-rows.ts';
import { bitsOf, type WorkingMemory } from './working-memory.ts';

export function sortPage(
  memory: WorkingMemory,
  matches: FoundRows,
  order: SortOrder,
  offset: number,
  limit: number,
): Page {
  const { size } = matches;
  if (offset >= size || limit === 0) return { total: size, rows: [] };
  const rows = isReadingWorthwhile(memory, matches, offset + limit)
    ? readMany(memory, matches, order, offset, limit)
    : undefined;
  return { total: size, rows: rows ?? compareAll(memory, matches, order, offset, limit) };
}

function isReadingWorthwhile(memory: WorkingMemory, matches: FoundRows, pageEnd: number): boolean {
  const { size, unmarked } = matches;
  const { rowCount } = memory;
  if (!areFew(memory, matches, pageEnd)) return !isComparingWorthwhile(size, rowCount, pageEnd);
  return unmarked !== undefined && evenReads(rowCount, size, pageEnd) * FEW_UNEVEN_MIN <= size;
}

/** The number of ranks to read if the rows are evenly spread over the order. */
function evenReads(rowCount: number, size: number, pageEnd: number): number {
  return (rowCount * pageEnd) / size;
}

/** Whether the rows are listed, and comparing them is as fast as marking them in a set. */
function areFew({ listed }: WorkingMemory, matches: FoundRows, pageEnd: number): boolean {
  const lists = listsOf(matches);
  const length = lists?.reduce((sum, list) => sum + sizeMax(list), 0);
  return length !== undefined && length <= listed.length && isSelectable(pageEnd);
}

/** The rows in no order, and perhaps repeated. Undefined if they are only bits. */
function listsOf({ sets, unmarked = sets }: FoundRows): readonly Sliceable[] | undefined {
  return isSliceable(unmarked) ? unmarked : undefined;
}

/** Undefined if comparing all rows is faster than reading on. */
function readMany(
  memory: WorkingMemory,
  matches: FoundRows,
  order: SortOrder,
  offset: number,
  limit: number,
): number[] | undefined {
  const { rowCount } = memory;
  const { sets, size } = matches;
  const words = bitsOf(memory, sets);
  const unevenMax = evenReads(rowCount, size, offset + limit) * UNEVEN_MAX;
  const readsMax = areFew(memory, matches, offset + limit) ? Math.min(unevenMax, size) : unevenMax;
  const rows = readSorted(words, size, order, offset, limit, readsMax, false);
  const manyShare = listsOf(matches) === undefined ? MANY_SHARE : MANY_LISTED_SHARE;
  if (rows !== undefined || size < rowCount * manyShare) return rows;
  return readSorted(words, size, order, offset, limit, size * MANY_READS, true);
}

/** The limit of ranks that are read, as a multiple of those that evenly spread rows would need. */
const UNEVEN_MAX = 8;
/** Few rows are compared at once unless they can be this uneven without many ranks being read. */
const FEW_UNEVEN_MIN = 2;
/** From this share of all rows on, it is faster to find where their ranks begin than to compare them. */
const MANY_SHARE = 1 / 64;
const MANY_LISTED_SHARE = 1 / 16;
/** The limit of ranks that are then read for each row. */
const MANY_READS = 3;

function compareAll(
  memory: WorkingMemory,
  matches: FoundRows,
  order: SortOrder,
  offset: number,
  limit: number,
): number[] {
  const { listed, rowCount } = memory;
  const { sets, size } = matches;
  const selection = createSelection(order, rowCount, offset + limit);
  if (selection === undefined) {
    const list = isSliceable(sets)
      ? copyRows(sets, size)
      : readRows(bitsOf(memory, sets), size, 0, size);
    return sortList(list, order, rowCount, offset, limit);
  }
  const lists = listsOf(matches);
  if (lists === undefined) eachPart(bitsOf(memory, sets), listed, selection.take);
  else for (const list of lists) eachSlice(list, selection.take);
  return selection.rows(offset);
}
