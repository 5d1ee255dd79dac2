/** An index of texts that mostly differ from row to row: finds them by beginning, part or whole. */

import type { NamedArrays } from '../../record/arrays.ts';
import { buildRankedRows, openRankedRows, type RankedRows } from '../sets/ranked-rows.ts';
import type { RowSet } from '../sets/row-set.ts';
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
  openIrregularTexts,
} from './irregular-texts.ts';
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

export interface TextIndex {
  readonly suffixes: Suffixes;
  readonly frequent: FrequentTexts;
  readonly ranked: RankedRows;
  readonly irregular: IrregularTexts;
}

export interface TextIndexSource {
  /** By row: the folded text and TEXT_END, or no bytes if the row has no text. */
  readonly texts: TextList;
  /** The exact texts that are irregular, by row. */
  readonly irregular: ReadonlyMap<number, string>;
  readonly choice: SuffixChoice;
  /** The bytes of the shortest text that searches usually ask for. */
  readonly bytesMin: number;
}

export function buildTextIndex(prefix: string, source: TextIndexSource): NamedArrays {
  const { texts, irregular, choice, bytesMin } = source;
  const rowCount = texts.starts.length - 1;
  const suffixes = buildSuffixes(texts, choice);
  const order = orderOf(suffixes);
  // Rearranges the order, so it comes before the ranks.
  const irregularArrays = buildIrregularTexts(prefix, texts, order, irregular);
  return {
    ...suffixArrays(prefix, suffixes),
    ...irregularArrays,
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

export function openTextIndex(prefix: string, arrays: NamedArrays): TextIndex {
  const ranked = openRankedRows(prefix, arrays);
  return {
    suffixes: openSuffixes(prefix, arrays),
    frequent: openFrequentTexts(prefix, arrays, ranked.rank.length),
    ranked,
    irregular: openIrregularTexts(prefix, arrays),
  };
}

/** The rows whose folded text begins with `folded`. */
export function rowsBeginning({ suffixes, ranked }: TextIndex, folded: string): RowSet {
  const range = findBeginnings(suffixes.texts, ranked.order, Buffer.from(folded));
  return { kind: 'range', ranked, ...range, ascending: false };
}

/** The rows whose folded text contains `folded`, which is not empty. */
export function rowsContaining({ suffixes, frequent }: TextIndex, folded: string): RowSet {
  const wanted = Buffer.from(folded);
  const range = findSuffixes(suffixes, wanted);
  return findFrequentRows(frequent, range) ?? hitsOf(suffixes, range, wanted);
}

/** The rows whose text is `wanted`, which folds to `folded`. */
export function rowsEqual(index: TextIndex, wanted: string, folded: string): RowSet {
  const { suffixes, ranked, irregular } = index;
  const equal = findBeginnings(suffixes.texts, ranked.order, endedBytes(folded));
  const range = findExact(irregular, equal, wanted);
  return { kind: 'range', ranked, ...range, ascending: true };
}

/** The rows whose folded text is `folded`, in an index without irregular texts. */
export function rowsOfFolded({ suffixes, ranked }: TextIndex, folded: string): RowSet {
  const range = findBeginnings(suffixes.texts, ranked.order, endedBytes(folded));
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
