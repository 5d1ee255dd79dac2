/** The rows of editions in a database, with their checksums. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { CHANGE_KINDS } from '../../../directory/edition/edition-store.ts';
import {
  type ChangeDetail,
  type DetailedEdition,
  detailFindings,
  EDITION_COLUMNS,
  EditionList,
  type EditionRow,
  type ListRows,
  type PublicationRow,
  plainRow,
} from '../../editions/edition-list.ts';
import type { Connection } from '../connection/connection.ts';
import { EDITION_CHANNEL } from '../schema/shared-connection.ts';

export interface DatabaseEdition extends EditionRow {
  /** Names its data in `edition_chunk`. */
  readonly content: string;
}

/** The whole list. It changes only when a publication is added. */
export type CatalogueRows = ListRows<DatabaseEdition>;

export function listOf(rows: CatalogueRows): EditionList<DatabaseEdition> {
  return new EditionList(rows, (row) => 'checksum' in row && row.checksum === rowChecksum(row));
}

/** The number of publications: another one means that the list has changed. */
export async function readVersion(connection: Connection): Promise<number> {
  const [row] = await connection.queryPrepared(
    'SELECT coalesce(max(id), 0) AS version FROM publication',
  );
  return Number(row?.version);
}

export async function readList(connection: Connection): Promise<EditionList<DatabaseEdition>> {
  const [row] = await connection.queryPrepared(SELECT_ROWS);
  return listOf(JSON.parse(String(row?.rows)));
}

/** The checksum covers these columns, also if a later schema has more. */
const SELECT_ROWS = `
  SELECT json_build_object(
    'editions', (
      SELECT coalesce(json_agg(e ORDER BY number), '[]') FROM (
        SELECT content, ${EDITION_COLUMNS.join(', ')}, checksum FROM edition) AS e),
    'publications', (
      SELECT coalesce(json_agg(p ORDER BY id), '[]') FROM (
        SELECT id, edition, published_at, checksum FROM publication) AS p)
  )::text AS rows`;

/** Empty if it is missing or damaged. */
export async function readDetail(
  connection: Connection,
  edition: number,
  kind: ChangeDetail,
): Promise<string> {
  const [row] = await readDetails(connection, edition, kind);
  return row?.isSound === true ? inflateSync(row.content).toString('latin1') : '';
}

export async function damagedDetails(
  connection: Connection,
  edition: number,
): Promise<readonly string[]> {
  return detailFindings(edition, await readDetails(connection, edition), DETAILS.length);
}

const DETAILS: readonly ChangeDetail[] = [...CHANGE_KINDS, 'by-role'];

/** A detail of an edition as the database has it. */
export interface StoredDetail {
  readonly kind: string;
  readonly content: Uint8Array;
  /** Whether the checksum is that of the content. */
  readonly isSound: boolean;
}

/** The details of an edition, or one of them, also damaged ones. */
export async function readDetails(
  connection: Connection,
  edition: number,
  only?: ChangeDetail,
): Promise<StoredDetail[]> {
  const rows = await connection.query(
    `SELECT kind, content, checksum FROM edition_difference
     WHERE edition = $1 AND kind = coalesce($2, kind) ORDER BY kind`,
    [edition, only ?? null],
  );
  return rows.map((row) => {
    const kind = String(row.kind);
    const content = row.content instanceof Uint8Array ? row.content : new Uint8Array();
    const isSound = detailChecksum({ edition, kind, content }) === Number(row.checksum);
    return { kind, content, isSound };
  });
}

/** Call it in a transaction. */
export async function insertEdition(
  connection: Connection,
  edition: DetailedEdition,
  content: string,
): Promise<void> {
  const row = { ...plainRow(edition), content };
  await insertRow(connection, 'edition', { ...row, checksum: rowChecksum(row) });
  for (const kind of DETAILS) {
    const bytes =
      kind === 'by-role' ? deflateSync(edition.byRole) : Buffer.from(edition.codes[kind]);
    const detail = { edition: edition.number, kind, content: bytes };
    await insertRow(connection, 'edition_difference', {
      ...detail,
      checksum: detailChecksum(detail),
    });
  }
}

/** Makes an edition the current one, and tells the servers. Call it in a transaction. */
export async function insertPublication(
  connection: Connection,
  { id, edition, published_at }: PublicationRow,
): Promise<void> {
  const row = { id, edition, published_at };
  await insertRow(connection, 'publication', { ...row, checksum: rowChecksum(row) });
  await connection.query(`NOTIFY ${EDITION_CHANNEL}`);
}

export async function markPruned(
  connection: Connection,
  row: DatabaseEdition,
  prunedAt: string,
): Promise<void> {
  await connection.query('UPDATE edition SET pruned_at = $2, checksum = $3 WHERE number = $1', [
    row.number,
    prunedAt,
    rowChecksum({ ...row, pruned_at: prunedAt }),
  ]);
}

/** CRC-32 of the values of a row, in the order of their columns' names. */
function rowChecksum(row: object): number {
  const values = Object.entries(row)
    .filter(([column]) => column !== 'checksum')
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return crc32(JSON.stringify(values));
}

function detailChecksum(row: { edition: number; kind: string; content: Uint8Array }): number {
  return crc32(row.content, crc32(`${row.edition} ${row.kind} `));
}

/** Adds a row to a table. The names of its columns are those of its values. */
async function insertRow(
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
