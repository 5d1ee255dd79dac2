/**
 * The editions in a data folder: their data as folders of files, the list of them in SQLite. The
 * reader and the history work also on a full or read-only disk.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type {
  EditionDraft,
  EditionHistory,
  EditionInfo,
  EditionReader,
  EditionStore,
} from '../../../directory/edition/edition-store.ts';
import { createEditionHistory } from '../../editions/create-edition-history.ts';
import { createEditionDraft } from '../../editions/edition-draft.ts';
import {
  editionPath,
  hasArray,
  removeFolder,
  removeQuietly,
} from '../../editions/edition-folder.ts';
import type { EditionRow, MadeEdition } from '../../editions/edition-list.ts';
import { createEditionQueries, type EditionData } from '../../editions/edition-queries.ts';
import { loadEdition } from '../../editions/load-edition.ts';
import { type DataFolder, syncFolder } from '../../files/data-folder.ts';
import { acquireLock } from '../../files/lock.ts';
import { EDITION_FOLDER, requireDirectoryOfEditions } from '../../files/lost-databases.ts';
import {
  isUnsynced,
  type StorageError,
  storageError,
  withStorageErrors,
} from '../../files/storage-error.ts';
import { inTransaction, openDatabase } from '../database/database.ts';
import { openWithoutWriting } from '../database/open-to-read.ts';
import { EDITION_MIGRATIONS, EditionCatalogue, openCatalogueToRead } from './edition-catalogue.ts';
import { createLookup } from './lookup.ts';

/** `now` gives the times of imports and publications. */
export function openEditionStore(
  folder: DataFolder,
  now: () => Date = () => new Date(),
): EditionStore {
  const { directoryDatabase: path } = folder;
  const database = openToWrite(folder);
  const catalogue = new EditionCatalogue(database);
  const query: CatalogueQuery = (ask) => withStorageErrors(path, () => ask(catalogue));
  let draft: EditionDraft | undefined;
  const close = async () => {
    await draft?.discard();
    database.close();
  };

  return {
    ...createEditionQueries(editionData(folder, query)),
    begin: async () => {
      const lock = acquireLock(folder.path, 'import');
      try {
        removeLeftovers(folder, catalogue);
        const draftPath = join(folder.editions, `${DRAFT_PREFIX}${randomUUID()}`);
        draft = createEditionDraft({
          path: draftPath,
          dataPath: folder.path,
          now,
          publish: (made) => publish(made, draftPath, { folder, database, catalogue, now }),
          end: (isPublished) => {
            if (!isPublished) removeQuietly(draftPath);
            lock.release();
          },
        });
        return draft;
      } catch (fault) {
        lock.release();
        throw fault;
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** While the disk cannot be written, `onUnwritable` is called with the reason after each failed attempt. */
export function openEditionReader(
  folder: DataFolder,
  onUnwritable: (reason: StorageError) => void,
): EditionReader {
  const { query, close } = lookUp(folder, () => openToWrite(folder), onUnwritable);
  return { ...createEditionQueries(editionData(folder, query)), close: async () => close() };
}

/** Creates the database if the folder has neither it nor editions. */
function openToWrite(folder: DataFolder): DatabaseSync {
  requireDirectoryOfEditions(folder);
  return openDatabase(folder.directoryDatabase, EDITION_MIGRATIONS);
}

/** For commands that only read. The database must exist. Changes nothing. */
export function openEditionsToRead(folder: DataFolder): EditionReader & AsyncDisposable {
  const { directoryDatabase: path } = folder;
  const database = openCatalogueToRead(path);
  const catalogue = new EditionCatalogue(database);
  const query: CatalogueQuery = (ask) => withStorageErrors(path, () => ask(catalogue));
  const close = async () => database.close();
  const queries = createEditionQueries(editionData(folder, query));
  return { ...queries, close, [Symbol.asyncDispose]: close };
}

/** Every thread can open it. The database must exist: opening the store creates it. */
export function openEditionHistory(folder: DataFolder): EditionHistory {
  const { query, close } = lookUp(folder, (path) => openCatalogueToRead(path, openReadOnly));
  const pathOf = ({ number }: EditionRow) => editionPath(folder, number);
  return createEditionHistory({ ...editionData(folder, query), pathOf, close });
}

const openReadOnly = (path: string) => new DatabaseSync(path, { readOnly: true });

function lookUp(
  { directoryDatabase: path }: DataFolder,
  open: (path: string) => DatabaseSync,
  onUnwritable: (reason: StorageError) => void = () => {},
) {
  const over = (database: DatabaseSync) => new EditionCatalogue(database);
  const openToRead = () => openCatalogueToRead(path, openWithoutWriting);
  return createLookup({ path, open: () => open(path), openToRead, over, onUnwritable });
}

/** Runs a question, and throws its faults as a `StorageError`. */
type CatalogueQuery = <Result>(ask: (catalogue: EditionCatalogue) => Result) => Result;

function editionData(folder: DataFolder, query: CatalogueQuery): EditionData<EditionRow> {
  return {
    list: async () => query((catalogue) => catalogue.list()),
    detail: async (number, kind) => query((catalogue) => catalogue.detail(number, kind)),
    findings: async () => query((catalogue) => catalogue.findings()),
    load: async ({ number, manifest_checksum: manifestChecksum }) => {
      const path = editionPath(folder, number);
      try {
        return await loadEdition({ path, manifestChecksum });
      } catch (fault) {
        throw storageError(fault, path);
      }
    },
    hasArray: async ({ number }, name) => hasArray(editionPath(folder, number), name),
  };
}

function publish(made: MadeEdition, draftPath: string, parts: DraftParts): EditionInfo {
  const { folder, catalogue } = parts;
  const { edition, displaced } = commit(made, draftPath, parts);
  for (const { number } of displaced) removeQuietly(editionPath(folder, number));
  return catalogue.list().info(edition.number)!;
}

/**
 * Renames the folder before the commit, so that a row always has its folder. The next import
 * removes a folder without a row.
 */
function commit(
  made: MadeEdition,
  draftPath: string,
  { folder, database, catalogue, now }: DraftParts,
) {
  let renamedTo: string | undefined;
  try {
    return inTransaction(database, () => {
      const added = catalogue.read().add(made, now());
      catalogue.addEdition(added.edition);
      catalogue.addPublication(added.publication);
      for (const { number } of added.displaced) {
        catalogue.markPruned(number, added.edition.published_at);
      }
      renamedTo = editionPath(folder, added.edition.number);
      renameSync(draftPath, renamedTo);
      syncFolder(folder.editions);
      return added;
    });
  } catch (fault) {
    // If the commit is on the disk after all, its row needs the folder.
    if (renamedTo !== undefined && !isUnsynced(fault)) removeQuietly(renamedTo);
    throw fault;
  }
}

interface DraftParts {
  readonly folder: DataFolder;
  readonly database: DatabaseSync;
  readonly catalogue: EditionCatalogue;
  readonly now: () => Date;
}

const DRAFT_PREFIX = '.draft-';

/** Only the holder of the lock 'import' may call this: another process may be writing a draft. */
function removeLeftovers(folder: DataFolder, catalogue: EditionCatalogue): void {
  withStorageErrors(folder.path, () => {
    removeFolder(folder.temporary);
    const kept = new Set(catalogue.read().keptRows.map(({ number }) => number));
    for (const name of readdirSync(folder.editions)) {
      const isDraft = name.startsWith(DRAFT_PREFIX);
      const isEdition = EDITION_FOLDER.test(name);
      if (isDraft || (isEdition && !kept.has(Number(name)))) {
        removeFolder(join(folder.editions, name));
      }
    }
  });
}
