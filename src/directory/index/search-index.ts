/** A search index: builds its columns from records, opens them, and answers queries. */
import type { ColumnCriterion, IndexCriterion, Query } from '../../fhir/search/criterion.ts';
import type { NamedArrays } from '../record/arrays.ts';
import {
  type BuildColumn,
  type Columns,
  type CriterionOf,
  type FieldOf,
  type FindRows,
  type FoundRows,
  matchingRows,
  type OpenColumns,
  otherRows,
  ROW_FIELD,
  type SortedRows,
  type SortKeyOf,
} from './columns/columns.ts';
import { createWorkingMemory, matchCriteria } from './search/match-criteria.ts';
import { type OrderKey, readPage, type SortOrder } from './search/read-page.ts';

/** The rows of one page, and the number of rows that match in all. */
export interface Page {
  readonly total: number;
  readonly rows: readonly number[];
}

export interface SearchIndex<Table extends OpenColumns> {
  /** The number of rows. */
  readonly count: number;
  /**
   * The rows from `offset` on, at most `limit` (0: only the total). The first sort key counts most.
   * Rows with equal values of all keys ascend, unless the row is a key.
   */
  search(
    query: Query<CriterionOf<Table>>,
    offset: number,
    limit: number,
    sort?: readonly SortKeyOf<Table>[],
  ): Page;
  /** The values by which the row is sorted. Indexes with the same columns have comparable values. */
  sortValue(field: FieldOf<Table, 'sort'>, row: number): string | number | undefined;
}

/**
 * `itemAt` is called once for each row, in ascending order. The arrays hold no reference to the
 * records.
 */
export function buildIndex<Item>(
  columns: Columns<Item>,
  count: number,
  itemAt: (row: number) => Item,
): NamedArrays {
  return buildColumns(buildFunctionsOf(columns), count, itemAt);
}

/** The names of the arrays of all columns. */
export function columnArrayNames(columns: Columns<never>): string[] {
  return buildFunctionsOf(columns).flatMap((build) => arrayNamesOf(build));
}

/**
 * Builds the columns of which `arrays` lacks an array. A version of the program without these
 * columns made the arrays.
 */
export function buildMissingColumns<Item>(
  columns: Columns<Item>,
  arrays: NamedArrays,
  count: number,
  itemAt: (row: number) => Item,
): NamedArrays {
  const missing = buildFunctionsOf(columns).filter((build) =>
    arrayNamesOf(build).some((name) => arrays[name] === undefined),
  );
  return missing.length === 0 ? {} : buildColumns(missing, count, itemAt);
}

function buildFunctionsOf<Item>({ forOthers = [], ...ofTypes }: Columns<Item>) {
  const columns = Object.values(ofTypes).flatMap((ofType) => Object.values(ofType));
  const builds: BuildColumn<Item>[] = columns.flatMap(({ build }) => build ?? []);
  return [...builds, ...forOthers];
}

/** The names do not depend on the number of rows. */
function arrayNamesOf(build: BuildColumn<never>): string[] {
  return Object.keys(build(0).finish());
}

function buildColumns<Item>(
  columns: readonly BuildColumn<Item>[],
  count: number,
  itemAt: (row: number) => Item,
): NamedArrays {
  const builders = columns.map((build) => build(count));
  for (let row = 0; row < count; row++) {
    const item = itemAt(row);
    for (const builder of builders) builder.add(row, item);
  }
  return Object.assign({}, ...builders.map((builder) => builder.finish()));
}

/** Reads no array from end to end: cheap enough for every thread and every edition. */
export function openIndex<Table extends OpenColumns>(
  columns: Table,
  arrays: NamedArrays,
  count: number,
): SearchIndex<Table> {
  const findRows = openFinder(columns, arrays, count);
  const memory = createWorkingMemory(count);
  const sorts = new Map(
    Object.entries(columns.sort).map(([field, { open }]) => [field, open(arrays)]),
  );
  return {
    count,
    search: ({ criteria }, offset, limit, sort = []) => {
      const found: FoundRows[] = [];
      for (const criterion of criteria) {
        const one = joinRanges(found, findRows(criterion));
        if (one.size === 0) return { total: 0, rows: [] };
        found.push(one);
      }
      const matches = matchCriteria(memory, found);
      const { size } = matches;
      if (offset >= size || limit === 0) return { total: size, rows: [] };
      const rows = readPage(memory, matches, sortOrder(sort, sorts), offset, limit);
      return { total: size, rows };
    },
    sortValue: (field, row) => sorts.get(field)?.valueOf(row),
  };
}

/** Finds the rows of a criterion in the column of its field. */
export function openFinder(
  columns: OpenColumns,
  arrays: NamedArrays,
  rowCount: number,
): FindRows<IndexCriterion> {
  const { string, token, date, reference, composite } = columns;
  const byType = Object.entries({ string, token, date, reference, composite });
  const finders = new Map(
    byType.map(([type, fields]) => [
      type,
      new Map<string, FindRows<never>>(
        Object.entries(fields).map(([field, { open }]) => [field, open(arrays, rowCount)]),
      ),
    ]),
  );
  const find = (criterion: ColumnCriterion): FoundRows => {
    const findRows = finders.get(criterion.type)?.get(criterion.field);
    if (findRows === undefined) throw new Error(`Unknown field: ${criterion.field}`);
    // The column of a type and field takes the criteria of this type.
    return findRows(criterion as never);
  };
  return (criterion) =>
    criterion.type === 'not' ? otherRows(find(criterion.criterion), rowCount) : find(criterion);
}

/** Two ranges of the same field are joined: the earlier one is taken out of `found`. */
function joinRanges(found: FoundRows[], one: FoundRows): FoundRows {
  const range = rangeOf(one);
  const at = found.findIndex((each) => range && rangeOf(each)?.ranked === range.ranked);
  const [earlier] = at < 0 ? [] : found.splice(at, 1);
  const other = earlier && rangeOf(earlier);
  if (range === undefined || other === undefined) return one;
  const from = Math.max(range.from, other.from);
  const to = Math.max(from, Math.min(range.to, other.to));
  return matchingRows({ ...range, from, to }, to - from);
}

/** The range, if the result is one. */
function rangeOf({ sets: [only, ...others], isNegated }: FoundRows) {
  return !isNegated && others.length === 0 && only?.kind === 'range' ? only : undefined;
}

/** Undefined if the rows ascend. The keys after the row do not matter, because no row is repeated. */
function sortOrder(
  sort: readonly { readonly field: string; readonly isDescending: boolean }[],
  sorts: ReadonlyMap<string, SortedRows>,
): SortOrder | undefined {
  const keys: OrderKey[] = [];
  const at = sort.findIndex(({ field }) => field === ROW_FIELD);
  for (const { field, isDescending } of at < 0 ? sort : sort.slice(0, at)) {
    const sorted = sorts.get(field);
    if (sorted === undefined) throw new Error(`Unknown sort field: ${field}`);
    keys.push({ sorted, isDescending });
  }
  const isDescending = sort[at]?.isDescending ?? false;
  return keys.length === 0 && !isDescending ? undefined : { keys, isDescending };
}
