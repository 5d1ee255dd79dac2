/** A search index: builds its columns from records, opens them, and answers queries. */
import type {
  ColumnCriterion,
  FieldCriterion,
  NearCriterion,
  Query,
  RowsCriterion,
} from '../../fhir/search/criterion.ts';
import type { NamedArrays } from '../arrays/arrays.ts';
import type { RowsBefore } from '../arrays/rows-before.ts';
import {
  type BuildColumn,
  type ColumnBuilder,
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
import type { Grid } from './positions/grid.ts';
import { bitsOf, createWorkingMemory, matchCriteria } from './search/match-criteria.ts';
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
   * Rows with equal values of all keys ascend, unless the row is a key. Without keys, the rows of a
   * search near a place are in the order of their distance.
   */
  search(
    query: Query<CriterionOf<Table>>,
    offset: number,
    limit: number,
    sort?: readonly SortKeyOf<Table>[],
  ): Page;
  /** The values by which the row is sorted. Indexes with the same columns have comparable values. */
  sortValue(field: FieldOf<Table, 'sort'>, row: number): string | number | undefined;
  /** In metres; undefined if the row has no position. */
  distanceOf(near: NearCriterion, row: number): number | undefined;
}

/**
 * The arrays hold no reference to the records. They are the same with and without `before`, which
 * saves reading rows again that have not changed.
 */
export function buildIndex<Item>(
  columns: Columns<Item>,
  count: number,
  itemAt: (row: number) => Item,
  before?: RowsBefore,
): NamedArrays {
  return buildColumns(buildFunctionsOf(columns), count, itemAt, before);
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
  return Object.keys(build(0).finish(readNoRow));
}

function readNoRow(): never {
  throw new Error('There is no row.');
}

function buildColumns<Item>(
  columns: readonly BuildColumn<Item>[],
  count: number,
  itemAt: (row: number) => Item,
  before?: RowsBefore,
): NamedArrays {
  const merged: ColumnBuilder<Item>[] = [];
  const whole: ColumnBuilder<Item>[] = [];
  const builders = columns.map((build) => {
    const isKnown = arrayNamesOf(build).every((name) => before?.arrays[name] !== undefined);
    const builder = build(count, isKnown ? before : undefined);
    (isKnown && builder.readsAll !== true ? merged : whole).push(builder);
    return builder;
  });
  const addRow = (row: number, to: typeof builders) => {
    const item = itemAt(row);
    for (const builder of to) builder.add(row, item);
  };
  for (let row = 0; whole.length > 0 && row < count; row++) addRow(row, whole);
  for (const row of merged.length > 0 ? before!.changed : []) addRow(row, merged);
  return Object.assign({}, ...builders.map((builder) => builder.finish(itemAt)));
}

/**
 * Reads no array from end to end: cheap enough for every thread and every edition. `gridOf` is called
 * by searches near a place.
 */
export function openIndex<Table extends OpenColumns>(
  columns: Table,
  arrays: NamedArrays,
  count: number,
  gridOf: () => Grid = findNoPositions,
): SearchIndex<Table> {
  const findRows = openFinder(columns, arrays, count);
  const memory = createWorkingMemory(count);
  const sorts = new Map(
    Object.entries(columns.sort).map(([field, { open }]) => [field, open(arrays)]),
  );
  const findOne = (criterion: CriterionOf<Table>, found: FoundRows[]): FoundRows => {
    if (criterion.type === 'near') return rowsNear(gridOf(), criterion);
    if (criterion.type === 'rows') return rowsGiven(criterion);
    return joinRanges(found, findRows(criterion));
  };
  return {
    count,
    search: ({ criteria }, offset, limit, sort = []) => {
      const found: FoundRows[] = [];
      let near: NearCriterion | undefined;
      for (const criterion of criteria) {
        if (criterion.type === 'near' && sort.length === 0 && near === undefined) {
          near = criterion;
          continue;
        }
        const one = findOne(criterion, found);
        if (one.size === 0) return { total: 0, rows: [] };
        found.push(one);
      }
      if (near !== undefined) {
        const others = found.length === 0 ? undefined : matchCriteria(memory, found);
        return gridOf().nearest(near, others && bitsOf(memory, others.sets), offset, limit);
      }
      const matches = matchCriteria(memory, found);
      const { size } = matches;
      if (offset >= size || limit === 0) return { total: size, rows: [] };
      const rows = readPage(memory, matches, sortOrder(sort, sorts), offset, limit);
      return { total: size, rows };
    },
    sortValue: (field, row) => sorts.get(field)?.valueOf(row),
    distanceOf: (near, row) => gridOf().distanceOf(near, row),
  };
}

function findNoPositions(): never {
  throw new Error('This index has no positions: open it with postcodes.');
}

/** For searches that have another order. */
function rowsNear(grid: Grid, near: NearCriterion): FoundRows {
  const rows = Uint32Array.from(grid.rowsNear(near));
  return matchingRows(
    { kind: 'hits', rows, from: 0, to: rows.length, distinct: true },
    rows.length,
  );
}

function rowsGiven({ rows }: RowsCriterion): FoundRows {
  return matchingRows({ kind: 'list', rows, from: 0, to: rows.length }, rows.length);
}

/** Finds the rows of a criterion in the column of its field. */
export function openFinder(
  columns: OpenColumns,
  arrays: NamedArrays,
  rowCount: number,
): FindRows<FieldCriterion> {
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
