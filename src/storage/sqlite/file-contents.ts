/** Reads the contents of a data folder for a move, and writes those of another store into a folder. */
import { existsSync, readdirSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { editionPath } from '../editions/edition-folder.ts';
import { byChangeKind, type DetailedEdition } from '../editions/edition-list.ts';
import type { DataFolder, MustExist } from '../files/data-folder.ts';
import { openDataFolder } from '../files/data-folder.ts';
import { acquireLock, removeNewFolder } from '../files/lock.ts';
import { StorageError } from '../files/storage-error.ts';
import {
  type MovedEditions,
  type MovedOrders,
  movedRows,
  type StoreContents,
} from '../store/store-contents.ts';
import { createFileTable } from '../tables/table-file.ts';
import { POSTCODE_TABLE, PRACTITIONER_TABLE } from '../tables/table-kinds.ts';
import { openDatabase } from './database/database.ts';
import { EDITION_MIGRATIONS, EditionCatalogue } from './editions/edition-catalogue.ts';
import { moveIntoFolder } from './move-into-folder.ts';
import { openRepositorySnapshot, type RepositoryDatabase } from './repository-database.ts';
import { readReceivers } from './server-file-store.ts';
import { SqliteSession } from './session.ts';

export function createFileContents(path: string): StoreContents {
  const open = (mustExist: MustExist = false) => openDataFolder(path, { mustExist });
  return {
    reserveAsSource: async () => acquireLock(open('either').path, 'serve'),
    reserveAsTarget: async () => reserveEmptyFolder(path),
    read: async () => {
      const folder = open('either');
      const { directoryDatabase, ordersDatabase, webhooks } = folder;
      const postcodes = await createFileTable(POSTCODE_TABLE, path).bytes();
      const practitioners = await createFileTable(PRACTITIONER_TABLE, path).bytes();
      const orders = existsSync(ordersDatabase) ? openRepositorySnapshot(folder) : undefined;
      return {
        editions: existsSync(directoryDatabase) ? readFileEditions(folder) : undefined,
        postcodes,
        practitioners,
        receivers: readReceivers(webhooks),
        orders: orders && movedOrders(orders),
        [Symbol.asyncDispose]: async () => orders?.database.close(),
      };
    },
    write: (contents) => moveIntoFolder(open(), contents),
  };
}

/** A folder that was missing is removed again if nothing was written to it. */
function reserveEmptyFolder(path: string): Disposable {
  let first: string | undefined;
  const folder = openDataFolder(path, {
    onMade: (_, made) => {
      first = made;
    },
  });
  const lock = acquireLock(folder.path, 'serve');
  const end = () => {
    lock.release();
    if (first !== undefined && dataIn(folder) === undefined) removeNewFolder(folder, first);
  };
  const present = dataIn(folder);
  if (present === undefined) return { [Symbol.dispose]: end };
  end();
  throw new StorageError('refused', `${present} exists; move into a folder without data`);
}

/** The path of the first thing that a move would write; undefined if there is nothing. */
function dataIn(folder: DataFolder): string | undefined {
  const { directoryDatabase, ordersDatabase, auditKey, webhooks, editions } = folder;
  const tables = [folder.postcodes, folder.practitioners];
  const databases = [directoryDatabase, ordersDatabase];
  // SQLite would use the log of a removed database as part of the new one.
  const logs = databases.map((database) => `${database}-wal`);
  const found = [...databases, ...logs, auditKey, ...tables, webhooks].find(existsSync);
  // A move that fails may have removed the folder.
  const hasEditions = existsSync(editions) && readdirSync(editions).length > 0;
  return found ?? (hasEditions ? editions : undefined);
}

/** Reads what was committed when the database was opened. */
function movedOrders({ database, auditKey }: RepositoryDatabase): MovedOrders {
  const session = new SqliteSession(database);
  return { auditKey, rows: (table) => movedRows(session, table) };
}

/** Undefined if no edition was ever published. */
function readFileEditions(folder: DataFolder): MovedEditions | undefined {
  using database = openDatabase(folder.directoryDatabase, EDITION_MIGRATIONS);
  const { editions, publications } = new EditionCatalogue(database).read().rows;
  if (editions.length === 0) return undefined;
  return {
    editions: editions.map((row) => ({ ...row, ...detailsOf(database, row.number) })),
    publications,
    folderOf: async (number) => editionPath(folder, number),
  };
}

/** Also of damaged rows. */
function detailsOf(
  database: DatabaseSync,
  edition: number,
): Pick<DetailedEdition, 'byRole' | 'codes'> {
  const byRole = database.prepare('SELECT difference_by_role FROM edition WHERE number = ?');
  const select = database.prepare(
    'SELECT codes FROM edition_difference WHERE edition = ? AND kind = ?',
  );
  const codes = (kind: string) => {
    const value = select.get(edition, kind)?.codes;
    return value instanceof Uint8Array ? value : new Uint8Array();
  };
  return {
    byRole: String(byRole.get(edition)?.difference_by_role),
    codes: byChangeKind(codes),
  };
}
