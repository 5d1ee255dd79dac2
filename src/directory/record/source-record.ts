/** Finds and reads the records of an edition, with their relationships and successions. */

import { type EditionRecords, recordAt } from '../edition/edition-records.ts';
import type { Relations, Relationship } from '../edition/relations.ts';
import type { NamedCode } from './named-code.ts';
import type { SourceRecord } from './record.ts';

/**
 * As the source stated it. Rows are numbered as in `relations`: full records, then reference-only
 * ones.
 */
export function sourceRecordAt(edition: EditionRecords, row: number): SourceRecord {
  return {
    ...recordAt(edition, row),
    ...(row >= edition.rows.count && { isReferenceOnly: true }),
    relationships: relationshipsOf(edition, row),
    successions: edition.relations.successionsOf(row),
  };
}

/** The relationships of a row to others, in the order of the source. */
export function relationshipsOf(
  { relations }: Pick<EditionRecords, 'relations'>,
  row: number,
): Relationship[] {
  const { first, end } = relations.ofRow(row);
  return Array.from({ length: end - first }, (_, i) => relations.at(first + i));
}

/**
 * The row of a code as clients write it. The national service also found codes in lower case. Letters outside ASCII stay
 * as they are.
 */
export function findRow(
  { rowOf }: Pick<Relations, 'rowOf'>,
  id: string,
): { readonly row: number; readonly code: string } | undefined {
  const row = rowOf(id);
  if (row !== undefined) return { row, code: id };
  if (!ASCII_CODE.test(id)) return undefined;
  const code = id.toUpperCase();
  const other = rowOf(code);
  return other === undefined ? undefined : { row: other, code };
}

const ASCII_CODE = /^[A-Za-z0-9]+$/;

/** The code with the name that its record has. */
export function namedCode(edition: EditionRecords, code: string): NamedCode {
  const row = edition.relations.rowOf(code);
  const name = row === undefined ? undefined : recordAt(edition, row).name;
  return { code, ...(name !== undefined && { name }) };
}
