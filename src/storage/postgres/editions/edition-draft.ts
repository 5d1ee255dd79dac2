/**
 * An edition that is being made: a local folder, which is copied to the database and published there
 * in one transaction.
 */
import { randomUUID } from 'node:crypto';
import type { EditionDraft, EditionInfo } from '../../../directory/edition/edition-store.ts';
import { createEditionDraft } from '../../editions/edition-draft.ts';
import { removeQuietly } from '../../editions/edition-folder.ts';
import type { MadeEdition } from '../../editions/edition-list.ts';
import type { Lock } from '../../lock.ts';
import { StorageError } from '../../storage-error.ts';
import type { Connection } from '../connection/connection.ts';
import { ConnectionLost } from '../connection/database-error.ts';
import type { EditionCache } from './edition-cache.ts';
import { removeChunks, uploadFolder } from './edition-chunks.ts';
import { insertEdition, insertPublication, markPruned, readList } from './edition-rows.ts';

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

export function createDatabaseDraft(parts: DraftParts): EditionDraft {
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
      else await removeChunks(connection, content).catch(() => {});
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
