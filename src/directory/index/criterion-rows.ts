/** From a criterion to the sets of rows that its alternatives find. */

import type { NamedArrays } from '../arrays.ts';
import type { Criterion, StringMatch } from '../query.ts';
import { type ChangedColumn, openChangedColumn, rowsChangedSince } from './changed-column.ts';
import { type CodeTable, openCodeTable } from './code-table.ts';
import { fold, withoutSpaces } from './fold.ts';
import { openRoleLists, type RoleLists } from './role-lists.ts';
import { openRowLists } from './row-lists.ts';
import { hasDistinctRows, type RowSet, sizeMax } from './row-set.ts';
import { sortDifferent } from './sort-different.ts';
import {
  openTextColumn,
  rowsBeginning,
  rowsContaining,
  rowsEqual,
  type TextColumn,
} from './text-column.ts';
import {
  openValueColumn,
  type ValueColumn,
  valueRowsBeginning,
  valueRowsContaining,
  valueRowsEqual,
} from './value-column.ts';

export interface Columns {
  readonly rowCount: number;
  readonly codes: CodeTable;
  readonly name: TextColumn;
  readonly postalCode: TextColumn;
  readonly compactPostalCode: TextColumn;
  readonly city: ValueColumn;
  readonly changed: ChangedColumn;
  readonly activeRows: (list: number) => RowSet;
  readonly roles: RoleLists;
}

export function openColumns(arrays: NamedArrays): Columns {
  const changed = openChangedColumn(arrays);
  const rowCount = changed.ranked.rank.length;
  return {
    rowCount,
    codes: openCodeTable(arrays),
    name: openTextColumn('name', arrays),
    postalCode: openTextColumn('postal-code', arrays),
    compactPostalCode: openTextColumn('compact-postal-code', arrays),
    city: openValueColumn('city', arrays),
    changed,
    activeRows: openRowLists('active', arrays, rowCount),
    roles: openRoleLists(arrays, rowCount),
  };
}

/** What a criterion finds: the rows of all the sets together. */
export interface FoundRows {
  readonly sets: readonly RowSet[];
  /** How many rows the sets have, those that come more than once among them. */
  readonly size: number;
  /** Whether each row is in one set alone, and there only once. */
  readonly isDistinct: boolean;
}

export function findRows(columns: Columns, criterion: Criterion): FoundRows {
  const all = rowSetsOf(columns, criterion);
  // Where one alternative alone finds something, its set may be read off as it stands.
  const sets = all.length > 1 ? all.filter((set) => sizeMax(set) > 0) : all;
  let size = 0;
  let isDistinct = sets.length === 1 || areDifferent(criterion);
  for (const set of sets) {
    size += sizeMax(set);
    isDistinct &&= hasDistinctRows(set);
  }
  return { sets, size, isDistinct };
}

/** Whether no row is in the sets of two alternatives. */
function areDifferent(criterion: Criterion): boolean {
  if (criterion.kind === 'active') return true;
  return criterion.kind === 'role' && different(criterion.values).length === 1;
}

function rowSetsOf(columns: Columns, criterion: Criterion): RowSet[] {
  switch (criterion.kind) {
    case 'code':
      return [rowsOfCodes(columns.codes, criterion.values, criterion.ignoreCase)];
    case 'string': {
      const { field, match } = criterion;
      return different(criterion.values).map((value) => rowsOfText(columns, field, match, value));
    }
    case 'changed':
      // Later than one of the times is later than the earliest.
      return [rowsChangedSince(columns.changed, Math.min(...criterion.values))];
    case 'active':
      return different(criterion.values).map((value) => columns.activeRows(Number(value)));
    case 'role':
      return different(criterion.values).flatMap((code) =>
        columns.roles.rowsOf(code, criterion.primary),
      );
    default:
      throw new Error(`No such criterion: ${JSON.stringify(criterion satisfies never)}`);
  }
}

function different<Value>(values: readonly Value[]): readonly Value[] {
  return values.length === 1 ? values : [...new Set(values)];
}

function rowsOfCodes(codes: CodeTable, values: readonly string[], ignoreCase: boolean): RowSet {
  const found: number[] = [];
  for (const value of values) {
    if (ignoreCase) {
      found.push(...codes.rowsOfAnyCase(value));
    } else {
      const row = codes.rowOf(value);
      if (row !== undefined) found.push(row);
    }
  }
  const rows = new Uint32Array(found);
  return { kind: 'list', rows, from: 0, to: sortDifferent(rows) };
}

function rowsOfText(
  columns: Columns,
  field: 'name' | 'postalCode' | 'city',
  match: StringMatch,
  value: string,
): RowSet {
  switch (field) {
    case 'name':
      return rowsOfColumn(columns.name, match, value, fold(value));
    case 'postalCode':
      return rowsOfPostalCode(columns, match, value);
    case 'city':
      return rowsOfValue(columns.city, match, value, fold(value));
  }
}

/**
 * What matches a postcode as it is also matches it without its space, as long as the value has
 * none: so the compact column alone answers for both.
 */
function rowsOfPostalCode(columns: Columns, match: StringMatch, value: string): RowSet {
  const folded = fold(value);
  const asItIs = match === 'exact' || withoutSpaces(folded) !== folded;
  return rowsOfColumn(
    asItIs ? columns.postalCode : columns.compactPostalCode,
    match,
    value,
    folded,
  );
}

function rowsOfColumn(
  column: TextColumn,
  match: StringMatch,
  value: string,
  folded: string,
): RowSet {
  if (match === 'exact') return rowsEqual(column, value, folded);
  // Of marks alone nothing is left to compare: every text begins with it.
  if (match === 'startsWith' || folded === '') return rowsBeginning(column, folded);
  return rowsContaining(column, folded);
}

function rowsOfValue(
  column: ValueColumn,
  match: StringMatch,
  value: string,
  folded: string,
): RowSet {
  if (match === 'exact') return valueRowsEqual(column, value, folded);
  if (match === 'startsWith' || folded === '') return valueRowsBeginning(column, folded);
  return valueRowsContaining(column, folded);
}
