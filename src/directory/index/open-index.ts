/** Opens the search index of an edition: views on its arrays, and what each thread adds to them. */
import type { NamedArrays } from '../arrays.ts';
import type { DirectoryQuery, Page } from '../query.ts';
import { openCodeTable } from './code-table.ts';
import { openFinder } from './find-rows.ts';
import { createSearch } from './search.ts';
import type { TextList } from './text-list.ts';
import { countValues, openValueIndex } from './value-index.ts';

export interface Index {
  /** The number of rows. */
  readonly count: number;
  /** The rows from `offset` on, at most `limit` (0: only the total), in order of code. */
  search(query: DirectoryQuery, offset: number, limit: number): Page;
  /** The row of exactly this code. */
  rowOf(code: string): number | undefined;
  codeOf(row: number): string;
  /** All codes, by row, for callers that copy bytes. */
  readonly codes: TextList;
  /** How many rows have each city, by its folded text, most first. Counts them each time. */
  cityCounts(): [folded: string, count: number][];
}

/** Reads no array from end to end: cheap enough for every thread and every edition. */
export function openIndex(arrays: NamedArrays): Index {
  const { texts, rowOf, codeOf } = openCodeTable(arrays);
  const count = texts.starts.length - 1;
  return {
    count,
    search: createSearch(openFinder(arrays, count), count),
    rowOf,
    codeOf,
    codes: texts,
    cityCounts: () => countValues(openValueIndex('city', arrays)),
  };
}
