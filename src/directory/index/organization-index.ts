/** The index of the organisations of an edition. Its rows are in order of their codes. */
import type { NamedArrays } from '../arrays.ts';
import { openCodeTable } from './code-table.ts';
import { openIndex, type SearchIndex } from './open-index.ts';
import { editionColumns, type OrganizationColumns } from './organization-columns.ts';
import type { TextList } from './text-list.ts';
import { CODE_PREFIX } from './token-columns.ts';
import { countValues, openValueIndex } from './value-index.ts';

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
