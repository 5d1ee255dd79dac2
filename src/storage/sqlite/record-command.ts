/** The transactions of commands that read or change order responses in the data folder. */
import type { DatabaseSync } from 'node:sqlite';
import type { AuditCommand } from '../../fhir/audit/audit.ts';
import type { DataFolder } from '../data-folder.ts';
import { acquireLock, type Lock } from '../lock.ts';
import type { AuditNumber } from '../repository/audit-record.ts';
import { type CommandAbout, commandRecord } from '../repository/command-record.ts';
import { instantText } from '../repository/stored-version.ts';
import { StorageError, withStorageErrors } from '../storage-error.ts';
import { AuditLog } from './audit-log.ts';
import { inTransaction } from './database.ts';
import { fillAuditIndex } from './fill-audit-index.ts';
import { isOfEarlierVersion, openRepositoryDatabase } from './repository-database.ts';

/** A busy server releases its lock on the database only for moments. */
const BUSY_TIMEOUT_MS = 30_000;

/** Adds an entry of the command to the audit log. */
export type RecordCommand = (about: CommandAbout) => AuditNumber;

/**
 * Runs `action` in a transaction of a command. A server may run at the same time: each transaction
 * reads the end of the audit log again. Throws a `StorageError` if the disk cannot be written.
 */
export function withCommand<Result>(
  folder: DataFolder,
  command: AuditCommand,
  action: (database: DatabaseSync, record: RecordCommand, nowMs: number) => Result,
  after: (database: DatabaseSync) => void = () => {},
): Result {
  const { ordersDatabase: path } = folder;
  if (isOfEarlierVersion(folder)) migrate(folder);
  const { database, auditKey } = openRepositoryDatabase(folder);
  try {
    return withStorageErrors(path, () => {
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      fillAuditIndex(database);
      const log = new AuditLog(database, auditKey);
      const result = inTransaction(database, () => {
        const nowMs = Date.now();
        log.begin();
        return action(
          database,
          (about) => log.append(instantText(nowMs), commandRecord(command, about)),
          nowMs,
        );
      });
      after(database);
      return result;
    });
  } finally {
    database.close();
  }
}

/** `count` is the number of exported versions. */
export function recordCommand(folder: DataFolder, command: AuditCommand, count: number): void {
  withCommand(folder, command, (_database, record) => record({ outcome: 'found', count }));
}

/** A server of the earlier version cannot use the migrated database, so none may run. */
function migrate(folder: DataFolder): void {
  const lock = lockOf(folder);
  try {
    openRepositoryDatabase(folder).database.close();
  } finally {
    lock.release();
  }
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
