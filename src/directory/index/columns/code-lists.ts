/**
 * The rows of each code of a field. A field may have several lists of codes from one code system;
 * the names of the arrays begin with `prefix` and the name of the list.
 */
import type { NamedArrays } from '../../record/arrays.ts';
import { bytesNamed, wordsNamed } from '../array-named.ts';
import { createRowListsWriter, openRowLists } from '../sets/row-lists.ts';
import type { RowSet } from '../sets/row-set.ts';
import { createTextWriter, decodeTexts } from '../texts/text-list.ts';
import { type ColumnBuilder, withoutRepeats } from './columns.ts';

export type CodesOf<Item> = (item: Item) => readonly string[];

export function buildCodeLists<Item>(
  prefix: string,
  lists: Readonly<Record<string, CodesOf<Item>>>,
  rowCount: number,
): ColumnBuilder<Item> {
  const numbers = new Map<string, number>();
  const writers = Object.entries(lists).map(([list, codesOf]) => ({
    codesOf,
    list,
    rows: createRowListsWriter(),
  }));
  return {
    add: (row, item) => {
      for (const { codesOf, rows } of writers) {
        for (const code of withoutRepeats(codesOf(item))) {
          const number = numbers.get(code) ?? numbers.size;
          numbers.set(code, number);
          rows.add(number, row);
        }
      }
    },
    finish: () => {
      const named = writers.map(({ list, rows }) =>
        rows.finish(`${prefix}.${list}`, numbers.size, rowCount),
      );
      return Object.assign(listCodes(prefix, numbers.keys()), ...named);
    },
  };
}

/** The arrays of different codes. */
export function listCodes(prefix: string, codes: Iterable<string>): NamedArrays {
  const writer = createTextWriter();
  for (const code of codes) writer.add(code);
  const { bytes, starts } = writer.finish();
  return { [`${prefix}.codes`]: bytes, [`${prefix}.code-starts`]: starts };
}

/** All codes. The number of a code is its place among them. */
export function listedCodes(prefix: string, arrays: NamedArrays): string[] {
  return decodeTexts({
    bytes: bytesNamed(arrays, `${prefix}.codes`),
    starts: wordsNamed(arrays, `${prefix}.code-starts`),
  });
}

/** The rows by the number of a code. */
export function openCodeList(
  prefix: string,
  list: string,
  arrays: NamedArrays,
  rowCount: number,
): (number: number) => RowSet {
  return openRowLists(`${prefix}.${list}`, arrays, rowCount);
}
