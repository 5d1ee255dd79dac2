/**
 * Indexes of texts, which find rows by the beginning, a part or the whole of their text. An index of
 * values has each text once, for texts that many rows share.
 */

import { wordsNamed } from '../../arrays/array-named.ts';
import type { NamedArrays } from '../../arrays/arrays.ts';
import type { Range } from '../../arrays/binary-search.ts';
import {
  createTextWriter,
  decodeTexts,
  mergeTexts,
  type TextList,
} from '../../arrays/text-list.ts';
import { addRows, wordCount } from '../sets/bits.ts';
import { buildRankedRows, openRankedRows, type RankedRows } from '../sets/ranked-rows.ts';
import { type RowSet, SORTED_MAX, sortDifferent } from '../sets/row-set.ts';
import {
  buildIrregularTexts,
  findExact,
  type IrregularTexts,
  isIrregular,
  openIrregularTexts,
} from './irregular-texts.ts';
import { endedBytes, groupRows, NO_VALUE, sortValues } from './sort-values.ts';
import {
  buildFrequentTexts,
  buildSuffixes,
  type FrequentTexts,
  findBeginnings,
  findFrequentRows,
  findSuffixes,
  type KeptSuffixes,
  mergeSuffixes,
  openFrequentTexts,
  openSuffixes,
  type SuffixChoice,
  type Suffixes,
  suffixArrays,
} from './suffixes.ts';

export interface TextIndex {
  /** Of the texts by row, or of the values. The number of a value is its rank. */
  readonly suffixes: Suffixes;
  readonly frequent: FrequentTexts;
  readonly irregular: IrregularTexts;
  readonly ranked: RankedRows;
  /** In an index of values: the rows of value `v` have the ranks `starts[v]..starts[v + 1]`. */
  readonly starts?: Uint32Array;
}

export interface TextIndexSource {
  /**
   * By row, or with `kept` of each changed row: the folded text and TEXT_END, or no bytes if the row
   * has no text.
   */
  readonly texts: TextList;
  /** The exact texts that are irregular, by row. */
  readonly irregular: ReadonlyMap<number, string>;
  readonly choice: SuffixChoice;
  /** The bytes of the shortest text that searches usually ask for. */
  readonly bytesMin: number;
  readonly kept?: KeptSuffixes;
}

export interface ValueIndexSource {
  /** The distinct original texts, in any order. */
  readonly values: readonly string[];
  /** Row → the number of its text in `values`, or NO_VALUE. */
  readonly valueByRow: Uint32Array;
  /** The bytes of the shortest text that searches usually ask for. */
  readonly bytesMin: number;
}

export function buildTextIndex(prefix: string, source: TextIndexSource): NamedArrays {
  const { irregular, choice, bytesMin, kept } = source;
  const texts = mergeTexts(kept?.suffixes.texts, kept, source.texts);
  const rowCount = texts.starts.length - 1;
  const suffixes =
    kept === undefined
      ? buildSuffixes(texts, choice)
      : mergeSuffixes(kept, texts, buildSuffixes(source.texts, choice));
  const order = orderOf(suffixes);
  // Rearranges the order, so it comes before the ranks.
  const irregularArrays = buildIrregularTexts(prefix, texts, order, irregular);
  return {
    ...suffixArrays(prefix, suffixes),
    ...irregularArrays,
    ...buildRankedRows(prefix, order, rowCount),
    ...buildFrequentTexts(prefix, suffixes, rowCount, bytesMin, {
      rowsOf: (range) => hitsOf(suffixes, range),
      weightOf: ({ from, to }) => to - from,
    }),
  };
}

/** The entries in the order of their texts: the suffixes that are whole texts. */
function orderOf({ texts, entries, offsets }: Suffixes): Uint32Array {
  const order = new Uint32Array(texts.starts.length);
  let count = 0;
  for (let i = 0; i < entries.length; i++) if (offsets[i] === 0) order[count++] = entries[i]!;
  return order.slice(0, count);
}

export function buildValueIndex(prefix: string, source: ValueIndexSource): NamedArrays {
  const rowCount = source.valueByRow.length;
  const sorted = sortValues(source.values);
  const writer = createTextWriter();
  const irregular = new Map<number, string>();
  for (const [rank, { original, folded }] of sorted.entries()) {
    writer.add(folded, true);
    if (isIrregular(original, folded)) irregular.set(rank, original);
  }
  const texts = writer.finish();
  const suffixes = buildSuffixes(texts, 'all');
  const grouped = groupRows(sorted, source.valueByRow);
  const { starts, order } = grouped;
  return {
    ...suffixArrays(prefix, suffixes),
    ...buildIrregularTexts(prefix, texts, Uint32Array.from(sorted.keys()), irregular),
    [`${prefix}.row-starts`]: starts,
    ...buildRankedRows(prefix, order, rowCount),
    ...buildFrequentTexts(prefix, suffixes, rowCount, source.bytesMin, {
      rowsOf: (range) => rowsOfValues(suffixes, { ...grouped, rowCount }, range),
      weightOf: ({ from, to }) => sizeOfValues(suffixes.entries.subarray(from, to), starts),
    }),
  };
}

export function openTextIndex(prefix: string, arrays: NamedArrays): TextIndex {
  const ranked = openRankedRows(prefix, arrays);
  return {
    suffixes: openSuffixes(prefix, arrays),
    frequent: openFrequentTexts(prefix, arrays, ranked.rank.length),
    ranked,
    irregular: openIrregularTexts(prefix, arrays),
  };
}

export function openValueIndex(prefix: string, arrays: NamedArrays): Required<TextIndex> {
  return { ...openTextIndex(prefix, arrays), starts: wordsNamed(arrays, `${prefix}.row-starts`) };
}

/** What `buildValueIndex` got, for the index of the next edition: the original texts by rank, and row → the rank of its text. */
export function readValues({
  suffixes,
  irregular,
  starts,
  ranked,
}: Required<TextIndex>): Pick<ValueIndexSource, 'values' | 'valueByRow'> {
  // Without TEXT_END, which is not a character.
  const values = decodeTexts(suffixes.texts).map((ended) => ended.slice(0, -1).toUpperCase());
  const exact = decodeTexts(irregular.texts);
  irregular.ranks.forEach((rank, place) => {
    values[rank] = exact[place]!;
  });
  const valueByRow = new Uint32Array(ranked.rank.length).fill(NO_VALUE);
  for (let value = 0; value < values.length; value++) {
    for (let rank = starts[value]!; rank < starts[value + 1]!; rank++) {
      valueByRow[ranked.order[rank]!] = value;
    }
  }
  return { values, valueByRow };
}

/** The rows whose folded text begins with `folded`. */
export function rowsBeginning(index: TextIndex, folded: string): RowSet {
  const { ranked } = index;
  const texts = findTexts(index, Buffer.from(folded));
  const ranks = ranksOf(index, texts);
  // Rows with the same text ascend.
  if (texts.to - texts.from === 1) return { kind: 'list', rows: ranked.order, ...ranks };
  return { kind: 'range', ranked, ...ranks };
}

/** The rows whose folded text contains `folded`, which is not empty. */
export function rowsContaining(index: TextIndex, folded: string): RowSet {
  const { suffixes, frequent, starts, ranked } = index;
  const range = findSuffixes(suffixes, Buffer.from(folded));
  const rows = findFrequentRows(frequent, range);
  if (rows !== undefined || starts === undefined) return rows ?? hitsOf(suffixes, range);
  const rowCount = ranked.rank.length;
  return rowsOfValues(suffixes, { starts, order: ranked.order, rowCount }, range);
}

/** The rows whose text is `wanted`, which folds to `folded`. They ascend. */
export function rowsEqual(index: TextIndex, wanted: string, folded: string): RowSet {
  const exact = findExact(index.irregular, findTexts(index, endedBytes(folded)), wanted);
  return { kind: 'list', rows: index.ranked.order, ...ranksOf(index, exact) };
}

/** The rows whose folded text is `folded`, in an index by row without irregular texts. */
export function rowsOfFolded(index: TextIndex, folded: string): RowSet {
  return { kind: 'list', rows: index.ranked.order, ...findTexts(index, endedBytes(folded)) };
}

/** The texts that begin with some bytes, as places in the order of all texts. */
function findTexts({ suffixes, ranked, starts }: TextIndex, bytes: Uint8Array): Range {
  const order = starts === undefined ? ranked.order : undefined;
  return findBeginnings(suffixes.texts, order, bytes);
}

/** The ranks of the rows of neighbouring texts. */
function ranksOf({ starts }: TextIndex, { from, to }: Range): Range {
  return starts === undefined ? { from, to } : { from: starts[from]!, to: starts[to]! };
}

function hitsOf({ entries }: Suffixes, { from, to }: Range): RowSet {
  return { kind: 'hits', rows: entries, from, to };
}

/** The rows by value: those of value `v` are `order[starts[v]..starts[v + 1])`. */
interface RowsByValue {
  readonly starts: Uint32Array;
  readonly order: Uint32Array;
  readonly rowCount: number;
}

/** The rows of the values of a range of suffixes, which has a value again for each part that matches. */
function rowsOfValues(
  { entries }: Suffixes,
  { starts, order, rowCount }: RowsByValue,
  { from, to }: Range,
): RowSet {
  if (to - from > SORTED_MAX) {
    const words = new Uint32Array(wordCount(rowCount));
    let count = 0;
    for (let i = from; i < to; i++) {
      const value = entries[i]!;
      count += addRows(words, order, starts[value]!, starts[value + 1]!);
    }
    return { kind: 'bits', words, count };
  }
  const values = entries.slice(from, to);
  const different = values.subarray(0, sortDifferent(values));
  const rows = new Uint32Array(sizeOfValues(different, starts));
  let end = 0;
  for (const value of different) {
    for (let i = starts[value]!; i < starts[value + 1]!; i++) rows[end++] = order[i]!;
  }
  return { kind: 'hits', rows, from: 0, to: end, distinct: true };
}

function sizeOfValues(values: Uint32Array, starts: Uint32Array): number {
  let size = 0;
  for (const value of values) size += starts[value + 1]! - starts[value]!;
  return size;
}

/** The number of rows that have each folded text, most first. */
export function countValues({
  suffixes,
  starts,
}: Required<TextIndex>): [folded: string, count: number][] {
  const counts = new Map<string, number>();
  for (const [value, ended] of decodeTexts(suffixes.texts).entries()) {
    // Without TEXT_END, which is not a character.
    const folded = ended.slice(0, -1);
    const count = starts[value + 1]! - starts[value]!;
    counts.set(folded, (counts.get(folded) ?? 0) + count);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
