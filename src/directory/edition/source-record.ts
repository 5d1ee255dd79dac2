/** Finds and reads the records of an edition, with their relationships and successions. */

import type { EditionLinks, Relationship } from '../links/edition-links.ts';
import type { NamedCode } from '../record/named-code.ts';
import type { SourceRecord } from '../record/record.ts';
import { type EditionRecords, recordAt } from './edition-records.ts';

/**
 * As the source stated it. Rows are numbered as in `links`: full records, then reference-only
 * ones.
 */
export function sourceRecordAt(edition: EditionRecords, row: number): SourceRecord {
  return {
    ...recordAt(edition, row),
    ...(row >= edition.rows.count && { isReferenceOnly: true }),
    relationships: relationshipsOf(edition, row),
    successions: edition.links.successionsOf(row),
  };
}

/** The relationships of a row to others, in the order of the source. */
export function relationshipsOf(
  { links }: Pick<EditionRecords, 'links'>,
  row: number,
): Relationship[] {
  const { first, end } = links.ofRow(row);
  return Array.from({ length: end - first }, (_, i) => links.at(first + i));
}

/** A code as people paste it, without white space and invisible characters, which no code has. */
export function pastedCode(text: string): string {
  return text.replace(/[\s\p{Cf}]+/gu, '');
}

/** The same where white space may also be between two codes: only what is around the text goes. */
export function trimPasted(text: string): string {
  return text.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '');
}

/**
 * The row of a code as clients write it: as it is, or as `pastedCode` has it, in any case. The
 * national service also found codes in lower case. Letters outside ASCII stay as they are.
 */
export function findRow(
  { rowOf }: Pick<EditionLinks, 'rowOf'>,
  id: string,
): { readonly row: number; readonly code: string } | undefined {
  const row = rowOf(id);
  if (row !== undefined) return { row, code: id };
  const pasted = pastedCode(id);
  if (!ASCII_CODE.test(pasted)) return undefined;
  for (const code of [pasted, pasted.toUpperCase()]) {
    const other = rowOf(code);
    if (other !== undefined) return { row: other, code };
  }
  return undefined;
}

const ASCII_CODE = /^[A-Za-z0-9]+$/;

/** The code that a client means, if there is a record of it, or others refer to it. */
export function findCode(
  links: Pick<EditionLinks, 'rowOf' | 'incoming'>,
  text: string,
): string | undefined {
  const found = findRow(links, text);
  if (found !== undefined) return found.code;
  const code = pastedCode(text).toUpperCase();
  return links.incoming(code).length > 0 ? code : undefined;
}

/** The code with the name that its record has. */
export function namedCode(edition: EditionRecords, code: string): NamedCode {
  const row = edition.links.rowOf(code);
  const name = row === undefined ? undefined : recordAt(edition, row).name;
  return { code, ...(name !== undefined && { name }) };
}
