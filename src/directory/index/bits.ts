/** Sets of rows as bits: row `r` is bit `r & 31` of word `r >>> 5`. */

export function wordCount(rowCount: number): number {
  return (rowCount + 31) >>> 5;
}

function popcount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Adds the rows `rows[from..to)`; returns how many were not in the set before. */
export function addRows(target: Uint32Array, rows: Uint32Array, from: number, to: number): number {
  let added = 0;
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    const before = target[row >>> 5]!;
    // Counted without a branch: which hits are repeats cannot be predicted.
    added += (~before >>> (row & 31)) & 1;
    target[row >>> 5] = before | (1 << (row & 31));
  }
  return added;
}

/** `target |= upper & ~lower`, without counting: that would take as long again. */
export function addBits(target: Uint32Array, upper: Uint32Array, lower?: Uint32Array): void {
  if (lower === undefined) {
    for (let i = 0; i < target.length; i++) target[i] = target[i]! | upper[i]!;
  } else {
    for (let i = 0; i < target.length; i++) target[i] = target[i]! | (upper[i]! & ~lower[i]!);
  }
}

/** `target &= other`. */
export function keepBits(target: Uint32Array, other: Uint32Array): void {
  for (let i = 0; i < target.length; i++) target[i] = target[i]! & other[i]!;
}

/** `target &= other`; returns how many rows are left. */
export function keepAndCountBits(target: Uint32Array, other: Uint32Array): number {
  let count = 0;
  const fours = target.length & ~3;
  for (let i = 0; i < fours; i += 4) {
    const a = target[i]! & other[i]!;
    const b = target[i + 1]! & other[i + 1]!;
    const c = target[i + 2]! & other[i + 2]!;
    const d = target[i + 3]! & other[i + 3]!;
    target[i] = a;
    target[i + 1] = b;
    target[i + 2] = c;
    target[i + 3] = d;
    count += popcountOfFour(a, b, c, d);
  }
  for (let i = fours; i < target.length; i++) {
    const both = target[i]! & other[i]!;
    target[i] = both;
    count += popcount(both);
  }
  return count;
}

export function countBits(words: Uint32Array): number {
  let count = 0;
  const fours = words.length & ~3;
  for (let i = 0; i < fours; i += 4) {
    count += popcountOfFour(words[i]!, words[i + 1]!, words[i + 2]!, words[i + 3]!);
  }
  for (let i = fours; i < words.length; i++) count += popcount(words[i]!);
  return count;
}

/** One multiplication for four words; `| 0` keeps the sums whole numbers of 32 bits. */
function popcountOfFour(a: number, b: number, c: number, d: number): number {
  const first = (nibbleCounts(a) + nibbleCounts(b)) | 0;
  const second = (nibbleCounts(c) + nibbleCounts(d)) | 0;
  return Math.imul((byteSums(first) + byteSums(second)) | 0, 0x01010101) >>> 24;
}

/** In each four bits, how many of them were set. */
function nibbleCounts(word: number): number {
  const pairs = ((word | 0) - ((word >>> 1) & 0x55555555)) | 0;
  return ((pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)) | 0;
}

function byteSums(nibbles: number): number {
  return ((nibbles & 0x0f0f0f0f) + ((nibbles >>> 4) & 0x0f0f0f0f)) | 0;
}

/** The rows of one page, in ascending order, read off without looking beyond its last row. */
export function readRows(words: Uint32Array, offset: number, limit: number): number[] {
  const rows: number[] = [];
  let skip = offset;
  let first = 0;
  // Deep pages: whole groups of words before the page are counted, and not looked into.
  for (const fours = words.length & ~3; first < fours; first += 4) {
    const count = popcountOfFour(
      words[first]!,
      words[first + 1]!,
      words[first + 2]!,
      words[first + 3]!,
    );
    if (count > skip) break;
    skip -= count;
  }
  for (let i = first; i < words.length && rows.length < limit; i++) {
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
    for (; word !== 0 && rows.length < limit; word &= word - 1) {
      rows.push((i << 5) + 31 - Math.clz32(word & -word));
    }
  }
  return rows;
}
