/** The index of the organisations of an edition. Its rows are in order of their codes. */
import type { NamedArrays } from '../record/arrays.ts';
import { openCodeTable } from './columns/code-table.ts';
import { editionColumns, type OrganizationColumns } from './columns/organization-columns.ts';
import { CODE_PREFIX } from './columns/token-columns.ts';
import { openIndex, type SearchIndex } from './search-index.ts';
import { countValues, openValueIndex } from './texts/text-index.ts';
import type { TextList } from './texts/text-list.ts';

export interface OrganizationIndex extends SearchIndex<OrganizationColumns> {
  /** The row of exactly this code. */
  rowOf(code: string): number | undefined;
  codeOf(row: number): string;
  /** All codes, by row, for callers that copy bytes. */
  readonly codes: TextList;
  /** How many rows have each city, by its folded text, most first. Counts them each time. */
  cityCounts(): [folded: string, count: number][];
}

/** `changedAt`: the instant of the edition in which the record of a row changed last. */
export function openOrganizationIndex(
  arrays: NamedArrays,
  changedAt: (row: number) => string = findUnknown,
): OrganizationIndex {
  const { texts, rowOf, codeOf } = openCodeTable(CODE_PREFIX, arrays);
  return {
    ...openIndex(editionColumns(changedAt), arrays, texts.starts.length - 1),
    rowOf,
    codeOf,
    codes: texts,
    cityCounts: () => countValues(openValueIndex('city', arrays)),
  };
}

function findUnknown(): never {
  throw new Error('This index does not know when records changed.');
}
