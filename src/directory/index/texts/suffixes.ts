/**
 * A sorted array of the suffixes of texts, which finds every text that contains a part. The rows of the
 * texts that most records contain are stored as bits.
 */

import {
  bytesNamed,
  createOffsets,
  type Offsets,
  offsetsNamed,
  wordsNamed,
} from '../../arrays/array-named.ts';
import type { NamedArrays } from '../../arrays/arrays.ts';
import { findRange, lowest, type Range } from '../../arrays/binary-search.ts';
import { NO_ROW, type RowsBefore, weave } from '../../arrays/rows-before.ts';
import { TEXT_END, type TextList } from '../../arrays/text-list.ts';
import { bitSetAt, bitsWorthwhileAbove, countBits, wordCount } from '../sets/bits.ts';
import { markRows, type RowSet } from '../sets/row-set.ts';
import { sortSuffixes } from './suffix-sort.ts';

/** Suffix `i` is that of text `entries[i]` from its byte `offsets[i]` on. */
export interface Suffixes {
  readonly texts: TextList;
  readonly entries: Uint32Array;
  readonly offsets: Offsets;
}

/** `all`: every suffix; `spaced`: the whole texts, and the suffixes that contain a space. */
export type SuffixChoice = 'all' | 'spaced';

export function buildSuffixes(texts: TextList, choice: SuffixChoice): Suffixes {
  const wanted = chooseSuffixes(texts, choice);
  const positions = sortSuffixes(texts.bytes, wanted);
  return locate(texts, positions);
}

export function suffixArrays(prefix: string, suffixes: Suffixes): NamedArrays {
  return {
    [`${prefix}.text`]: suffixes.texts.bytes,
    [`${prefix}.starts`]: suffixes.texts.starts,
    [`${prefix}.suffix-entries`]: suffixes.entries,
    [`${prefix}.suffix-offsets`]: suffixes.offsets,
  };
}

export function openSuffixes(prefix: string, arrays: NamedArrays): Suffixes {
  return {
    texts: openTexts(prefix, arrays),
    entries: wordsNamed(arrays, `${prefix}.suffix-entries`),
    offsets: offsetsNamed(arrays, `${prefix}.suffix-offsets`),
  };
}

export function openTexts(prefix: string, arrays: NamedArrays): TextList {
  return {
    bytes: bytesNamed(arrays, `${prefix}.text`),
    starts: wordsNamed(arrays, `${prefix}.starts`),
  };
}

/** The suffixes that begin with `wanted`, which is not empty. */
export function findSuffixes(suffixes: Suffixes, wanted: Uint8Array): Range {
  const { texts, entries, offsets } = suffixes;
  return findRange(entries.length, (i) =>
    comparePrefix(texts.bytes, texts.starts[entries[i]!]! + offsets[i]!, wanted),
  );
}

/** The ranks whose texts begin with `wanted`. Without `order`, the texts themselves are sorted. */
export function findBeginnings(
  { bytes, starts }: TextList,
  order: Uint32Array | undefined,
  wanted: Uint8Array,
): Range {
  return order === undefined
    ? findRange(starts.length - 1, (i) => comparePrefix(bytes, starts[i]!, wanted))
    : findRange(order.length, (i) => comparePrefix(bytes, starts[order[i]!]!, wanted));
}

/** 0 if the text at `position` begins with `wanted`. TEXT_END stops at the end of the text. */
function comparePrefix(text: Uint8Array, position: number, wanted: Uint8Array): number {
  for (let i = 0; i < wanted.length; i++) {
    const difference = text[position + i]! - wanted[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

function chooseSuffixes({ bytes, starts }: TextList, choice: SuffixChoice): Uint8Array {
  const wanted = new Uint8Array(bytes.length);
  const space = 0x20;
  for (let entry = 0; entry + 1 < starts.length; entry++) {
    const start = starts[entry]!;
    const end = starts[entry + 1]! - 1;
    if (end < start) continue;
    const last = choice === 'all' ? end : bytes.subarray(start, end).lastIndexOf(space) + start + 1;
    wanted.fill(1, start, Math.max(last, start + 1));
  }
  return wanted;
}

/** Positions are located in blocks of 64: the first text of each block is known. */
const BLOCK_SHIFT = 6;

function locate(texts: TextList, positions: Uint32Array): Suffixes {
  const { bytes, starts } = texts;
  const firstEntries = new Uint32Array((bytes.length >>> BLOCK_SHIFT) + 1);
  for (let entry = 0, block = 0; entry + 1 < starts.length; entry++) {
    const end = starts[entry + 1]!;
    for (; block < firstEntries.length && block << BLOCK_SHIFT < end; block++) {
      firstEntries[block] = entry;
    }
  }
  const offsets = createOffsets(positions.length, longestOf(texts));
  for (let i = 0; i < positions.length; i++) {
    const position = positions[i]!;
    let entry = firstEntries[position >>> BLOCK_SHIFT]!;
    while (starts[entry + 1]! <= position) entry++;
    offsets[i] = position - starts[entry]!;
    // Reuses the array of positions, because a second one of this size would need much memory.
    positions[i] = entry;
  }
  return { texts, entries: positions, offsets };
}

/** The byte of suffix `i` at `depth`, or TEXT_END if the suffix has ended. */
function suffixByte(suffixes: Suffixes, i: number, depth: number): number {
  const { texts, entries, offsets } = suffixes;
  return texts.bytes[texts.starts[entries[i]!]! + offsets[i]! + depth] ?? TEXT_END;
}

/** The suffixes of the edition before, and its rows. */
export interface KeptSuffixes extends RowsBefore {
  readonly suffixes: Suffixes;
}

/** `texts`: those of all rows now. `added`: the suffixes of the changed rows, in their order. */
export function mergeSuffixes(
  { suffixes, now, changed, bounds }: KeptSuffixes,
  texts: TextList,
  added: Suffixes,
): Suffixes {
  const { entries, offsets } = suffixes;
  let from = 0;
  const places = added.entries.map((entry, at) => {
    const bound = bounds[entry]!;
    from += lowest(entries.length - from, (more) => {
      const order = compareSuffixes(suffixes, from + more, added, at);
      return order > 0 || (order === 0 && entries[from + more]! >= bound);
    });
    return from;
  });
  const merged = new Uint32Array(entries.length + added.entries.length);
  const mergedOffsets = createOffsets(merged.length, longestOf(texts));
  let length = 0;
  weave(
    entries.length,
    places,
    (at) => {
      const row = now[entries[at]!]!;
      if (row === NO_ROW) return;
      merged[length] = row;
      mergedOffsets[length++] = offsets[at]!;
    },
    (at) => {
      merged[length] = changed[added.entries[at]!]!;
      mergedOffsets[length++] = added.offsets[at]!;
    },
  );
  return { texts, entries: merged.slice(0, length), offsets: mergedOffsets.slice(0, length) };
}

function compareSuffixes(one: Suffixes, at: number, other: Suffixes, otherAt: number): number {
  let position = one.texts.starts[one.entries[at]!]! + one.offsets[at]!;
  let otherPosition = other.texts.starts[other.entries[otherAt]!]! + other.offsets[otherAt]!;
  for (;;) {
    const byte = one.texts.bytes[position++]!;
    const difference = byte - other.texts.bytes[otherPosition++]!;
    if (difference !== 0 || byte === TEXT_END) return difference;
  }
}

function longestOf({ starts }: TextList): number {
  let longest = 0;
  for (let entry = 0; entry + 1 < starts.length; entry++) {
    longest = Math.max(longest, starts[entry + 1]! - starts[entry]!);
  }
  return longest;
}

export interface FrequentTexts {
  /** Ranges of suffixes, sorted by `froms`, then by `tos`. */
  readonly froms: Uint32Array;
  readonly tos: Uint32Array;
  readonly counts: Uint32Array;
  readonly bits: Uint32Array;
  readonly rowCount: number;
}

/** The most sets that are stored, the largest ones: 32 bytes for each row. */
const SETS_MAX = 256;

interface Candidate extends Range {
  readonly weight: number;
}

/** Finds the rows of a range of suffixes. */
interface FindRows {
  readonly rowsOf: (range: Range) => RowSet;
  /** Their number, in which a row counts again for each time that it is repeated. */
  readonly weightOf: (range: Range) => number;
}

/** Texts of less than `bytesMin` bytes are not stored, because searches rarely ask for them. */
export function buildFrequentTexts(
  prefix: string,
  suffixes: Suffixes,
  rowCount: number,
  bytesMin: number,
  { rowsOf, weightOf }: FindRows,
): NamedArrays {
  const kept = findFrequent(suffixes, bytesMin, bitsWorthwhileAbove(rowCount), weightOf)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, SETS_MAX)
    .sort((a, b) => a.from - b.from || a.to - b.to);
  const bits = new Uint32Array(kept.length * wordCount(rowCount));
  const counts = kept.map((range, i) => {
    const words = bitSetAt(bits, i, rowCount);
    return markRows(words, [rowsOf(range)]) ?? countBits(words);
  });
  return {
    [`${prefix}.frequent-froms`]: Uint32Array.from(kept, ({ from }) => from),
    [`${prefix}.frequent-tos`]: Uint32Array.from(kept, ({ to }) => to),
    [`${prefix}.frequent-counts`]: Uint32Array.from(counts),
    [`${prefix}.frequent-bits`]: bits,
  };
}

export function openFrequentTexts(
  prefix: string,
  arrays: NamedArrays,
  rowCount: number,
): FrequentTexts {
  return {
    froms: wordsNamed(arrays, `${prefix}.frequent-froms`),
    tos: wordsNamed(arrays, `${prefix}.frequent-tos`),
    counts: wordsNamed(arrays, `${prefix}.frequent-counts`),
    bits: wordsNamed(arrays, `${prefix}.frequent-bits`),
    rowCount,
  };
}

/** The rows of a range of suffixes, if they are stored. */
export function findFrequentRows(frequent: FrequentTexts, range: Range): RowSet | undefined {
  const { froms, tos, counts, bits, rowCount } = frequent;
  const { from, to } = findRange(froms.length, (i) => froms[i]! - range.from || tos[i]! - range.to);
  if (from === to) return undefined;
  return { kind: 'bits', words: bitSetAt(bits, from, rowCount), count: counts[from]! };
}

/** Visits short texts before longer ones: a text is at most as frequent as its beginning. */
function findFrequent(
  suffixes: Suffixes,
  bytesMin: number,
  weightAbove: number,
  weightOf: (range: Range) => number,
): Candidate[] {
  const found: Candidate[] = [];
  const open = [{ from: 0, to: suffixes.entries.length, depth: 0 }];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const { from, to, depth } = parent;
    for (let at = from; at < to; ) {
      const byte = suffixByte(suffixes, at, depth);
      const end = at + findRange(to - at, (i) => suffixByte(suffixes, at + i, depth) - byte).to;
      const child = { from: at, to: end };
      at = end;
      const weight = byte === TEXT_END ? 0 : weightOf(child);
      if (weight <= weightAbove) continue;
      open.push({ ...child, depth: depth + 1 });
      // If every suffix has the same next byte, the longer text has the same suffixes.
      const isParent = child.from === from && child.to === to && depth >= bytesMin;
      if (depth + 1 >= bytesMin && !isParent) found.push({ ...child, weight });
    }
  }
  return found;
}
