/** Reads the editions of a data folder for a server, also on a full or read-only disk. */
import type { EditionReader } from '../../directory/edition-store.ts';
import type { DataFolder } from '../data-folder.ts';
import type { StorageError } from '../storage-error.ts';
import { openDatabase } from './database.ts';
import { EDITION_MIGRATIONS } from './edition-catalogue.ts';
import { SqliteEditionStore } from './edition-store.ts';
import { createLookup } from './lookup.ts';

/** While the disk cannot be written, `onUnwritable` is called now and then with the reason. */
export function openEditionReader(
  folder: DataFolder,
  onUnwritable: (reason: StorageError) => void,
): EditionReader {
  const { directoryDatabase: path } = folder;
  const lookup = createLookup({
    path,
    version: EDITION_MIGRATIONS.length,
    open: () => openDatabase(path, EDITION_MIGRATIONS),
    over: (database) => new SqliteEditionStore(folder, database, () => new Date()),
    onUnwritable,
  });
  return {
    current: () => lookup.query((store) => store.current()),
    list: () => lookup.query((store) => store.list()),
    replaced: () => lookup.query((store) => store.replaced()),
    load: (number) => lookup.query((store) => store.load(number)),
    findings: () => lookup.query((store) => store.findings()),
    close: lookup.close,
  };
}
