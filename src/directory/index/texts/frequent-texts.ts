/** The rows of the texts that most records contain, stored as bits for fast searches. */

import type { NamedArrays } from '../../record/arrays.ts';
import { wordsNamed } from '../array-named.ts';
import { findRange, type Range } from '../binary-search.ts';
import { bitSetAt, bitsWorthwhileAbove, countBits, wordCount } from '../sets/bits.ts';
import { markRows, type RowSet } from '../sets/row-set.ts';
import { type Suffixes, suffixByte } from './suffixes.ts';
import { TEXT_END } from './text-list.ts';

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
