/** Reads the editions of a data folder for a server, also on a full or read-only disk. */
import type { EditionReader } from '../../../directory/edition/edition-store.ts';
import type { DataFolder } from '../../data-folder.ts';
import type { StorageError } from '../../storage-error.ts';
import { openDatabase } from '../database.ts';
import { EDITION_MIGRATIONS, EditionCatalogue } from './edition-catalogue.ts';
import { createEditionQueries } from './edition-queries.ts';
import { createLookup } from './lookup.ts';

/** While the disk cannot be written, `onUnwritable` is called with the reason after each failed attempt. */
export function openEditionReader(
  folder: DataFolder,
  onUnwritable: (reason: StorageError) => void,
): EditionReader {
  const { directoryDatabase: path } = folder;
  const { query, close } = createLookup({
    path,
    version: EDITION_MIGRATIONS.length,
    open: () => openDatabase(path, EDITION_MIGRATIONS),
    over: (database) => new EditionCatalogue(database),
    onUnwritable,
  });
  return { ...createEditionQueries(folder, query), close: async () => close() };
}
