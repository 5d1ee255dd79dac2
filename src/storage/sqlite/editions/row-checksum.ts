/** Checksums of the rows of `directory.db`. The program does not use a row with a wrong checksum. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';

/** The columns that the checksum covers: all except the checksum itself. */
const COVERED = {
  edition:
    'number, publication_date, source, records, imported_at, published_at, manifest_checksum, ' +
    'pruned_at, compared_to, added, changed, removed, difference_by_role',
  edition_difference: 'edition, kind, codes',
  publication: 'id, edition, published_at',
} as const;

export type CheckedTable = keyof typeof COVERED;

export const CHECKED_TABLES: readonly CheckedTable[] = [
  'edition',
  'edition_difference',
  'publication',
];

/** SQL: the checksum that a row should have. Needs `addRowChecksum`. */
export function checksumOf(table: CheckedTable): string {
  return `row_checksum(${COVERED[table]})`;
}

/** SQL: whether the checksum of a row is correct. */
export function isSound(table: CheckedTable): string {
  return `checksum IS ${checksumOf(table)}`;
}

/** Adds the function to a connection. */
export function addRowChecksum(database: DatabaseSync): void {
  const options = { varargs: true, deterministic: true, useBigIntArguments: true } as const;
  database.function('row_checksum', options, (...values) =>
    values.reduce<number>((sum, value) => checksumOfValue(value, sum), 0),
  );
}

/** Type and length come first, so that two different rows never give the same bytes. */
function checksumOfValue(value: SQLOutputValue, sum: number): number {
  const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value));
  return crc32(bytes, crc32(`${typeof value} ${bytes.length} `, sum));
}
