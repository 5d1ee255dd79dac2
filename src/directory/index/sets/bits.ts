/** Sets of rows as bits: row `r` is bit `r & 31` of word `r >>> 5`. */

import { popcount, popcountOfFour } from './popcount.ts';

export function wordCount(rowCount: number): number {
  return (rowCount + 31) >>> 5;
}

/** Makes `target` the set of all rows. */
export function markAll(target: Uint32Array, rowCount: number): void {
  target.fill(0xffff_ffff);
  if ((rowCount & 31) !== 0) target[rowCount >>> 5] = (1 << (rowCount & 31)) - 1;
}

/** Adds the rows `rows[from..to)`. Returns the number of rows that were not in the set before. */
export function addRows(target: Uint32Array, rows: Uint32Array, from: number, to: number): number {
  let repeated = 0;
  let i = from;
  for (const last = to - 3; i < last; i += 4) {
    // Counted without a branch, because the processor cannot predict which hits are repeated.
    const a = rows[i]!;
    const b = rows[i + 1]!;
    const c = rows[i + 2]!;
    const d = rows[i + 3]!;
    let before = target[a >>> 5]!;
    repeated = (repeated + ((before >>> a) & 1)) | 0;
    target[a >>> 5] = before | (1 << a);
    before = target[b >>> 5]!;
    repeated = (repeated + ((before >>> b) & 1)) | 0;
    target[b >>> 5] = before | (1 << b);
    before = target[c >>> 5]!;
    repeated = (repeated + ((before >>> c) & 1)) | 0;
    target[c >>> 5] = before | (1 << c);
    before = target[d >>> 5]!;
    repeated = (repeated + ((before >>> d) & 1)) | 0;
    target[d >>> 5] = before | (1 << d);
  }
  for (; i < to; i++) {
    const row = rows[i]!;
    const before = target[row >>> 5]!;
    repeated = (repeated + ((before >>> row) & 1)) | 0;
    target[row >>> 5] = before | (1 << row);
  }
  return to - from - repeated;
}

/** As `addRows`, in two thirds of the time, because nothing is counted. */
export function setRows(target: Uint32Array, rows: Uint32Array, from: number, to: number): void {
  let i = from;
  for (const last = to - 3; i < last; i += 4) {
    const a = rows[i]!;
    const b = rows[i + 1]!;
    const c = rows[i + 2]!;
    const d = rows[i + 3]!;
    target[a >>> 5] = target[a >>> 5]! | (1 << a);
    target[b >>> 5] = target[b >>> 5]! | (1 << b);
    target[c >>> 5] = target[c >>> 5]! | (1 << c);
    target[d >>> 5] = target[d >>> 5]! | (1 << d);
  }
  for (; i < to; i++) {
    const row = rows[i]!;
    target[row >>> 5] = target[row >>> 5]! | (1 << row);
  }
}

/** Removes the rows `rows[from..to)`. Returns the number of rows that were in the set before. */
export function dropRows(target: Uint32Array, rows: Uint32Array, from: number, to: number): number {
  let dropped = 0;
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    const before = target[row >>> 5]!;
    dropped = (dropped + ((before >>> row) & 1)) | 0;
    target[row >>> 5] = before & ~(1 << row);
  }
  return dropped;
}

/*
 * The loops process four words at a time, and store each word before they load the next one. This is
 * twice as fast as one word at a time, and a fifth faster than loading all four words first.
 */

/** `target = one | other`. `one` may be the target. Counting would take as long again. */
export function uniteBits(target: Uint32Array, one: Uint32Array, other: Uint32Array): void {
  const { length } = target;
  const fours = length & ~3;
  let i = 0;
  for (; i < fours; i += 4) {
    target[i] = one[i]! | other[i]!;
    target[i + 1] = one[i + 1]! | other[i + 1]!;
    target[i + 2] = one[i + 2]! | other[i + 2]!;
    target[i + 3] = one[i + 3]! | other[i + 3]!;
  }
  for (; i < length; i++) target[i] = one[i]! | other[i]!;
}

/** Whether a filter keeps the rows that the other set has, or the rows that it lacks. */
export const KEEP = 0;
export const DROP = -1;

/** `target = one & (other ^ how)`; `one` may be the target. */
export function keepBits(
  target: Uint32Array,
  one: Uint32Array,
  other: Uint32Array,
  how: typeof KEEP | typeof DROP,
): void {
  const { length } = target;
  const fours = length & ~3;
  let i = 0;
  for (; i < fours; i += 4) {
    target[i] = one[i]! & (other[i]! ^ how);
    target[i + 1] = one[i + 1]! & (other[i + 1]! ^ how);
    target[i + 2] = one[i + 2]! & (other[i + 2]! ^ how);
    target[i + 3] = one[i + 3]! & (other[i + 3]! ^ how);
  }
  for (; i < length; i++) target[i] = one[i]! & (other[i]! ^ how);
}

/** Whether `one & (other ^ how)` has a row. */
export function haveCommonRow(
  one: Uint32Array,
  other: Uint32Array,
  how: typeof KEEP | typeof DROP,
): boolean {
  let i = 0;
  for (const fours = one.length & ~3; i < fours; i += 4) {
    const common =
      (one[i]! & (other[i]! ^ how)) |
      (one[i + 1]! & (other[i + 1]! ^ how)) |
      (one[i + 2]! & (other[i + 2]! ^ how)) |
      (one[i + 3]! & (other[i + 3]! ^ how));
    if (common !== 0) return true;
  }
  for (; i < one.length; i++) if ((one[i]! & (other[i]! ^ how)) !== 0) return true;
  return false;
}

/** `target = one & upper & ~lower`; `one` may be the target. */
export function keepBetween(
  target: Uint32Array,
  one: Uint32Array,
  upper: Uint32Array,
  lower: Uint32Array,
): void {
  const { length } = target;
  const fours = length & ~3;
  let i = 0;
  for (; i < fours; i += 4) {
    target[i] = one[i]! & upper[i]! & ~lower[i]!;
    target[i + 1] = one[i + 1]! & upper[i + 1]! & ~lower[i + 1]!;
    target[i + 2] = one[i + 2]! & upper[i + 2]! & ~lower[i + 2]!;
    target[i + 3] = one[i + 3]! & upper[i + 3]! & ~lower[i + 3]!;
  }
  for (; i < length; i++) target[i] = one[i]! & upper[i]! & ~lower[i]!;
}

/** The rows of one page of a set of `total` rows, ascending. Reads no word after the last row. */
export function readRows(
  words: Uint32Array,
  total: number,
  offset: number,
  limit: number,
): number[] {
  const rows: number[] = [];
  const most = Math.min(limit, total - offset);
  if (most <= 0) return rows;
  let skip = offset;
  let i = 0;
  if (skip > 0) {
    // The words before the page are counted in groups of four.
    for (const fours = words.length & ~3; i < fours; i += 4) {
      const count = popcountOfFour(words[i]!, words[i + 1]!, words[i + 2]!, words[i + 3]!);
      if (count > skip) break;
      skip -= count;
    }
  }
  for (; rows.length < most; i++) {
    i = firstInUse(words, i);
    let word = words[i]!;
    if (skip > 0) {
      const count = popcount(word);
      if (count <= skip) {
        skip -= count;
        continue;
      }
      for (; skip > 0; skip--) word &= word - 1;
    }
    for (; word !== 0 && rows.length < most; word &= word - 1) {
      rows.push((i << 5) + 31 - Math.clz32(word & -word));
    }
  }
  return rows;
}

/** Visits the rows of a set in ascending order, in parts that fit into `buffer` (32 rows or more). */
export function eachPart(
  words: Uint32Array,
  buffer: Uint32Array,
  visit: (rows: Uint32Array, from: number, to: number) => void,
): void {
  const most = buffer.length - 32;
  let end = 0;
  for (let i = 0; i < words.length; i++) {
    for (let word = words[i]!; word !== 0; word &= word - 1) {
      buffer[end++] = (i << 5) + 31 - Math.clz32(word & -word);
    }
    if (end <= most) continue;
    visit(buffer, 0, end);
    end = 0;
  }
  visit(buffer, 0, end);
}

/** The first word from `from` on that is not empty. There must be one. */
function firstInUse(words: Uint32Array, from: number): number {
  let i = from;
  for (const last = words.length - 3; i < last; i += 4) {
    if ((words[i]! | words[i + 1]! | words[i + 2]! | words[i + 3]!) !== 0) break;
  }
  while (words[i] === 0) i++;
  return i;
}
