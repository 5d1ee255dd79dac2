/** Carries the editions of a database to another store, and back. */
import { randomUUID } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import type { DataFolder } from '../../data-folder.ts';
import type { DatabaseAddress } from '../../database-address.ts';
import type { DetailedEdition } from '../../editions/edition-list.ts';
import type { MovedEditions } from '../../store-contents.ts';
import { type Connection, withConnection } from '../connection/connection.ts';
import { connectWithLock, IMPORT_LOCK } from '../connection/program-lock.ts';
import { EditionCache } from './edition-cache.ts';
import { uploadFolder } from './edition-chunks.ts';
import { insertEdition, insertPublication, readDetails, readList } from './edition-rows.ts';

/** Undefined if no edition was ever published. Copies the data to the cache of this machine. */
export async function readDatabaseEditions(
  address: DatabaseAddress,
  folder: DataFolder,
): Promise<MovedEditions | undefined> {
  const cache = new EditionCache(folder, address);
  return await withConnection(address, { name: 'gazetteer move' }, async (connection) => {
    const { rows } = await readList(connection);
    if (rows.editions.length === 0) return undefined;
    const contents = new Map(rows.editions.map(({ number, content }) => [number, content]));
    const editions: DetailedEdition[] = [];
    for (const row of rows.editions) {
      editions.push({ ...row, ...(await detailsOf(connection, row.number)) });
    }
    return {
      editions,
      publications: rows.publications,
      folderOf: (number) => cache.fetch(contents.get(number) ?? ''),
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
      for (const edition of editions) {
        await insertEdition(connection, edition, contents.get(edition.number)!);
      }
      for (const publication of publications) await insertPublication(connection, publication);
    });
  } finally {
    await connection.close();
  }
}

/** Also of damaged rows. */
async function detailsOf(
  connection: Connection,
  edition: number,
): Promise<Pick<DetailedEdition, 'byRole' | 'codes'>> {
  const rows = await readDetails(connection, edition);
  const contentOf = (kind: string) =>
    rows.find((row) => row.kind === kind)?.content ?? deflateSync('');
  return {
    byRole: inflateSync(contentOf('by-role')).toString('latin1'),
    codes: {
      added: contentOf('added'),
      changed: contentOf('changed'),
      removed: contentOf('removed'),
    },
  };
}
