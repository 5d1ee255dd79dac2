/** Opens a search index: views on its arrays, and what each thread adds to them. */
import type { Query } from '../../fhir/search/criterion.ts';
import type { NamedArrays } from '../arrays.ts';
import type { Page } from '../query.ts';
import type { Columns, CriterionOf } from './columns.ts';
import { openFinder } from './find-rows.ts';
import { createSearch } from './search.ts';

export interface SearchIndex<Table extends Columns<never>> {
  /** The number of rows. */
  readonly count: number;
  /** The rows from `offset` on, at most `limit` (0: only the total), in ascending order. */
  search(query: Query<CriterionOf<Table>>, offset: number, limit: number): Page;
}

/** Reads no array from end to end: cheap enough for every thread and every edition. */
export function openIndex<Table extends Columns<never>>(
  columns: Table,
  arrays: NamedArrays,
  count: number,
): SearchIndex<Table> {
  return { count, search: createSearch(openFinder(columns, arrays, count), count) };
}
