/** The editions in a PostgreSQL database: for commands that make or choose them, and for pages. */
import type { EditionHistory } from '../../../directory/edition/edition-history.ts';
import type { EditionDraft, EditionStore } from '../../../directory/edition/edition-store.ts';
import type { DataFolder } from '../../data-folder.ts';
import type { DatabaseAddress } from '../../database-address.ts';
import { createEditionHistory } from '../../editions/create-edition-history.ts';
import { EDITION_REMEDY, removeFolder } from '../../editions/edition-folder.ts';
import { createEditionQueries } from '../../editions/edition-queries.ts';
import { acquireLock } from '../../lock.ts';
import { failedCheck } from '../../repository/verification.ts';
import { withStorageErrors } from '../../storage-error.ts';
import type { CheckedPart } from '../../store.ts';
import { type Connection, closing, connect } from '../connection/connection.ts';
import { ConnectionLost } from '../connection/database-error.ts';
import { connectAfterLock, connectWithLock, IMPORT_LOCK } from '../connection/program-lock.ts';
import { SharedConnection } from '../connection/shared-connection.ts';
import { DOWNLOAD, EditionCache } from './edition-cache.ts';
import { checkChunks } from './edition-chunks.ts';
import { createDatabaseDraft } from './edition-draft.ts';
import { damagedDetails, insertPublication, listOf, readDetail, readList } from './edition-rows.ts';

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
    rollback: (to) =>
      closing(connectWithLock(address, IMPORT_LOCK), (connection) => rollBack(connection, to, now)),
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

/** Yields each part when it is checked. An import can prune editions meanwhile. */
export async function* verifyDatabaseEditions(
  address: DatabaseAddress,
  stopped: AbortSignal | undefined,
): AsyncGenerator<CheckedPart> {
  const connection = await connect(address, DOWNLOAD);
  try {
    const list = await readList(connection);
    const findings = [...list.findings()];
    for (const { number } of list.infos())
      findings.push(...(await damagedDetails(connection, number)));
    yield { name: 'list of editions', findings, ...remedyOf(findings) };
    for (const { number, content, manifest_checksum: checksum } of list.keptRows) {
      stopped?.throwIfAborted();
      if (!list.isKept(number)) continue; // its row is damaged
      const place = `${connection.host}: edition ${number}`;
      const found = await finding(() => checkChunks(connection, content, checksum, place));
      if ((await readList(connection)).isKept(number))
        yield { name: `edition ${number}`, ...found };
    }
  } finally {
    await connection.close();
  }
}

const remedyOf = ({ length }: readonly string[]) => length > 0 && { remedy: EDITION_REMEDY };

async function finding(check: () => Promise<void>): Promise<Omit<CheckedPart, 'name'>> {
  try {
    await check();
    return { findings: [] };
  } catch (error) {
    return failedCheck(error, EDITION_REMEDY);
  }
}
