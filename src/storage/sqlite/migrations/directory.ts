/** The schemas of `directory.db`, and the views that read the first like the second. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';

/** The first schema of `directory.db`: the editions, which of them is current, and their differences. */
export const createEditions = `
-- One row for every edition ever published. Rows are never removed, so no number is used twice.
CREATE TABLE edition (
  number            INTEGER PRIMARY KEY AUTOINCREMENT, -- its data: editions/<number in 6 digits>/
  publication_date  TEXT    NOT NULL, -- of its source: YYYY-MM-DD
  source            TEXT    NOT NULL, -- a label for people: the name of the file imported
  records           INTEGER NOT NULL, -- how many organisations it holds
  imported_at       TEXT    NOT NULL, -- when its import began: ISO 8601, UTC
  published_at      TEXT    NOT NULL, -- when it first became current; clients see it as lastUpdated
  manifest_checksum INTEGER NOT NULL, -- CRC-32 of its manifest.json, which holds those of the files
  pruned_at         TEXT,             -- when its data were given up; NULL while they can be loaded
  compared_to       INTEGER REFERENCES edition, -- the edition its difference is to; NULL: none
  added             INTEGER NOT NULL, -- how many records that one lacked
  changed           INTEGER NOT NULL, -- how many both have, and not alike
  removed           INTEGER NOT NULL, -- how many only that one had
  difference_by_role TEXT   NOT NULL  -- JSON: [{"code","added","changed","removed"}, ...]
) STRICT;

-- The codes behind the counts: kept for good, also when an edition's data are given up.
CREATE TABLE edition_difference (
  edition INTEGER NOT NULL REFERENCES edition,
  kind    TEXT    NOT NULL CHECK (kind IN ('added', 'changed', 'removed')),
  codes   BLOB    NOT NULL, -- organisation codes, ascending, one a line, deflated (zlib)
  PRIMARY KEY (edition, kind)
) STRICT;

-- What was made current, and when: the last row says which edition is current now.
CREATE TABLE publication (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  edition      INTEGER NOT NULL REFERENCES edition,
  published_at TEXT    NOT NULL -- ISO 8601, UTC: an import, or a rollback
) STRICT;
`;

/** The columns that the checksum covers: all except the checksum itself. */
const COVERED = {
  edition:
    'number, publication_date, source, records, imported_at, published_at, manifest_checksum, ' +
    'pruned_at, compared_to, added, changed, removed, difference_by_role',
  edition_difference: 'edition, kind, codes',
  publication: 'id, edition, published_at',
} as const;

export type CheckedTable = keyof typeof COVERED;

const CHECKED_TABLES: readonly CheckedTable[] = ['edition', 'edition_difference', 'publication'];

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

/** The second schema of `directory.db`: every row has a checksum, which detects changed values. */
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
