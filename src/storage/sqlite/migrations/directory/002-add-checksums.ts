/** The second schema of `directory.db`: every row has a checksum, which detects changed values. */
import type { DatabaseSync } from 'node:sqlite';
import { addRowChecksum, CHECKED_TABLES, checksumOf } from '../../editions/row-checksum.ts';

export function addChecksums(database: DatabaseSync): void {
  addRowChecksum(database);
  for (const table of CHECKED_TABLES) {
    database.exec(`
      ALTER TABLE ${table} ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0; -- CRC-32
      UPDATE ${table} SET checksum = ${checksumOf(table)};`);
  }
}

/** Views with which a connection reads the first schema like the second. They need `addRowChecksum`. */
export const viewsWithChecksums = CHECKED_TABLES.map(
  (table) => `
CREATE TEMP VIEW ${table} AS SELECT *, ${checksumOf(table)} AS checksum FROM main.${table};`,
).join('');
