/** Builds the search index of an edition, in one pass over its records. */
import type { NamedArrays } from '../arrays.ts';
import type { OrganizationRecord } from '../record.ts';
import { COLUMNS } from './columns.ts';

/**
 * `recordAt` is called once for each row, in ascending order. The codes must be unique, and ascend
 * in the order of their bytes. The arrays hold no reference to the records.
 */
export function buildIndex(
  count: number,
  recordAt: (row: number) => OrganizationRecord,
): NamedArrays {
  const columns = Object.values(COLUMNS).flatMap((ofType) => Object.values(ofType));
  const builders = columns.flatMap(({ build }) => (build === undefined ? [] : [build(count)]));
  for (let row = 0; row < count; row++) {
    const record = recordAt(row);
    for (const builder of builders) builder.add(row, record);
  }
  return Object.assign({}, ...builders.map((builder) => builder.finish()));
}
