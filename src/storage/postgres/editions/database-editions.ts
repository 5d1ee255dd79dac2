/** The editions in a PostgreSQL database: for commands that make or choose them, and for pages. */
import type {
  EditionDraft,
  EditionHistory,
  EditionStore,
} from '../../../directory/edition/edition-store.ts';
import type { DataFolder } from '../../data-folder.ts';
import type { DatabaseAddress } from '../../database-address.ts';
import { createEditionHistory } from '../../editions/create-edition-history.ts';
import { removeFolder } from '../../editions/edition-folder.ts';
import { createEditionQueries } from '../../editions/edition-queries.ts';
import { acquireLock } from '../../lock.ts';
import { withStorageErrors } from '../../storage-error.ts';
import type { Connection } from '../connection/connection.ts';
import { ConnectionLost } from '../connection/database-error.ts';
import { connectAfterLock, connectWithLock, IMPORT_LOCK } from '../connection/program-lock.ts';
import { SharedConnection } from '../connection/shared-connection.ts';
import { EditionCache } from './edition-cache.ts';
import { checkChunks } from './edition-chunks.ts';
import { createDatabaseDraft } from './edition-draft.ts';
import { insertPublication, listOf, readDetail, readList } from './edition-rows.ts';

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
  const list = () => shared.read(readList);
  const openCache = () => new EditionCache(openFolder(), address);
  let draft: EditionDraft | undefined;

  return {
    ...createEditionQueries({
      list,
      detail: (number, kind) => shared.read((connection) => readDetail(connection, number, kind)),
      findings: async () => (await list()).findings(),
      load: (row) => openCache().load(row),
      hasArray: (row, name) => openCache().hasArray(row, name),
    }),
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

/** Each server thread has one, so that its connection is closed when no user looks at the pages. */
const IDLE_MS = 60_000;

export function openDatabaseHistory({
  address,
  openFolder,
}: DatabaseEditionsOptions): EditionHistory {
  const cache = new EditionCache(openFolder(), address);
  const shared = new SharedConnection(address, { name: 'gazetteer pages', idleMs: IDLE_MS });
  return createEditionHistory({
    list: async () => {
      try {
        return await shared.read(readList);
      } catch (error) {
        const kept = error instanceof ConnectionLost ? cache.readList() : undefined;
        if (kept === undefined) throw error;
        return listOf(kept);
      }
    },
    detail: (number, kind) => shared.read((connection) => readDetail(connection, number, kind)),
    pathOf: ({ content }) => cache.fetch(content),
    close: () => void shared.close(),
  });
}

async function beginDraft(
  address: DatabaseAddress,
  folder: DataFolder,
  now: () => Date,
): Promise<EditionDraft> {
  const cache = new EditionCache(folder, address);
  const lock = acquireLock(folder.path, 'import');
  let connection: Connection | undefined;
  try {
    connection = await connectWithLock(address, IMPORT_LOCK);
    await connection.query(REMOVE_LEFTOVERS);
    withStorageErrors(folder.temporary, () => removeFolder(folder.temporary));
    const reconnect = () => connectAfterLock(address, IMPORT_LOCK);
    return createDatabaseDraft({ connection, reconnect, lock, cache, now });
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
  const list = await readList(connection);
  const { number, content, manifest_checksum: checksum } = list.rollbackTarget(to);
  await checkChunks(connection, content, checksum, `${connection.host}: edition ${number}`);
  await connection.transaction(() =>
    insertPublication(connection, list.nextPublication(number, now())),
  );
  return (await readList(connection)).info(number)!;
}
