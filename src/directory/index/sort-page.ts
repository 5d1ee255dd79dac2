/** Reads the page of rows that are each found once, in a sort order. */
import type { Page } from '../query.ts';
import { readRows } from './bits.ts';
import type { FoundRows } from './column.ts';
import { copyRows, isSliceable } from './row-set.ts';
import {
  costOfComparing,
  isComparingWorthwhile,
  type SortOrder,
  sortBits,
  sortList,
} from './sort-rows.ts';
import { bitsOf, type WorkingMemory } from './working-memory.ts';

export function sortPage(
  memory: WorkingMemory,
  { sets, size }: FoundRows,
  order: SortOrder,
  offset: number,
  limit: number,
): Page {
  if (offset >= size || limit === 0) return { total: size, rows: [] };
  const end = offset + limit;
  if (!isComparingWorthwhile(size, memory.rowCount, end)) {
    const readsMax = Math.max(
      ((memory.rowCount * end) / size) * UNEVEN_MAX,
      costOfComparing(size, end),
    );
    const rows = sortBits(bitsOf(memory, sets), size, order, offset, limit, readsMax);
    if (rows !== undefined) return { total: size, rows };
  }
  const list = isSliceable(sets)
    ? copyRows(sets, size)
    : readRows(bitsOf(memory, sets), size, 0, size);
  return { total: size, rows: sortList(list, order, memory.rowCount, offset, limit) };
}

/** So many times the ranks are read that evenly spread rows would need. */
const UNEVEN_MAX = 2;
