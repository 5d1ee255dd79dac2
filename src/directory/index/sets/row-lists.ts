/** The arrays of many sets of rows by number, each stored as a list or as bits. */

import { wordsNamed } from '../../arrays/array-named.ts';
import type { NamedArrays } from '../../arrays/arrays.ts';
import { GrowingArray } from '../../arrays/growing-array.ts';
import { NO_ROW, type RowsBefore } from '../../arrays/rows-before.ts';
import { bitSetAt, bitsWorthwhileAbove, readRows, wordCount } from './bits.ts';
import { type ListedRows, noRows, type RowSet } from './row-set.ts';

export interface RowListsWriter {
  /** No pair may be repeated. */
  add(list: number, row: number): void;
  /** The first row of each list, in any order. */
  firstRows(): number[];
  /** `numberOf` gives the number of a list among the lists of the arrays. */
  finish(
    prefix: string,
    listCount: number,
    rowCount: number,
    numberOf?: (list: number) => number,
  ): NamedArrays;
}

const FIRST_CAPACITY = 1 << 10;
const NO_SLOT = 0xffff_ffff;

/** With `before`, it begins with the lists that have this prefix there, with their numbers. */
export function createRowListsWriter(prefixBefore = '', before?: RowsBefore): RowListsWriter {
  const lists = new GrowingArray(Uint32Array, FIRST_CAPACITY);
  const rows = new GrowingArray(Uint32Array, FIRST_CAPACITY);
  const add = (list: number, row: number) => {
    lists.push(list);
    rows.push(row);
  };
  if (before !== undefined) keepLists(prefixBefore, before, add);
  return {
    add,
    firstRows: () => {
      const first: number[] = [];
      for (let at = 0; at < lists.length; at++) {
        const list = lists.array[at]!;
        first[list] = Math.min(first[list] ?? NO_ROW, rows.array[at]!);
      }
      return first;
    },
    finish: (prefix, listCount, rowCount, numberOf) => {
      const numbers = numberOf === undefined ? lists.take() : lists.take().map(numberOf);
      return arrangeLists(prefix, numbers, rows.take(), listCount, rowCount);
    },
  };
}

function keepLists(
  prefix: string,
  { arrays, now }: RowsBefore,
  add: (list: number, row: number) => void,
): void {
  const rowsOf = openRowLists(prefix, arrays, now.length);
  const listCount = wordsNamed(arrays, `${prefix}.counts`).length;
  for (let list = 0; list < listCount; list++) {
    const set = rowsOf(list);
    const rows =
      set.kind === 'bits'
        ? readRows(set.words, set.count, 0, set.count)
        : (set as ListedRows & { kind: 'list' }).rows.subarray(set.from, set.to);
    for (const row of rows) if (now[row] !== NO_ROW) add(list, now[row]!);
  }
}

function arrangeLists(
  prefix: string,
  lists: Uint32Array,
  rows: Uint32Array,
  listCount: number,
  rowCount: number,
): NamedArrays {
  const counts = new Uint32Array(listCount);
  for (let i = 0; i < lists.length; i++) counts[lists[i]!]!++;
  const slots = new Uint32Array(listCount).fill(NO_SLOT);
  const starts = new Uint32Array(listCount + 1);
  let slotCount = 0;
  for (let list = 0; list < listCount; list++) {
    const asBits = counts[list]! > bitsWorthwhileAbove(rowCount);
    if (asBits) slots[list] = slotCount++;
    starts[list + 1] = starts[list]! + (asBits ? 0 : counts[list]!);
  }
  const words = wordCount(rowCount);
  const bits = new Uint32Array(slotCount * words);
  const listed = new Uint32Array(starts[listCount]!);
  const ends = starts.slice(0, listCount);
  const unsorted = new Set<number>();
  for (let i = 0; i < lists.length; i++) {
    const list = lists[i]!;
    const row = rows[i]!;
    const slot = slots[list]!;
    if (slot === NO_SLOT) {
      const end = ends[list]!++;
      listed[end] = row;
      if (end > starts[list]! && listed[end - 1]! > row) unsorted.add(list);
    } else bits[slot * words + (row >>> 5)]! |= 1 << (row & 31);
  }
  for (const list of unsorted) listed.subarray(starts[list], starts[list + 1]).sort();
  return {
    [`${prefix}.counts`]: counts,
    [`${prefix}.starts`]: starts,
    [`${prefix}.rows`]: listed,
    [`${prefix}.slots`]: slots,
    [`${prefix}.bits`]: bits,
  };
}

/** The rows of each list as a set. */
export function openRowLists(
  prefix: string,
  arrays: NamedArrays,
  rowCount: number,
): (list: number) => RowSet {
  const counts = wordsNamed(arrays, `${prefix}.counts`);
  const starts = wordsNamed(arrays, `${prefix}.starts`);
  const rows = wordsNamed(arrays, `${prefix}.rows`);
  const slots = wordsNamed(arrays, `${prefix}.slots`);
  const bits = wordsNamed(arrays, `${prefix}.bits`);
  return (list) => {
    const count = counts[list];
    if (count === undefined || count === 0) return noRows;
    const slot = slots[list]!;
    return slot === NO_SLOT
      ? { kind: 'list', rows, from: starts[list]!, to: starts[list + 1]! }
      : { kind: 'bits', words: bitSetAt(bits, slot, rowCount), count };
  };
}
