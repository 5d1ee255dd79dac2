/** The editions in a PostgreSQL database, for commands that list, make or choose them. */
import type { EditionStore } from '../../../directory/edition/edition-store.ts';
import { type DataFolder, makePrivateFolder } from '../../data-folder.ts';
import type { DatabaseAddress } from '../../database-address.ts';
import { removeFolder } from '../../editions/edition-folder.ts';
import { rollbackTarget } from '../../editions/edition-rules.ts';
import { pollCurrent } from '../../editions/poll-current.ts';
import { acquireLock } from '../../lock.ts';
import { withStorageErrors } from '../../storage-error.ts';
import { type Connection, connect } from '../connection/connection.ts';
import { connectAfterLock, connectWithLock, IMPORT_LOCK } from '../connection/program-lock.ts';
import { SharedConnection } from '../connection/shared-connection.ts';
import { createDatabaseQueries } from './database-queries.ts';
import { EditionCache } from './edition-cache.ts';
import { checkChunks } from './edition-chunks.ts';
import { readDifference } from './edition-difference.ts';
import { insertPublication, PostgresEditionDraft } from './edition-draft.ts';
import { EditionList } from './edition-list.ts';
import { readCatalogueRows } from './edition-rows.ts';

export interface DatabaseEditionsOptions {
  readonly address: DatabaseAddress;
  /** Opens the data folder of this machine. */
  readonly openFolder: () => DataFolder;
  /** Gives the times of imports and publications. */
  readonly now?: () => Date;
}

export function openDatabaseEditions(options: DatabaseEditionsOptions): EditionStore {
  const { address, openFolder, now = () => new Date() } = options;
  const shared = new SharedConnection(address, { name: 'gazetteer editions' });
  const catalogue = () =>
    shared.read(async (connection) => new EditionList(await readCatalogueRows(connection)));
  const queries = createDatabaseQueries({
    catalogue,
    connect: () => connectForDownload(address),
    cache: () => openCache(openFolder(), address),
  });
  let draft: PostgresEditionDraft | undefined;

  return {
    ...queries,
    watch: (onNew, onProblem) => pollCurrent(queries.current, { onNew, onProblem }).end,
    differences: (number) =>
      shared.read(async (connection) =>
        readDifference(connection, new EditionList(await readCatalogueRows(connection)), number),
      ),
    begin: async () => {
      draft = await beginDraft(address, openFolder(), now);
      return draft;
    },
    rollback: async (to) => {
      const connection = await connectWithLock(address, IMPORT_LOCK);
      try {
        return await rollBack(connection, to, now);
      } finally {
        await connection.close();
      }
    },
    close: async () => {
      await draft?.discard();
      await shared.close();
    },
  };
}

export function openCache(folder: DataFolder, address: DatabaseAddress): EditionCache {
  withStorageErrors(folder.cache, () => makePrivateFolder(folder.cache));
  const hosts = address.hosts.map(({ name, port }) => `${name}:${port}`);
  return new EditionCache(folder, `${hosts.join(',')}/${address.database}`);
}

/** A download ends with its connection, and must not delay small queries. */
export function connectForDownload(address: DatabaseAddress): Promise<Connection> {
  return connect(address, { name: 'gazetteer copy', statementTimeoutMs: DOWNLOAD_MS_MAX });
}

/** For a few chunks of an edition. */
const DOWNLOAD_MS_MAX = 60_000;

async function beginDraft(
  address: DatabaseAddress,
  folder: DataFolder,
  now: () => Date,
): Promise<PostgresEditionDraft> {
  const cache = openCache(folder, address);
  const lock = acquireLock(folder.path, 'import');
  let connection: Connection | undefined;
  try {
    connection = await connectWithLock(address, IMPORT_LOCK);
    await connection.query(REMOVE_LEFTOVERS);
    withStorageErrors(folder.temporary, () => removeFolder(folder.temporary));
    const reconnect = () => connectAfterLock(address, IMPORT_LOCK);
    return new PostgresEditionDraft({ connection, reconnect, lock, cache, now });
  } catch (error) {
    await connection?.close();
    lock.release();
    throw error;
  }
}

/** Only the holder of the lock may do this: the chunks of an import that runs are of no edition yet. */
const REMOVE_LEFTOVERS = `
  DELETE FROM edition_chunk AS c WHERE NOT EXISTS (
    SELECT 1 FROM edition AS e WHERE e.content = c.content AND e.pruned_at IS NULL)`;

async function rollBack(connection: Connection, to: number | undefined, now: () => Date) {
  const catalogue = new EditionList(await readCatalogueRows(connection));
  const { number } = rollbackTarget(catalogue.list(), to);
  const { content, manifest_checksum: checksum } = catalogue.kept(number);
  await checkChunks(connection, content, checksum, `${connection.host}: edition ${number}`);
  await connection.transaction(() =>
    insertPublication(connection, catalogue, number, now().toISOString()),
  );
  return new EditionList(await readCatalogueRows(connection)).find(number)!;
}
