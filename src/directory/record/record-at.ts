/** Reads a record of either section of an edition. */
import type { Edition } from '../edition/edition.ts';
import type { OrganizationRecord } from './record.ts';

/** Rows are numbered as in `relations`: full records, then reference-only ones. */
export function recordAt({ rows, references }: Edition, row: number): OrganizationRecord {
  return row < rows.count ? rows.recordAt(row) : references.rows.recordAt(row - rows.count);
}
