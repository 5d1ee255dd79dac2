/** The editions in a PostgreSQL database: for commands that make or choose them, and for pages. */

import { randomUUID } from 'node:crypto';
import type {
  EditionDraft,
  EditionHistory,
  EditionInfo,
  EditionStore,
} from '../../../directory/edition/edition-store.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { createEditionHistory } from '../../editions/create-edition-history.ts';
import { createEditionDraft } from '../../editions/edition-draft.ts';
import { EDITION_REMEDY, removeFolder, removeQuietly } from '../../editions/edition-folder.ts';
import type { MadeEdition } from '../../editions/edition-list.ts';
import { createEditionQueries } from '../../editions/edition-queries.ts';
import type { DataFolder } from '../../files/data-folder.ts';
import { acquireLock, type Lock } from '../../files/lock.ts';
import { StorageError, withStorageErrors } from '../../files/storage-error.ts';
import type { CheckedPart } from '../../repository/verification.ts';
import { failedCheck } from '../../repository/verification.ts';
import { type Connection, connect } from '../connection/connection.ts';
import type { DatabaseAddress } from '../connection/database-address.ts';
import { ConnectionLost } from '../connection/database-error.ts';
import { connectAfterLock, connectWithLock, IMPORT_LOCK } from '../schema/program-lock.ts';
import { SharedConnection } from '../schema/shared-connection.ts';
import { DOWNLOAD, EditionCache } from './edition-cache.ts';
import { checkChunks, removeChunks, uploadFolder } from './edition-chunks.ts';
import {
  damagedDetails,
  insertEdition,
  insertPublication,
  listOf,
  markPruned,
  readDetail,
  readList,
} from './edition-rows.ts';

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
  const close = async () => {
    await draft?.discard();
    await shared.close();
  };

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
    close,
    [Symbol.asyncDispose]: close,
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
    list: () =>
      orUnavailable(async () => {
        try {
          return await shared.read(readList);
        } catch (error) {
          const kept = error instanceof ConnectionLost ? cache.readList() : undefined;
          if (kept === undefined) throw error;
          return listOf(kept);
        }
      }),
    detail: (number, kind) =>
      orUnavailable(() => shared.read((connection) => readDetail(connection, number, kind))),
    pathOf: ({ content }) => cache.fetch(content),
    close: () => void shared.close(),
  });
}

/** A database that is away is no fault of the server: the request can be repeated. */
async function orUnavailable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind !== 'unreachable') throw error;
    throw FhirError.of('unavailable', DATABASE_AWAY, { headers: RETRY_SOON });
  }
}

const DATABASE_AWAY = 'The history of the directory is not available now; try again.';
const RETRY_SOON = ['Retry-After', '5'];

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

/** Yields each part when it is checked. An import can prune editions meanwhile. */
export async function* verifyDatabaseEditions(
  address: DatabaseAddress,
  stopped: AbortSignal | undefined,
): AsyncGenerator<CheckedPart> {
  await using connection = await connect(address, DOWNLOAD);
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
    if ((await readList(connection)).isKept(number)) yield { name: `edition ${number}`, ...found };
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

interface DraftParts {
  /** Holds the lock of imports. */
  readonly connection: Connection;
  /** Opens another connection when this one is lost. It waits until the lock is free. */
  readonly reconnect: () => Promise<Connection>;
  /** The lock of imports on this machine. */
  readonly lock: Lock;
  readonly cache: EditionCache;
  readonly now: () => Date;
}

function createDatabaseDraft(parts: DraftParts): EditionDraft {
  const { connection, lock, cache, now } = parts;
  const content = randomUUID();
  const path = cache.newPath();
  return createEditionDraft({
    path,
    dataPath: path,
    now,
    publish: async (made) => {
      await uploadFolder(connection, content, path);
      return await publish(made, content, parts);
    },
    end: async (isPublished) => {
      if (isPublished) cache.keep(path, content);
      // The next import removes what cannot be removed now.
      const removed = isPublished
        ? readList(connection).then(({ keptRows }) => cache.prune(keptRows))
        : removeChunks(connection, content);
      await removed.catch(() => {});
      removeQuietly(path);
      await connection.close();
      lock.release();
    },
  });
}

async function publish(
  made: MadeEdition,
  content: string,
  { connection, reconnect, now }: DraftParts,
): Promise<EditionInfo> {
  try {
    await connection.transaction(async () => {
      const { edition, publication, displaced } = (await readList(connection)).add(made, now());
      await insertEdition(connection, edition, content);
      await insertPublication(connection, publication);
      for (const row of displaced) {
        await markPruned(connection, row, publication.published_at);
        await removeChunks(connection, row.content);
      }
    });
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    return await findPublished(content, reconnect, error);
  }
  return await publishedEdition(connection, content);
}

/** The answer to the commit may be lost. The lock shows that its transaction has ended. */
async function findPublished(
  content: string,
  reconnect: () => Promise<Connection>,
  lost: ConnectionLost,
): Promise<EditionInfo> {
  let connection: Connection;
  try {
    connection = await reconnect();
  } catch (error) {
    throw new StorageError(
      'unreachable',
      'The connection to the database was lost while the edition was published. It is not known ' +
        'whether it is current; look with "gazetteer editions" before you import again.',
      error,
    );
  }
  try {
    return await publishedEdition(connection, content);
  } catch {
    throw lost;
  } finally {
    await connection.close();
  }
}

async function publishedEdition(connection: Connection, content: string): Promise<EditionInfo> {
  const list = await readList(connection);
  const edition = list.infos().find(({ number }) => list.row(number)?.content === content);
  if (edition === undefined) throw new StorageError('refused', 'The edition was not published.');
  return edition;
}
