/** The editions in a data folder: their data as folders of files, the list of them in SQLite. */
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EditionInfo, EditionStore } from '../../../directory/edition/edition-store.ts';
import type { DataFolder } from '../../data-folder.ts';
import {
  checkEditionFolder,
  EditionFolderWriter,
  editionPath,
  removeFolder,
} from '../../editions/edition-folder.ts';
import { requireKept, rollbackTarget } from '../../editions/edition-rules.ts';
import { acquireLock, type Lock } from '../../lock.ts';
import { withStorageErrors } from '../../storage-error.ts';
import { inTransaction, openDatabase } from '../database.ts';
import { EDITION_MIGRATIONS, EditionCatalogue } from './edition-catalogue.ts';
import { SqliteEditionDraft } from './edition-draft.ts';
import { type CatalogueQuery, createEditionQueries } from './edition-queries.ts';

/** `now` gives the times of imports and publications. */
export function openEditionStore(
  folder: DataFolder,
  now: () => Date = () => new Date(),
): EditionStore {
  const database = openDatabase(folder.directoryDatabase, EDITION_MIGRATIONS);
  const catalogue = new EditionCatalogue(database);
  const query: CatalogueQuery = (ask) =>
    withStorageErrors(folder.directoryDatabase, () => ask(catalogue));
  let draft: SqliteEditionDraft | undefined;

  return {
    ...createEditionQueries(folder, query),
    differences: async (number) => query(() => catalogue.difference(number)),
    begin: async () => {
      const lock = acquireLock(folder.path, 'import');
      try {
        removeLeftovers(folder, catalogue);
        const path = join(folder.editions, `${DRAFT_PREFIX}${randomUUID()}`);
        const writer = withStorageErrors(path, () => new EditionFolderWriter(path));
        const parts = { path, writer, lock, folder, database, catalogue, now };
        draft = new SqliteEditionDraft({ ...parts, importedAt: now() });
        return draft;
      } catch (fault) {
        lock.release();
        throw fault;
      }
    },
    rollback: async (to) =>
      withLock(acquireLock(folder.path, 'import'), () => {
        const target = query(() => rollbackTarget(catalogue.list(), to)).number;
        const path = editionPath(folder, target);
        withStorageErrors(path, () => checkEditionFolder(path, catalogue.manifestChecksum(target)));
        return query(() => {
          inTransaction(database, () => catalogue.makeCurrent(target, now().toISOString()));
          return requireKept(catalogue.find(target), target);
        });
      }),
    close: async () => {
      await draft?.discard();
      database.close();
    },
  };
}

const DRAFT_PREFIX = '.draft-';
const EDITION_FOLDER_FORM = /^\d{6,}$/;

function withLock(lock: Lock, action: () => EditionInfo): EditionInfo {
  try {
    return action();
  } finally {
    lock.release();
  }
}

/** Only the holder of the lock 'import' may call this: another process may be writing a draft. */
function removeLeftovers(folder: DataFolder, catalogue: EditionCatalogue): void {
  withStorageErrors(folder.path, () => {
    removeFolder(folder.temporary);
    for (const name of readdirSync(folder.editions)) {
      const isDraft = name.startsWith(DRAFT_PREFIX);
      const isEdition = EDITION_FOLDER_FORM.test(name);
      if (isDraft || (isEdition && !catalogue.hasData(Number(name)))) {
        removeFolder(join(folder.editions, name));
      }
    }
  });
}
