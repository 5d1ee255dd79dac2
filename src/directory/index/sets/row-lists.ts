/** The rows of each code of a field, by the code's number: a sorted list, or bits for many rows. */

import type { NamedArrays } from '../../record/arrays.ts';
import { GrowingArray } from '../../record/growing-array.ts';
import { wordsNamed } from '../array-named.ts';
import { bitSetAt, bitsWorthwhileAbove, wordCount } from './bits.ts';
import { noRows, type RowSet } from './row-set.ts';

export interface RowListsWriter {
  /** Rows must ascend. No pair may be repeated. */
  add(list: number, row: number): void;
  finish(prefix: string, listCount: number, rowCount: number): NamedArrays;
}

const FIRST_CAPACITY = 1 << 10;
const NO_SLOT = 0xffff_ffff;

export function createRowListsWriter(): RowListsWriter {
  const lists = new GrowingArray(Uint32Array, FIRST_CAPACITY);
  const rows = new GrowingArray(Uint32Array, FIRST_CAPACITY);
  return {
    add: (list, row) => {
      lists.push(list);
      rows.push(row);
    },
    finish: (prefix, listCount, rowCount) =>
      arrangeLists(prefix, lists.take(), rows.take(), listCount, rowCount),
  };
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
  for (let i = 0; i < lists.length; i++) {
    const list = lists[i]!;
    const row = rows[i]!;
    const slot = slots[list]!;
    if (slot === NO_SLOT) listed[ends[list]!++] = row;
    else bits[slot * words + (row >>> 5)]! |= 1 << (row & 31);
  }
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
