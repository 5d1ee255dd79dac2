/** Reads the values of a value index again, for the index of the next edition. */
import { NO_VALUE, type TextIndex, type ValueIndexSource } from './text-index.ts';
import { decodeTexts, textAt } from './text-list.ts';

/** What `buildValueIndex` got: the original texts by rank, and row → the rank of its text. */
export function readValues({
  suffixes,
  irregular,
  starts,
  ranked,
}: Required<TextIndex>): Pick<ValueIndexSource, 'values' | 'valueByRow'> {
  // Without TEXT_END, which is not a character.
  const values = decodeTexts(suffixes.texts).map((ended) => ended.slice(0, -1).toUpperCase());
  irregular.ranks.forEach((rank, place) => {
    values[rank] = textAt(irregular.texts, place);
  });
  const valueByRow = new Uint32Array(ranked.rank.length).fill(NO_VALUE);
  for (let value = 0; value < values.length; value++) {
    for (let rank = starts[value]!; rank < starts[value + 1]!; rank++) {
      valueByRow[ranked.order[rank]!] = value;
    }
  }
  return { values, valueByRow };
}
