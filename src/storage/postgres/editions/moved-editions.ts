/** Carries the editions of a database to another store, and back. */
import { randomUUID } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import { CHANGE_KINDS } from '../../../directory/edition/edition-history.ts';
import type { DataFolder } from '../../data-folder.ts';
import type { DatabaseAddress } from '../../database-address.ts';
import type { MovedEdition, MovedEditions } from '../../store-contents.ts';
import { type Connection, withConnection } from '../connection/connection.ts';
import { connectWithLock, IMPORT_LOCK } from '../connection/program-lock.ts';
import { EDITION_CHANNEL } from '../connection/shared-connection.ts';
import { connectForDownload, openCache } from './database-editions.ts';
import { uploadFolder } from './edition-chunks.ts';
import {
  differenceChecksum,
  type EditionRow,
  insertRow,
  readCatalogueRows,
  withChecksum,
} from './edition-rows.ts';

/** Undefined if no edition was ever published. Copies the data to the cache of this machine. */
export async function readDatabaseEditions(
  address: DatabaseAddress,
  folder: DataFolder,
): Promise<MovedEditions | undefined> {
  const cache = openCache(folder, address);
  return await withConnection(address, { name: 'gazetteer move' }, async (connection) => {
    const rows = await readCatalogueRows(connection);
    if (rows.editions.length === 0) return undefined;
    const contents = new Map(rows.editions.map(({ number, content }) => [number, content]));
    const editions: MovedEdition[] = [];
    for (const { content: _name, checksum: _sum, ...row } of rows.editions) {
      editions.push({ ...row, ...(await readDetails(connection, row.number)) });
    }
    return {
      editions,
      publications: rows.publications.map(({ edition, published_at: publishedAt }) => ({
        edition,
        publishedAt,
      })),
      folderOf: (number) =>
        cache.fetch(contents.get(number) ?? '', () => connectForDownload(address)),
    };
  });
}

/** The data first. Nothing of it can be seen before the transaction of the list. */
export async function writeDatabaseEditions(
  address: DatabaseAddress,
  { editions, publications, folderOf }: MovedEditions,
): Promise<void> {
  const connection = await connectWithLock(address, IMPORT_LOCK);
  try {
    const contents = new Map(editions.map(({ number }) => [number, randomUUID()]));
    for (const { number, pruned_at } of editions) {
      if (pruned_at !== null) continue;
      await uploadFolder(connection, contents.get(number)!, await folderOf(number));
    }
    await connection.transaction(async () => {
      for (const { byRole, codes, ...row } of editions) {
        const edition: EditionRow = { ...row, content: contents.get(row.number)! };
        await insertRow(connection, 'edition', withChecksum({ ...edition }));
        for (const kind of CHANGE_KINDS) {
          await insertDetail(connection, row.number, kind, Buffer.from(codes[kind]));
        }
        await insertDetail(connection, row.number, 'by-role', deflateSync(byRole));
      }
      for (const [at, { edition, publishedAt }] of publications.entries()) {
        const row = { id: at + 1, edition, published_at: publishedAt };
        await insertRow(connection, 'publication', withChecksum(row));
      }
      await connection.query(`NOTIFY ${EDITION_CHANNEL}`);
    });
  } finally {
    await connection.close();
  }
}

async function insertDetail(
  connection: Connection,
  edition: number,
  kind: string,
  content: Buffer,
): Promise<void> {
  const row = { edition, kind, content };
  await insertRow(connection, 'edition_difference', { ...row, checksum: differenceChecksum(row) });
}

async function readDetails(
  connection: Connection,
  edition: number,
): Promise<Pick<MovedEdition, 'byRole' | 'codes'>> {
  const rows = await connection.query(
    'SELECT kind, content FROM edition_difference WHERE edition = $1',
    [edition],
  );
  const details = new Map(
    rows.map(({ kind, content }) => [
      String(kind),
      content instanceof Uint8Array ? content : deflateSync(''),
    ]),
  );
  const codes = (kind: string) => details.get(kind) ?? deflateSync('');
  return {
    byRole: inflateSync(codes('by-role')).toString('latin1'),
    codes: { added: codes('added'), changed: codes('changed'), removed: codes('removed') },
  };
}
