/** A field whose texts mostly differ from row to row: found by beginning, part or whole. */

import type { NamedArrays } from '../arrays.ts';
import {
  buildFrequentTexts,
  type FrequentTexts,
  findKept,
  openFrequentTexts,
} from './frequent-texts.ts';
import { buildOriginals, findOriginals, type Originals, openOriginals } from './originals.ts';
import { buildRankedRows, openRankedRows, type RankedRows } from './ranked-rows.ts';
import type { RowSet } from './row-set.ts';
import {
  buildSuffixes,
  findBeginnings,
  findSuffixes,
  openSuffixes,
  type Range,
  type SuffixChoice,
  type Suffixes,
  suffixArrays,
} from './suffixes.ts';
import { TEXT_END, type TextList } from './text-list.ts';

export interface TextColumn {
  readonly suffixes: Suffixes;
  readonly frequent: FrequentTexts;
  readonly ranked: RankedRows;
  readonly originals: Originals;
}

export interface TextColumnSource {
  /** By row: the folded text and TEXT_END, or nothing where the row lacks the field. */
  readonly texts: TextList;
  /** By row: the original text, where it does not follow from the folded one. */
  readonly odd: ReadonlyMap<number, string>;
  readonly choice: SuffixChoice;
  /** The bytes of the shortest text that queries usually ask for. */
  readonly bytesMin: number;
}

export function buildTextColumn(prefix: string, source: TextColumnSource): NamedArrays {
  const { texts, odd, choice, bytesMin } = source;
  const rowCount = texts.starts.length - 1;
  const suffixes = buildSuffixes(texts, choice);
  const order = orderOf(suffixes);
  const originals = buildOriginals(prefix, texts, order, odd);
  return {
    ...suffixArrays(prefix, suffixes),
    ...originals,
    ...buildRankedRows(prefix, order, rowCount),
    ...buildFrequentTexts(prefix, suffixes, rowCount, bytesMin, (range) => hitsOf(suffixes, range)),
  };
}

/** The entries in the order of their texts: the suffixes that are whole texts. */
function orderOf({ entries, offsets }: Suffixes): Uint32Array {
  let count = 0;
  for (let i = 0; i < offsets.length; i++) if (offsets[i] === 0) count++;
  const order = new Uint32Array(count);
  for (let i = 0, rank = 0; i < offsets.length; i++) {
    if (offsets[i] === 0) order[rank++] = entries[i]!;
  }
  return order;
}

export function openTextColumn(prefix: string, arrays: NamedArrays): TextColumn {
  const ranked = openRankedRows(prefix, arrays);
  return {
    suffixes: openSuffixes(prefix, arrays),
    frequent: openFrequentTexts(prefix, arrays, ranked.rank.length),
    ranked,
    originals: openOriginals(prefix, arrays),
  };
}

/** The rows whose folded text begins with `folded`. */
export function rowsBeginning({ suffixes, ranked }: TextColumn, folded: string): RowSet {
  const range = findBeginnings(suffixes.texts, ranked.order, Buffer.from(folded));
  return { kind: 'range', ranked, ...range, ascending: false };
}

/** The rows whose folded text contains `folded`, which is not empty. */
export function rowsContaining({ suffixes, frequent }: TextColumn, folded: string): RowSet {
  const wanted = Buffer.from(folded);
  const range = findSuffixes(suffixes, wanted);
  return findKept(frequent, range) ?? hitsOf(suffixes, range, wanted);
}

/** The rows whose text is `wanted`, which folds to `folded`. */
export function rowsEqual(column: TextColumn, wanted: string, folded: string): RowSet {
  const { suffixes, ranked, originals } = column;
  const equal = findBeginnings(suffixes.texts, ranked.order, endedBytes(folded));
  const range = findOriginals(originals, equal, wanted);
  return { kind: 'range', ranked, ...range, ascending: true };
}

export function endedBytes(folded: string): Uint8Array {
  const bytes = Buffer.alloc(Buffer.byteLength(folded) + 1, TEXT_END);
  bytes.write(folded);
  return bytes;
}

function hitsOf({ texts, entries }: Suffixes, { from, to }: Range, wanted?: Uint8Array): RowSet {
  const text = wanted === undefined ? {} : { text: { texts, wanted } };
  return { kind: 'hits', rows: entries, from, to, ...text };
}
