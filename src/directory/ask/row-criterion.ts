/** The criterion of rows that a question has found. */

import { lowest } from '../arrays/binary-search.ts';
import type { Edition } from '../edition/edition.ts';
import type { DirectoryCriterion } from '../index/organization-index.ts';

/** These rows, which ascend. Reference-only records, which come after the others, are left out. */
export function rowsCriterion(
  { index }: Pick<Edition, 'index'>,
  rows: Uint32Array,
): DirectoryCriterion {
  const full = lowest(rows.length, (place) => rows[place]! >= index.count);
  return { type: 'rows', rows: rows.subarray(0, full) };
}
