/** Finds damaged rows in `directory.db`: changed values and missing rows. */
import type { DatabaseSync } from 'node:sqlite';
import { CHANGE_KINDS } from '../../../directory/edition/edition-history.ts';
import { isSound } from './row-checksum.ts';

/** Returns a sentence for each damaged or missing row. Needs `addRowChecksum`. */
export function catalogueFindings(database: DatabaseSync): readonly string[] {
  // As text: a damaged number may be too large for JavaScript.
  const list = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map(({ finding }) => String(finding));
  return [
    ...list(`SELECT 'edition ' || number || ': its row was changed' AS finding
      FROM edition WHERE NOT (${isSound('edition')})`),
    ...list(`SELECT 'publication ' || id || ': its row was changed' AS finding
      FROM publication WHERE NOT (${isSound('publication')})`),
    ...list(`SELECT 'edition ' || edition || ': the list of codes that it ' || kind ||
        ' was changed' AS finding
      FROM edition_difference WHERE NOT (${isSound('edition_difference')})`),
    ...list(missingRows('edition', 'number')),
    ...list(missingRows('publication', 'id')),
    ...list(`SELECT 'edition ' || number || ': a list of changed codes is missing' AS finding
      FROM edition
      WHERE (SELECT count(*) FROM edition_difference AS d WHERE d.edition = number)
        <> ${CHANGE_KINDS.length}`),
  ];
}

/** Rows are numbered from 1 without gaps, and SQLite stores the last number it assigned. */
function missingRows(table: 'edition' | 'publication', key: 'number' | 'id'): string {
  return `
    SELECT '${table}: there are ' || rows || ' rows up to number ' || highest || ', and ' ||
      given || ' were written' AS finding
    FROM (
      SELECT count(*) AS rows, coalesce(max(${key}), 0) AS highest,
        coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = '${table}'), 0) AS given
      FROM ${table})
    WHERE rows <> highest OR highest <> given`;
}
