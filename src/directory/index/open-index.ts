/** Opens a search index: views on its arrays, and what each thread adds to them. */
import type { Query } from '../../fhir/search/criterion.ts';
import type { SortKey } from '../../fhir/search/resource-search.ts';
import type { Page } from '../query.ts';
import type { NamedArrays } from '../record/arrays.ts';
import {
  type CriterionOf,
  type FieldOf,
  type OpenColumns,
  ROW_FIELD,
  type SortKeyOf,
} from './columns/columns.ts';
import { openFinder } from './search/find-rows.ts';
import { createSearch } from './search/search.ts';
import type { OpenKey, SortOrder } from './search/sort-order.ts';
import type { SortedRows } from './sets/sorted-rows.ts';

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

/** Reads no array from end to end: cheap enough for every thread and every edition. */
export function openIndex<Table extends OpenColumns>(
  columns: Table,
  arrays: NamedArrays,
  count: number,
): SearchIndex<Table> {
  const totalOf = columns.totals?.open(arrays);
  const find = createSearch(openFinder(columns, arrays, count), count, totalOf);
  const sorts = new Map(
    Object.entries(columns.sort).map(([field, { open }]) => [field, open(arrays)]),
  );
  return {
    count,
    search: (query, offset, limit, sort) =>
      find(query, offset, limit, sort === undefined ? undefined : sortOrder(sort, sorts)),
    sortValue: (field, row) => sorts.get(field)?.valueOf(row),
  };
}

/** Undefined if the rows ascend. The keys after the row do not matter, because no row is repeated. */
function sortOrder(
  sort: readonly SortKey[],
  sorts: ReadonlyMap<string, SortedRows>,
): SortOrder | undefined {
  const keys: OpenKey[] = [];
  for (const { field, isDescending } of sort) {
    if (field === ROW_FIELD) return orderOf(keys, isDescending);
    const sorted = sorts.get(field);
    if (sorted === undefined) throw new Error(`Unknown sort field: ${field}`);
    keys.push({ sorted, isDescending });
  }
  return orderOf(keys, false);
}

function orderOf(keys: readonly OpenKey[], isDescending: boolean): SortOrder | undefined {
  return keys.length === 0 && !isDescending ? undefined : { keys, isDescending };
}
