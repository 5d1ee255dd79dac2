/** Sets of rows as bits: row `r` is bit `r & 31` of word `r >>> 5`. */

export function wordCount(rowCount: number): number {
  return (rowCount + 31) >>> 5;
}

/** Set `index` out of `sets`, each of which has room for `rowCount` rows. */
export function bitSetAt(sets: Uint32Array, index: number, rowCount: number): Uint32Array {
  const words = wordCount(rowCount);
  return sets.subarray(index * words, (index + 1) * words);
}

/**
 * A set with more rows than this is stored as bits. A list would be larger, and a search would have
 * to mark each of its rows.
 */
export function bitsWorthwhileAbove(rowCount: number): number {
  return rowCount / 32;
}

/** Makes `target` the set of all rows. */
export function markAll(target: Uint32Array, rowCount: number): void {
  target.fill(0xffff_ffff);
  if ((rowCount & 31) !== 0) target[rowCount >>> 5] = (1 << (rowCount & 31)) - 1;
}

/** Adds the rows `rows[from..to)`. Returns the number of rows that were not in the set before. */
export function addRows(target: Uint32Array, rows: Uint32Array, from: number, to: number): number {
  let repeated = 0;
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    const before = target[row >>> 5]!;
    // Counted without a branch, because the processor cannot predict which hits are repeated.
    repeated = (repeated + ((before >>> row) & 1)) | 0;
    target[row >>> 5] = before | (1 << row);
  }
  return to - from - repeated;
}

/*
 * The loops over words process four at a time, and store each word before they load the next one.
 * This takes three quarters of the time of one word at a time.
 */

/** `target = target | other`. */
export function uniteBits(target: Uint32Array, other: Uint32Array): void {
  const { length } = target;
  const fours = length & ~3;
  let i = 0;
  for (; i < fours; i += 4) {
    target[i] = target[i]! | other[i]!;
    target[i + 1] = target[i + 1]! | other[i + 1]!;
    target[i + 2] = target[i + 2]! | other[i + 2]!;
    target[i + 3] = target[i + 3]! | other[i + 3]!;
  }
  for (; i < length; i++) target[i] = target[i]! | other[i]!;
}

/** `target = target | (upper & ~lower)`. */
export function uniteBetween(target: Uint32Array, upper: Uint32Array, lower: Uint32Array): void {
  for (let i = 0; i < target.length; i++) target[i] = target[i]! | (upper[i]! & ~lower[i]!);
}

/** Whether a filter keeps the rows that the other set has, or the rows that it lacks. */
export const KEEP = 0;
export const DROP = -1;

/** `target = target & (other ^ how)`. */
export function keepBits(
  target: Uint32Array,
  other: Uint32Array,
  how: typeof KEEP | typeof DROP,
): void {
  const { length } = target;
  const fours = length & ~3;
  let i = 0;
  for (; i < fours; i += 4) {
    target[i] = target[i]! & (other[i]! ^ how);
    target[i + 1] = target[i + 1]! & (other[i + 1]! ^ how);
    target[i + 2] = target[i + 2]! & (other[i + 2]! ^ how);
    target[i + 3] = target[i + 3]! & (other[i + 3]! ^ how);
  }
  for (; i < length; i++) target[i] = target[i]! & (other[i]! ^ how);
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
  let skip = offset;
  for (let i = 0; rows.length < most; i++) {
    let word = words[i]!;
    if (word === 0) continue;
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

export function hasRow(words: Uint32Array, row: number): boolean {
  return ((words[row >>> 5]! >>> (row & 31)) & 1) === 1;
}

/**
 * The Harley-Seal algorithm: full adders add the bits of eight words, and only the carries of weight
 * eight are counted.
 */
export function countBits(words: Uint32Array): number {
  const { length } = words;
  const eights = length & ~7;
  let count = 0;
  let ones = 0;
  let twos = 0;
  let fours = 0;
  let i = 0;
  for (; i < eights; i += 8) {
    let a = words[i]!;
    let b = words[i + 1]!;
    let half = ones ^ a;
    let two = (ones & a) | (half & b);
    ones = half ^ b;
    a = words[i + 2]!;
    b = words[i + 3]!;
    half = ones ^ a;
    let nextTwo = (ones & a) | (half & b);
    ones = half ^ b;
    half = twos ^ two;
    const four = (twos & two) | (half & nextTwo);
    twos = half ^ nextTwo;
    a = words[i + 4]!;
    b = words[i + 5]!;
    half = ones ^ a;
    two = (ones & a) | (half & b);
    ones = half ^ b;
    a = words[i + 6]!;
    b = words[i + 7]!;
    half = ones ^ a;
    nextTwo = (ones & a) | (half & b);
    ones = half ^ b;
    half = twos ^ two;
    const nextFour = (twos & two) | (half & nextTwo);
    twos = half ^ nextTwo;
    half = fours ^ four;
    count += popcount((fours & four) | (half & nextFour));
    fours = half ^ nextFour;
  }
  count = 8 * count + 4 * popcount(fours) + 2 * popcount(twos) + popcount(ones);
  for (; i < length; i++) count += popcount(words[i]!);
  return count;
}

/** How many bits of a word are set. */
function popcount(word: number): number {
  const pairs = ((word | 0) - ((word >>> 1) & 0x55555555)) | 0;
  const fours = ((pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)) | 0;
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
