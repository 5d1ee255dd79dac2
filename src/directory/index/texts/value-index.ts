/** An index of texts that many rows share: searches the distinct texts, which lead to their rows. */

import { fold } from '../../../fhir/search/fold.ts';
import type { NamedArrays } from '../../record/arrays.ts';
import { wordsNamed } from '../array-named.ts';
import { buildRankedRows, openRankedRows, type RankedRows } from '../sets/ranked-rows.ts';
import type { RowSet } from '../sets/row-set.ts';
import { sortDifferent } from '../sets/sort-different.ts';
import {
  buildFrequentTexts,
  type FrequentTexts,
  findFrequentRows,
  openFrequentTexts,
} from './frequent-texts.ts';
import {
  buildIrregularTexts,
  findExact,
  type IrregularTexts,
  isIrregular,
  openIrregularTexts,
} from './irregular-texts.ts';
import {
  buildSuffixes,
  findBeginnings,
  findSuffixes,
  openSuffixes,
  type Range,
  type Suffixes,
  suffixArrays,
} from './suffixes.ts';
import { endedBytes } from './text-index.ts';
import { createTextWriter, decodeTexts } from './text-list.ts';

export interface ValueIndex {
  /** Of the distinct texts. The number of a text is its rank. */
  readonly suffixes: Suffixes;
  readonly irregular: IrregularTexts;
  readonly frequent: FrequentTexts;
  /** The rows of text `v` have the ranks `starts[v]..starts[v + 1]`. */
  readonly starts: Uint32Array;
  readonly ranked: RankedRows;
}

export interface ValueIndexSource {
  /** The distinct original texts, in any order. */
  readonly values: readonly string[];
  /** Row → the number of its text in `values`, or NO_VALUE. */
  readonly valueByRow: Uint32Array;
  /** The bytes of the shortest text that queries usually ask for. */
  readonly bytesMin: number;
}

export const NO_VALUE = 0xffff_ffff;

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
  const { starts, order } = groupRows(sorted, source.valueByRow);
  const rankedArrays = buildRankedRows(prefix, order, rowCount);
  const ranked = openRankedRows(prefix, rankedArrays);
  return {
    ...suffixArrays(prefix, suffixes),
    ...buildIrregularTexts(prefix, texts, Uint32Array.from(sorted.keys()), irregular),
    [`${prefix}.row-starts`]: starts,
    ...rankedArrays,
    ...buildFrequentTexts(prefix, suffixes, rowCount, source.bytesMin, (range) =>
      hitsOf(suffixes, starts, ranked, range),
    ),
  };
}

export function openValueIndex(prefix: string, arrays: NamedArrays): ValueIndex {
  const ranked = openRankedRows(prefix, arrays);
  return {
    suffixes: openSuffixes(prefix, arrays),
    irregular: openIrregularTexts(prefix, arrays),
    frequent: openFrequentTexts(prefix, arrays, ranked.rank.length),
    starts: wordsNamed(arrays, `${prefix}.row-starts`),
    ranked,
  };
}

/** The rows whose folded text begins with `folded`. */
export function valueRowsBeginning(column: ValueIndex, folded: string): RowSet {
  const values = findBeginnings(column.suffixes.texts, undefined, Buffer.from(folded));
  return rowsOfValues(column, values);
}

/** The rows whose folded text contains `folded`, which is not empty. */
export function valueRowsContaining(column: ValueIndex, folded: string): RowSet {
  const { suffixes, frequent, starts, ranked } = column;
  const wanted = Buffer.from(folded);
  const range = findSuffixes(suffixes, wanted);
  return findFrequentRows(frequent, range) ?? hitsOf(suffixes, starts, ranked, range, wanted);
}

/** The rows whose text is `wanted`, which folds to `folded`. */
export function valueRowsEqual(column: ValueIndex, wanted: string, folded: string): RowSet {
  const equal = findBeginnings(column.suffixes.texts, undefined, endedBytes(folded));
  return rowsOfValues(column, findExact(column.irregular, equal, wanted));
}

/** The number of rows that have each folded text, most first. */
export function countValues({ suffixes, starts }: ValueIndex): [folded: string, count: number][] {
  const counts = new Map<string, number>();
  for (const [value, ended] of decodeTexts(suffixes.texts).entries()) {
    // Without TEXT_END, which is not a character.
    const folded = ended.slice(0, -1);
    const count = starts[value + 1]! - starts[value]!;
    counts.set(folded, (counts.get(folded) ?? 0) + count);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

function rowsOfValues({ starts, ranked }: ValueIndex, { from, to }: Range): RowSet {
  const ascending = to - from === 1;
  return { kind: 'range', ranked, from: starts[from]!, to: starts[to]!, ascending };
}

interface SortedValue {
  readonly value: number;
  readonly original: string;
  readonly folded: string;
}

/** In the order of a text column: by folded text, the plain before the irregular, by original text. */
function sortValues(values: readonly string[]): SortedValue[] {
  return values
    .map((original, value) => {
      const folded = fold(original);
      return {
        value,
        original,
        folded,
        ended: endedBytes(folded),
        irregular: isIrregular(original, folded) ? Buffer.from(original) : Buffer.alloc(0),
      };
    })
    .sort((a, b) => Buffer.compare(a.ended, b.ended) || Buffer.compare(a.irregular, b.irregular));
}

/** The rows by the rank of their text. Rows with the same text ascend. */
function groupRows(sorted: readonly SortedValue[], valueByRow: Uint32Array) {
  const rankOf = new Uint32Array(sorted.length);
  for (const [rank, { value }] of sorted.entries()) rankOf[value] = rank;
  const starts = new Uint32Array(sorted.length + 1);
  for (const value of valueByRow) if (value !== NO_VALUE) starts[rankOf[value]! + 1]!++;
  for (let rank = 0; rank < sorted.length; rank++) starts[rank + 1]! += starts[rank]!;
  const ends = starts.slice();
  const order = new Uint32Array(starts[sorted.length]!);
  for (const [row, value] of valueByRow.entries()) {
    if (value !== NO_VALUE) order[ends[rankOf[value]!]!++] = row;
  }
  return { starts, order };
}

/** Up to this number of values are sorted to remove repeated ones, so that no row is repeated. */
const SORTED_MAX = 128;

function hitsOf(
  suffixes: Suffixes,
  starts: Uint32Array,
  ranked: RankedRows,
  range: Range,
  wanted?: Uint8Array,
): RowSet {
  let { from, to } = range;
  let values = suffixes.entries;
  const distinct = to - from <= SORTED_MAX;
  if (distinct) {
    values = values.slice(from, to);
    to = sortDifferent(values);
    from = 0;
  }
  let size = 0;
  for (let i = from; i < to; i++) {
    const value = values[i]!;
    size += starts[value + 1]! - starts[value]!;
  }
  const text = wanted === undefined ? {} : { text: { texts: suffixes.texts, wanted } };
  return { kind: 'valueHits', values, from, to, starts, ranked, size, distinct, ...text };
}
