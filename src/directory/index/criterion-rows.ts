/** From a criterion to the sets of rows that its alternatives find. */

import { fold, withoutSpaces } from '../../fhir/search/fold.ts';
import type { StringMatch } from '../../fhir/search/string.ts';
import type { TokenCriterion } from '../../fhir/search/token.ts';
import type { NamedArrays } from '../arrays.ts';
import type { DirectoryCriterion, StringField, TokenField } from '../query.ts';
import { type CodeTable, openCodeTable } from './code-table.ts';
import { type DateColumn, openDateColumn, rowsOfDates } from './date-column.ts';
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
  readonly changed: DateColumn;
  readonly activeRows: (list: number) => RowSet;
  readonly roles: RoleLists;
}

export function openColumns(arrays: NamedArrays): Columns {
  const changed = openDateColumn('changed', arrays, INSTANT_MS);
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

export function findRows(columns: Columns, criterion: DirectoryCriterion): FoundRows {
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
function areDifferent(criterion: DirectoryCriterion): boolean {
  if (criterion.type !== 'token') return criterion.type === 'date';
  if (criterion.field === 'active') return true;
  return criterion.field !== 'code' && codesOf(criterion).length === 1;
}

function rowSetsOf(columns: Columns, criterion: DirectoryCriterion): RowSet[] {
  switch (criterion.type) {
    case 'string': {
      const { field, match } = criterion;
      return different(criterion.values).map((value) => rowsOfText(columns, field, match, value));
    }
    case 'date':
      return rowsOfDates(columns.changed, criterion.values);
    case 'token':
      return rowsOfTokens(columns, criterion);
    default:
      throw new Error(`No such criterion: ${JSON.stringify(criterion satisfies never)}`);
  }
}

function rowsOfTokens(columns: Columns, criterion: TokenCriterion<TokenField>): RowSet[] {
  const { field, ignoreCase = false } = criterion;
  const codes = codesOf(criterion);
  switch (field) {
    case 'code':
      return [rowsOfCodes(columns.codes, codes, ignoreCase)];
    case 'active':
      return codes.map((code) => columns.activeRows(Number(code === 'true')));
    default:
      return codes.flatMap((code) => columns.roles.rowsOf(code, field));
  }
}

/** The fields hold codes of one system each. */
function codesOf({ values }: TokenCriterion): readonly string[] {
  return different(values.map(({ code = '' }) => code));
}

/** An instant is known to the millisecond. */
export const INSTANT_MS = 1;

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
  field: StringField,
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
