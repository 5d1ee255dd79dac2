/** The columns of token fields, with the rows of each code. Their entries have codes without systems. */
import type { TokenCriterion, TokenEntry, TokenValue } from '../../../fhir/search/token.ts';
import { bytesNamed, wordsNamed } from '../../arrays/array-named.ts';
import type { NamedArrays } from '../../arrays/arrays.ts';
import { FirstNumbers, numberOfText } from '../../arrays/first-numbers.ts';
import type { RowsBefore } from '../../arrays/rows-before.ts';
import { createTextWriter, decodeTexts, encodeTexts, mergeTexts } from '../../arrays/text-list.ts';
import { createRowListsWriter, openRowLists } from '../sets/row-lists.ts';
import type { RowSet } from '../sets/row-set.ts';
import { buildCodeTable, openCodeTable } from './code-table.ts';
import {
  type BuildColumn,
  type Column,
  type ColumnBuilder,
  type FindRows,
  foundRows,
  listedRows,
  otherRows,
  withoutRepeats,
} from './columns.ts';

type TokenColumn<Item> = Column<Item, TokenCriterion, TokenEntry>;

export const CODE_PREFIX = 'code';

/** The organisation codes, each of which one row has. */
export const CODE_COLUMN: TokenColumn<{ readonly code: string }> = {
  entriesOf: ({ code }) => [{ code }],
  build: (_rowCount, before) => {
    const codes = createTextWriter();
    return {
      add: (_row, { code }) => codes.add(code),
      finish: () => {
        const kept = before && openCodeTable(CODE_PREFIX, before.arrays).texts;
        return buildCodeTable(CODE_PREFIX, mergeTexts(kept, before, codes.finish()));
      },
    };
  },
  open: (arrays, rowCount) => {
    const { rowOf, rowsOfAnyCase } = openCodeTable(CODE_PREFIX, arrays);
    return ({ values, ignoreCase = false }) => {
      if (values.some(isAnyCode)) return otherRows(listedRows([]), rowCount);
      const found: number[] = [];
      for (const value of values) {
        const code = plainCodeOf(value);
        if (code === undefined) continue;
        if (ignoreCase) {
          found.push(...rowsOfAnyCase(code));
        } else {
          const row = rowOf(code);
          if (row !== undefined) found.push(row);
        }
      }
      return listedRows(found);
    };
  },
};

/** A field that is true or false in every record. `prefix` begins the names of its arrays. */
export function booleanColumn<Item>(
  prefix: string,
  isTrue: (item: Item) => boolean,
): TokenColumn<Item> {
  return {
    entriesOf: (item) => [{ code: String(isTrue(item)) }],
    build: (rowCount, before) => {
      const lists = createRowListsWriter(prefix, before);
      return {
        add: (row, item) => lists.add(Number(isTrue(item)), row),
        finish: () => lists.finish(prefix, BOOLEANS.length, rowCount),
      };
    },
    open: (arrays, rowCount) => findLists(BOOLEANS, [openRowLists(prefix, arrays, rowCount)]),
  };
}

const BOOLEANS = ['false', 'true'];

/**
 * Fields whose codes are from one code system. A field has the codes of some of the lists, and in
 * one record, no code is in two lists of a field. One of the fields has the `build` of all lists.
 * The names of the arrays begin with `prefix` and the name of the list.
 */
export function codeColumns<Item, List extends string>(
  prefix: string,
  lists: Readonly<Record<List, CodesOf<Item>>>,
): {
  readonly build: BuildColumn<Item>;
  readonly of: (...wanted: readonly List[]) => TokenColumn<Item>;
} {
  return {
    build: (rowCount, before) => buildCodeLists(prefix, lists, rowCount, before),
    of: (...wanted) => ({
      entriesOf: (item) => wanted.flatMap((list) => lists[list](item).map((code) => ({ code }))),
      open: (arrays, rowCount) =>
        findLists(
          listedCodes(prefix, arrays),
          wanted.map((list) => openRowLists(`${prefix}.${list}`, arrays, rowCount)),
        ),
    }),
  };
}

/** Each of `lists` gives the rows by the number of their code in `codes`. */
export function findLists(
  codes: readonly string[],
  lists: readonly ((number: number) => RowSet)[],
): FindRows<TokenCriterion> {
  const numbers = new Map(codes.map((code, number) => [code, number]));
  const numbersOfAnyCase = (code: string) =>
    codes.flatMap((one, number) => (one.toLowerCase() === code.toLowerCase() ? [number] : []));
  return ({ values, ignoreCase = false }) => {
    const wanted: number[] = [];
    for (const value of values) {
      const code = plainCodeOf(value);
      if (isAnyCode(value)) wanted.push(...numbers.values());
      if (code === undefined) continue;
      if (ignoreCase) {
        wanted.push(...numbersOfAnyCase(code));
      } else {
        const number = numbers.get(code);
        if (number !== undefined) wanted.push(number);
      }
    }
    const sets: RowSet[] = [];
    for (const number of withoutRepeats(wanted)) {
      for (const rowsOf of lists) sets.push(rowsOf(number));
    }
    return foundRows(sets, sets.length === lists.length);
  };
}

/** Whether every record with a code matches. */
export function isAnyCode({ system, code }: TokenValue): boolean {
  return system === undefined && code === undefined;
}

/** The code of a value. Undefined for a code of a system, because the entries have no systems. */
export function plainCodeOf({ system, code }: TokenValue): string | undefined {
  return system === undefined || system === '' ? code : undefined;
}

export type CodesOf<Item> = (item: Item) => readonly string[];

/**
 * Builds the rows of each code of a field. A field may have several lists of codes from one code
 * system; the names of the arrays begin with `prefix` and the name of the list.
 */
export function buildCodeLists<Item>(
  prefix: string,
  lists: Readonly<Record<string, CodesOf<Item>>>,
  rowCount: number,
  before?: RowsBefore,
): ColumnBuilder<Item> {
  const codesBefore = before === undefined ? [] : listedCodes(prefix, before.arrays);
  const numbers = new Map(codesBefore.map((code, number) => [code, number]));
  const writers = Object.entries(lists).map(([list, codesOf]) => ({
    codesOf,
    list,
    rows: createRowListsWriter(`${prefix}.${list}`, before),
  }));
  /** Numbers the codes as they first come if all rows are added: in their first rows. */
  const firstNumbers = (itemAt: (row: number) => Item): FirstNumbers => {
    const first = new FirstNumbers();
    const rows = new Set(writers.flatMap((writer) => Object.values(writer.rows.firstRows())));
    for (const row of Uint32Array.from(rows).sort()) {
      const item = itemAt(row);
      for (const { codesOf } of writers) {
        for (const code of codesOf(item)) first.numberOf(numbers.get(code)!);
      }
    }
    return first;
  };
  return {
    add: (row, item) => {
      for (const { codesOf, rows } of writers) {
        for (const code of withoutRepeats(codesOf(item))) {
          rows.add(numberOfText(numbers, code), row);
        }
      }
    },
    finish: (itemAt) => {
      const first = before && firstNumbers(itemAt);
      const all = [...numbers.keys()];
      const codes = first?.order.map((number) => all[number]!) ?? all;
      const named = writers.map(({ list, rows }) =>
        rows.finish(`${prefix}.${list}`, codes.length, rowCount, first?.numberOf),
      );
      return Object.assign(listCodes(prefix, codes), ...named);
    },
  };
}

/** The arrays of different codes. */
export function listCodes(prefix: string, codes: Iterable<string>): NamedArrays {
  const { bytes, starts } = encodeTexts(codes);
  return { [`${prefix}.codes`]: bytes, [`${prefix}.code-starts`]: starts };
}

/** All codes. The number of a code is its place among them. */
export function listedCodes(prefix: string, arrays: NamedArrays): string[] {
  return decodeTexts({
    bytes: bytesNamed(arrays, `${prefix}.codes`),
    starts: wordsNamed(arrays, `${prefix}.code-starts`),
  });
}
