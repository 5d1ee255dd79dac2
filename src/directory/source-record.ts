/** Reads a record of an edition with its relationships and successions, as its source stated it. */
import type { Edition } from './edition.ts';
import type { SourceRecord } from './record.ts';
import { recordAt } from './record-at.ts';

/** Rows are numbered as in `relations`: full records, then reference-only ones. */
export function sourceRecordAt(edition: Edition, row: number): SourceRecord {
  const { rows, relations } = edition;
  const { first, end } = relations.ofRow(row);
  return {
    ...recordAt(edition, row),
    ...(row >= rows.count && { isReferenceOnly: true }),
    relationships: Array.from({ length: end - first }, (_, i) => relations.at(first + i)),
    successions: relations.successionsOf(row),
  };
}
