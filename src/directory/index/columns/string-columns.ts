/** The columns of string fields. Most have one text at most of each record. */
import {
  fold,
  matchesString,
  type StringCriterion,
  type StringEntry,
  type StringMatch,
  stringEntries,
  withoutSpaces,
} from '../../../fhir/search/string.ts';
import { FirstNumbers, numberOfText } from '../../arrays/first-numbers.ts';
import { NO_ROW, type RowsBefore } from '../../arrays/rows-before.ts';
import { containsText, createTextWriter, textAt } from '../../arrays/text-list.ts';
import {
  compactPostalCode,
  isPastOutwardCode,
  isWholePostalCode,
} from '../../record/postal-code.ts';
import { openRowLists } from '../sets/row-lists.ts';
import type { RowSet } from '../sets/row-set.ts';
import { isIrregular } from '../texts/irregular-texts.ts';
import { NO_VALUE } from '../texts/sort-values.ts';
import { findSuffixes } from '../texts/suffixes.ts';
import {
  buildTextIndex,
  buildValueIndex,
  openTextIndex,
  openValueIndex,
  readValues,
  rowsBeginning,
  rowsContaining,
  rowsEqual,
  type TextIndex,
} from '../texts/text-index.ts';
import { type Column, type FindRows, foundRows, withoutRepeats } from './columns.ts';
import { buildCodeLists, listedCodes } from './token-columns.ts';

interface StringColumnOptions<Item> {
  readonly textOf: (item: Item) => string | undefined;
  /** The bytes of the shortest text that searches usually ask for. */
  readonly bytesMin: number;
}

type StringColumn<Item> = Column<Item, StringCriterion, StringEntry>;

/** For texts that differ from record to record. `prefix` begins the names of its arrays. */
export function textColumn<Item>(
  prefix: string,
  { textOf, bytesMin }: StringColumnOptions<Item>,
): StringColumn<Item> {
  const entriesOf = (item: Item) => stringEntries(textOf(item));
  return {
    entriesOf,
    build: (_rowCount, before) => {
      const texts = createTexts(prefix, before);
      return {
        add: (row, item) => texts.add(row, entriesOf(item)[0]),
        finish: () => buildTextIndex(prefix, { ...texts.finish(), choice: 'all', bytesMin }),
      };
    },
    open: (arrays) => {
      const index = openTextIndex(prefix, arrays);
      return findTexts((...wanted) => rowsOfText(index, ...wanted));
    },
  };
}

/**
 * As a text column, but a whole postcode is found with and without its space: `LS64JN` finds
 * `LS6 4JN`, and so does a beginning that cannot be an outward code: `LS64J`. Any other value is
 * compared as it is, because `LS11` must not find `LS1 1AA`.
 */
export function spacedTextColumn<Item>(
  prefix: string,
  { textOf, bytesMin }: StringColumnOptions<Item>,
): StringColumn<Item> {
  const compactPrefix = compactPrefixOf(prefix);
  const entriesOf = (item: Item): StringEntry[] =>
    stringEntries(textOf(item)).flatMap((entry) => [
      entry,
      { folded: withoutSpaces(entry.folded) },
    ]);
  return {
    entriesOf,
    build: (_rowCount, before) => {
      const texts = createTexts(prefix, before);
      const compactTexts = createTexts(compactPrefix, before);
      return {
        add: (row, item) => {
          const [entry, compact] = entriesOf(item);
          texts.add(row, entry);
          compactTexts.add(row, compact);
        },
        finish: () => ({
          // Parts without a space are first searched in the compact index.
          ...buildTextIndex(prefix, { ...texts.finish(), choice: 'spaced', bytesMin }),
          ...buildTextIndex(compactPrefix, { ...compactTexts.finish(), choice: 'all', bytesMin }),
        }),
      };
    },
    open: (arrays) => {
      const index = openTextIndex(prefix, arrays);
      const compactIndex = openTextIndex(compactPrefix, arrays);
      return findTexts((match, value, folded) => {
        const isWhole = match !== 'exact' && isWholePostalCode(folded);
        if (isWhole || (match === 'startsWith' && isPastOutwardCode(folded))) {
          return rowsOfText(compactIndex, match, value, withoutSpaces(folded));
        }
        if (match !== 'contains' || folded === '' || folded.includes(' ')) {
          return rowsOfText(index, match, value, folded);
        }
        return rowsContainingAsIs(index, compactIndex, folded);
      });
    },
  };
}

/**
 * The rows whose text contains a part without spaces. Their compact spellings contain it too; those
 * with a space within the part are left out.
 */
function rowsContainingAsIs(index: TextIndex, compactIndex: TextIndex, folded: string): RowSet {
  if (folded.length === 1) return rowsContaining(compactIndex, folded);
  const { texts } = index.suffixes;
  const wanted = Buffer.from(folded);
  const { from, to } = findSuffixes(compactIndex.suffixes, wanted);
  const rows = compactIndex.suffixes.entries
    .subarray(from, to)
    .filter((row) => containsText(texts, row, wanted));
  return { kind: 'hits', rows, from: 0, to: rows.length };
}

/**
 * The texts of a `spacedTextColumn` in capitals and without spaces. It shares the arrays of that
 * column.
 */
export function compactTextColumn<Item>(
  prefix: string,
  textOf: (item: Item) => string | undefined,
): StringColumn<Item> {
  return {
    entriesOf: (item) => {
      const text = textOf(item);
      return text === undefined ? [] : stringEntries(compactPostalCode(text));
    },
    open: (arrays) => {
      const index = openTextIndex(compactPrefixOf(prefix), arrays);
      return findTexts((...wanted) => rowsOfText(index, ...wanted));
    },
  };
}

/** The prefix of the index of the spellings without spaces. */
export function compactPrefixOf(prefix: string): string {
  return `compact-${prefix}`;
}

/** For texts that many records share. `prefix` begins the names of its arrays. */
export function valueColumn<Item>(
  prefix: string,
  { textOf, bytesMin }: StringColumnOptions<Item>,
): StringColumn<Item> {
  return {
    entriesOf: (item) => stringEntries(textOf(item)),
    build: (rowCount, before) => {
      const valueByRow = new Uint32Array(rowCount).fill(NO_VALUE);
      const valuesBefore = before && readValues(openValueIndex(prefix, before.arrays));
      const numbers = new Map(valuesBefore?.values.map((text, number) => [text, number]));
      before?.now.forEach((row, rowBefore) => {
        if (row !== NO_ROW) valueByRow[row] = valuesBefore!.valueByRow[rowBefore]!;
      });
      return {
        add: (row, item) => {
          const text = textOf(item);
          if (text === undefined) return;
          valueByRow[row] = numberOfText(numbers, text);
        },
        finish: () => {
          // No row may have some values of the edition before.
          const used = new FirstNumbers();
          for (const [row, number] of valueByRow.entries()) {
            if (number !== NO_VALUE) valueByRow[row] = used.numberOf(number);
          }
          const all = [...numbers.keys()];
          const values = used.order.map((number) => all[number]!);
          return buildValueIndex(prefix, { values, valueByRow, bytesMin });
        },
      };
    },
    open: (arrays) => {
      const index = openValueIndex(prefix, arrays);
      return findTexts((...wanted) => rowsOfText(index, ...wanted));
    },
  };
}

/**
 * For fields with few different texts, such as countries: a search compares all of them.
 * `prefix` begins the names of its arrays.
 */
export function listedTextColumn<Item>(
  prefix: string,
  textOf: (item: Item) => string | undefined,
): StringColumn<Item> {
  const textsOf = (item: Item) => {
    const text = textOf(item);
    return text === undefined ? [] : [text];
  };
  return {
    entriesOf: (item) => stringEntries(textOf(item)),
    build: (rowCount, before) => buildCodeLists(prefix, { text: textsOf }, rowCount, before),
    open: (arrays, rowCount) => {
      const entries = listedCodes(prefix, arrays).map((exact) => ({ exact, folded: fold(exact) }));
      const rowsOf = openRowLists(`${prefix}.text`, arrays, rowCount);
      return ({ match, values }) => {
        const wanted = values.map((value) => (match === 'exact' ? value : fold(value)));
        const sets = entries.flatMap((entry, number) =>
          wanted.some((value) => matchesString(entry, match, value)) ? [rowsOf(number)] : [],
        );
        return foundRows(sets, true);
      };
    },
  };
}

/** Finds the rows that one of the columns finds, by their arrays. */
export function anyOfColumns<Item>(columns: readonly StringColumn<Item>[]): StringColumn<Item> {
  return {
    entriesOf: (item) => columns.flatMap(({ entriesOf }) => entriesOf(item)),
    open: (arrays, rowCount) => {
      const finders = columns.map(({ open }) => open(arrays, rowCount));
      return (criterion) =>
        foundRows(
          finders.flatMap((find) => find(criterion).sets),
          false,
        );
    },
  };
}

function findTexts(
  rowsOf: (match: StringMatch, value: string, folded: string) => RowSet,
): FindRows<StringCriterion> {
  return ({ match, values }) => {
    const sets = withoutRepeats(values).map((value) => rowsOf(match, value, fold(value)));
    return foundRows(sets, false);
  };
}

/** A value of combining marks folds to an empty text, with which every text begins. */
function rowsOfText(index: TextIndex, match: StringMatch, value: string, folded: string): RowSet {
  if (match === 'exact') return rowsEqual(index, value, folded);
  if (match === 'startsWith' || folded === '') return rowsBeginning(index, folded);
  return rowsContaining(index, folded);
}

/** Collects the texts of one field by row. With `before`: those of the changed rows. */
function createTexts(prefix: string, before: RowsBefore | undefined) {
  const texts = createTextWriter();
  const irregular = new Map<number, string>();
  const kept = before && openTextIndex(prefix, before.arrays);
  kept?.irregular.ranks.forEach((rank, place) => {
    const row = before!.now[kept.ranked.order[rank]!]!;
    if (row !== NO_ROW) irregular.set(row, textAt(kept.irregular.texts, place));
  });
  return {
    add(row: number, entry: StringEntry | undefined): void {
      if (entry === undefined) {
        texts.skip();
        return;
      }
      const { folded, exact } = entry;
      texts.add(folded, true);
      if (exact !== undefined && isIrregular(exact, folded)) irregular.set(row, exact);
    },
    finish: () => ({
      texts: texts.finish(),
      irregular,
      ...(before && kept && { kept: { ...before, suffixes: kept.suffixes } }),
    }),
  };
}
