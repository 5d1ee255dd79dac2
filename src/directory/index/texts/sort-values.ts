/** The distinct texts of a column in its order, and the rows of each. */

import { fold } from '../../../fhir/search/string.ts';
import { sortedByKey } from '../../arrays/first-numbers.ts';
import { TEXT_END } from '../../arrays/text-list.ts';
import { isIrregular } from './irregular-texts.ts';

export const NO_VALUE = 0xffff_ffff;

export interface SortedValue {
  readonly value: number;
  readonly original: string;
  readonly folded: string;
}

/** In the order of a text column: by folded text, the plain before the irregular, by original text. */
export function sortValues(values: readonly string[]): SortedValue[] {
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

/** Rows by the rank of their text. Rows with the same text ascend. */
export interface GroupedRows {
  /** For each rank, where its rows start in `order`, and the end of the last. */
  readonly starts: Uint32Array;
  readonly order: Uint32Array;
}

export function groupRows(sorted: readonly SortedValue[], valueByRow: Uint32Array): GroupedRows {
  const rankOf = new Uint32Array(sorted.length);
  for (const [rank, { value }] of sorted.entries()) rankOf[value] = rank;
  const ranks = valueByRow.map((value) => (value === NO_VALUE ? NO_VALUE : rankOf[value]!));
  const { sorted: order, first: starts } = sortedByKey(ranks, sorted.length);
  return { starts, order };
}

/** A folded text as searches compare it: its bytes, and the byte that ends each text. */
export function endedBytes(folded: string): Uint8Array {
  const bytes = Buffer.alloc(Buffer.byteLength(folded) + 1, TEXT_END);
  bytes.write(folded);
  return bytes;
}
