/** The rows of the list of editions in a database, with their checksums. */
import { crc32 } from 'node:zlib';
import type { Connection } from '../connection/connection.ts';

export interface EditionRow {
  readonly number: number;
  readonly content: string;
  readonly publication_date: string;
  readonly source: string;
  readonly records: number;
  readonly imported_at: string;
  readonly published_at: string;
  readonly manifest_checksum: number;
  readonly pruned_at: string | null;
  readonly compared_to: number | null;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

export interface PublicationRow {
  readonly id: number;
  readonly edition: number;
  readonly published_at: string;
}

export type Checked<Row> = Row & { readonly checksum: number };

/** The whole list. It changes only when a publication is added. */
export interface CatalogueRows {
  readonly editions: readonly Checked<EditionRow>[];
  readonly publications: readonly Checked<PublicationRow>[];
}

/** CRC-32 of the values of a row, in the order of their columns' names. */
export function rowChecksum(row: object): number {
  const values = Object.entries(row)
    .filter(([column]) => column !== 'checksum')
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return crc32(JSON.stringify(values));
}

export function withChecksum<Row extends object>(row: Row): Checked<Row> {
  return { ...row, checksum: rowChecksum(row) };
}

export function isSoundRow(row: Checked<object>): boolean {
  return row.checksum === rowChecksum(row);
}

export interface DifferenceRow {
  readonly edition: number;
  readonly kind: string;
  /** Compressed. */
  readonly content: Uint8Array;
}

export function differenceChecksum({ edition, kind, content }: DifferenceRow): number {
  return crc32(content, crc32(`${edition} ${kind} `));
}

/** The number of publications: another one means that the list has changed. */
export async function readVersion(connection: Connection): Promise<number> {
  const [row] = await connection.queryPrepared(
    'SELECT coalesce(max(id), 0) AS version FROM publication',
  );
  return Number(row?.version);
}

export async function readCatalogueRows(connection: Connection): Promise<CatalogueRows> {
  const [row] = await connection.queryPrepared(SELECT_ROWS);
  return JSON.parse(String(row?.rows));
}

/** The checksum covers these columns, also if a later schema has more. */
const SELECT_ROWS = `
  SELECT json_build_object(
    'editions', (
      SELECT coalesce(json_agg(e ORDER BY number), '[]') FROM (
        SELECT number, content, publication_date, source, records, imported_at, published_at,
          manifest_checksum, pruned_at, compared_to, added, changed, removed, checksum
        FROM edition) AS e),
    'publications', (
      SELECT coalesce(json_agg(p ORDER BY id), '[]') FROM (
        SELECT id, edition, published_at, checksum FROM publication) AS p)
  )::text AS rows`;

/** Adds a row to a table. The names of its columns are those of its values. */
export async function insertRow(
  connection: Connection,
  table: string,
  row: Readonly<Record<string, string | number | Buffer | null>>,
): Promise<void> {
  const columns = Object.keys(row);
  const places = columns.map((_, at) => `$${at + 1}`);
  await connection.query(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row),
  );
}
