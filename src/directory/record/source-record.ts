/** Reads a record of an edition with its relationships and successions. */
import type { Edition } from '../edition/edition.ts';
import type { KeptRecord } from './kept-record.ts';
import type { SourceRecord } from './record.ts';
import { recordAt } from './record-at.ts';

/**
 * As the source stated it. Rows are numbered as in `relations`: full records, then reference-only
 * ones.
 */
export function sourceRecordAt(edition: Edition, row: number): SourceRecord {
  return {
    ...recordAt(edition, row),
    ...(row >= edition.rows.count && { isReferenceOnly: true }),
    ...relationsOf(edition, row),
  };
}

/** The record of a row, which is numbered in the same way. It is not decoded. */
export function keptRecordAt(edition: Edition, row: number): KeptRecord {
  const { rows, references, detailHashes } = edition;
  const isReferenceOnly = row >= rows.count;
  return {
    rows: isReferenceOnly ? references.rows : rows,
    row: isReferenceOnly ? row - rows.count : row,
    isReferenceOnly,
    relations: relationsOf(edition, row),
    detailHash: [detailHashes?.[2 * row] ?? 0, detailHashes?.[2 * row + 1] ?? 0],
  };
}

function relationsOf({ relations }: Edition, row: number) {
  const { first, end } = relations.ofRow(row);
  return {
    relationships: Array.from({ length: end - first }, (_, i) => relations.at(first + i)),
    successions: relations.successionsOf(row),
  };
}
