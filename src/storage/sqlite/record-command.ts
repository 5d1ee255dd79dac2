/** The transactions of commands that read or change order responses in the data folder. */
import type { DatabaseSync } from 'node:sqlite';
import type { DataFolder } from '../files/data-folder.ts';
import { acquireLock, type Lock } from '../files/lock.ts';
import { StorageError, withStorageErrors } from '../files/storage-error.ts';
import {
  type CommandTransaction,
  type ContentName,
  type ErasedContent,
  eraseContent,
} from '../sql/erasure.ts';
import { fillAuditIndex } from './audit-index.ts';
import { AuditLog } from './audit-log.ts';
import { inTransaction } from './database/database.ts';
import { truncateLog } from './database/write-ahead-log.ts';
import {
  isOfEarlierVersion,
  openRepositoryDatabase,
  rewriteDatabase,
} from './repository-database.ts';
import { SqliteSession } from './session.ts';

/** A busy server releases its lock on the database only for moments. */
const BUSY_TIMEOUT_MS = 30_000;

/**
 * Runs `action` in a transaction of a command. A server may run at the same time: each transaction
 * reads the end of the audit log again. Throws a `StorageError` if the disk cannot be written.
 */
export function withCommand<Result>(
  folder: DataFolder,
  action: (transaction: CommandTransaction, session: SqliteSession) => Result,
  after: (database: DatabaseSync) => void = () => {},
): Result {
  const { ordersDatabase: path } = folder;
  migrateForCommand(folder);
  const { database, auditKey } = openRepositoryDatabase(folder);
  using _database = database;
  return withStorageErrors(path, () => {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    fillAuditIndex(database);
    const log = new AuditLog(database, auditKey);
    const session = new SqliteSession(database);
    const result = inTransaction(database, () => action(log.transaction(Date.now()), session));
    after(database);
    return result;
  });
}

/**
 * Erases the content from the database and from its write-ahead log, also if it was erased from the
 * database before. Waits for readers up to `waitMs`.
 */
export function eraseFromFolder(
  folder: DataFolder,
  name: ContentName,
  reason: string,
  waitMs?: number,
): ErasedContent {
  let isComplete = false;
  const erased = withCommand(
    folder,
    (transaction, session) => session.run(eraseContent(transaction, name, reason)),
    (database) => {
      isComplete = truncateLog(database, waitMs);
    },
  );
  return { ...erased, isComplete };
}

/**
 * Rewrites the file, so that nothing is left in it of what was erased. Returns false if a reader still
 * needs the write-ahead log, which then has it. Throws a `StorageError` if there is too little space,
 * or if a server writes for too long.
 */
export function rewriteOrders(folder: DataFolder, waitMs?: number): boolean {
  const { ordersDatabase: path } = folder;
  migrateForCommand(folder);
  using database = openRepositoryDatabase(folder).database;
  return withStorageErrors(path, () => {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // SQLite makes a copy of the rows. The folder for temporary files may be on a smaller or an open disk.
    database.exec(`PRAGMA temp_store_directory = '${folder.path.replaceAll("'", "''")}'`);
    try {
      return rewriteDatabase(database, waitMs);
    } catch (fault) {
      truncateLog(database, waitMs);
      throw fault;
    } finally {
      database.exec(`PRAGMA temp_store_directory = ''`);
    }
  });
}

/**
 * Migrates a database of an earlier version. Throws a `StorageError` while a server runs: one of the
 * earlier version cannot use the migrated database.
 */
export function migrateForCommand(folder: DataFolder): void {
  if (!isOfEarlierVersion(folder)) return;
  using _lock = lockOf(folder);
  openRepositoryDatabase(folder).database.close();
}

function lockOf({ path, ordersDatabase }: DataFolder): Lock {
  try {
    return acquireLock(path, 'serve');
  } catch (fault) {
    if (!(fault instanceof StorageError && fault.kind === 'locked')) throw fault;
    throw new StorageError(
      'locked',
      `${ordersDatabase}: written by an earlier version of Gazetteer, whose server still runs; ` +
        'restart it with this version, then run the command again',
      fault,
    );
  }
}
