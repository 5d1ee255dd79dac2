/** Reads a record of either section of an edition. */
import type { EditionRecords } from '../edition/edition-records.ts';
import type { OrganizationRecord } from './record.ts';

/** Rows are numbered as in `relations`: full records, then reference-only ones. */
export function recordAt(records: EditionRecords, row: number): OrganizationRecord {
  const { rows, references } = records;
  return row < rows.count ? rows.recordAt(row) : references.rows.recordAt(row - rows.count);
}
