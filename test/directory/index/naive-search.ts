/** The search without any index: compares the entries of every record. The index must agree. */

import assert from 'node:assert/strict';
import type { Columns } from '../../../src/directory/index/columns/columns.ts';
import {
  type DirectoryQuery,
  ORGANIZATION_COLUMNS,
} from '../../../src/directory/index/organization-index.ts';
import type { Page } from '../../../src/directory/index/search-index.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import type { ColumnCriterion, IndexCriterion, Query } from '../../../src/fhir/search/criterion.ts';
import { type DateEntry, type DateValue, matchesDate } from '../../../src/fhir/search/date.ts';
import { matchesReference } from '../../../src/fhir/search/reference.ts';
import { fold, matchesString } from '../../../src/fhir/search/string.ts';
import { matchesToken } from '../../../src/fhir/search/token.ts';

/** `records` are sorted by code; a record's row is its place among them. */
export function naiveSearch(
  records: readonly SourceRecord[],
  query: DirectoryQuery,
  offset: number,
  limit: number,
): Page {
  return naiveFilter(ORGANIZATION_COLUMNS, records, query, offset, limit);
}

/** The row of an item is its place among all items. */
export function naiveFilter<Item>(
  columns: Columns<Item>,
  items: readonly Item[],
  query: Query<IndexCriterion>,
  offset: number,
  limit: number,
): Page {
  const tests = query.criteria.map((criterion) => rowTest(columns, items, criterion));
  const rows = [...items.keys()].filter((row) => tests.every((test) => test(row)));
  return pageOf({ total: rows.length, rows }, offset, limit);
}

/** A page of all rows that a search finds. */
export function pageOf({ total, rows }: Page, offset: number, limit: number): Page {
  return { total, rows: rows.slice(offset, offset + limit) };
}

function rowTest<Item>(
  columns: Columns<Item>,
  items: readonly Item[],
  criterion: IndexCriterion,
): (row: number) => boolean {
  // Positions are not a part of records.
  if (criterion.type === 'near' || criterion.type === 'rows') assert.fail();
  if (criterion.type !== 'not') return entryTest(columns, items, criterion);
  const test = entryTest(columns, items, criterion.criterion);
  return (row) => !test(row);
}

const WHOLE_POSTCODE = /^[a-z][a-z0-9]{1,3} ?[0-9][a-z]{2}$/;
const OUTWARD_CODE = /^(?:[a-z]{1,2}[0-9][a-z0-9]?|gir)$/;

function isPastOutwardCode(value: string): boolean {
  if (OUTWARD_CODE.test(value)) return false;
  return [1, 2].some((length) => {
    const [outward, inward] = [value.slice(0, -length), value.slice(-length)];
    return OUTWARD_CODE.test(outward) && /^[0-9][a-z]?$/.test(inward);
  });
}

/** Whether one entry of an item matches one value of the criterion. */
function entryTest<Item>(
  columns: Columns<Item>,
  items: readonly Item[],
  criterion: ColumnCriterion,
): (row: number) => boolean {
  switch (criterion.type) {
    case 'string': {
      const entriesOf = entriesIn(items, columnOf(columns.string, criterion));
      const { match } = criterion;
      const values = criterion.values.map((value) => (match === 'exact' ? value : fold(value)));
      return (row) =>
        entriesOf(row).some((entry) =>
          values.some((value) => {
            if (entry.exact !== undefined) return matchesString(entry, match, value);
            // The other spelling has no spaces.
            const hasSpelling =
              (match !== 'exact' && WHOLE_POSTCODE.test(value)) ||
              (match === 'startsWith' && isPastOutwardCode(value));
            return hasSpelling && matchesString(entry, match, value.replace(' ', ''));
          }),
        );
    }
    case 'token': {
      const entriesOf = entriesIn(items, columnOf(columns.token, criterion));
      const { values, ignoreCase = false } = criterion;
      return (row) =>
        entriesOf(row).some((entry) =>
          values.some((value) => matchesToken(entry, value, ignoreCase)),
        );
    }
    case 'date': {
      const entriesOf = entriesIn(items, columnOf(columns.date, criterion));
      return (row) =>
        entriesOf(row).some((entry) =>
          criterion.values.some((value) => overlapsDate(entry, value)),
        );
    }
    case 'reference': {
      const entriesOf = entriesIn(items, columnOf(columns.reference, criterion));
      return (row) =>
        entriesOf(row).some((entry) =>
          criterion.values.some((value) => matchesReference(entry, value)),
        );
    }
    case 'composite': {
      const entriesOf = entriesIn(items, columnOf(columns.composite, criterion));
      const components = Object.entries(criterion.components);
      return (row) =>
        entriesOf(row).some((entry) =>
          components.every(([name, codes]) => codes.includes(entry[name] ?? '')),
        );
    }
  }
}

/** The entries of rows, each made once: many searches ask for them. */
function entriesIn<Item, Entry>(
  items: readonly Item[],
  column: EntryColumn<Item, Entry>,
): (row: number) => readonly Entry[] {
  const columns = madeEntries.get(items) ?? new Map();
  madeEntries.set(items, columns);
  const made: (readonly Entry[])[] = columns.get(column) ?? [];
  columns.set(column, made);
  return (row) => {
    made[row] ??= column.entriesOf(items[row]!);
    return made[row];
  };
}

const madeEntries = new WeakMap<object, Map<object, (readonly unknown[])[]>>();

interface EntryColumn<Item, Entry> {
  entriesOf(item: Item): readonly Entry[];
}

/**
 * In the index, `ge` and `le` also match an entry that only partly overlaps the period of the value.
 * Instants never do.
 */
function overlapsDate(entry: DateEntry, value: DateValue): boolean {
  if (value.prefix === 'ge') return entry.end > value.start;
  if (value.prefix === 'le') return entry.start < value.end;
  return matchesDate(entry, value);
}

function columnOf<C>(columns: Readonly<Record<string, C>>, { field }: ColumnCriterion): C {
  const column = columns[field];
  assert.ok(column !== undefined, field);
  return column;
}
