/** Adds an entry to the audit log for a command that takes order responses out of the data folder. */
import { userInfo } from 'node:os';
import { AUDIT_COMMANDS, type AuditCommand } from '../../fhir/audit.ts';
import type { DataFolder } from '../data-folder.ts';
import { acquireLock, type Lock } from '../lock.ts';
import { StorageError, withStorageErrors } from '../storage-error.ts';
import { AuditLog } from './audit-log.ts';
import { inTransaction } from './database.ts';
import { isOfEarlierVersion, openRepositoryDatabase } from './repository-database.ts';
import { instantText } from './resource-tables.ts';

/** A busy server releases its lock on the database only for moments. */
const BUSY_TIMEOUT_MS = 30_000;

/**
 * A server may run at the same time: each transaction reads the end of the log again. `count` is
 * the number of exported versions. Throws a `StorageError` where the disk cannot be written.
 */
export function recordCommand(folder: DataFolder, command: AuditCommand, count: number): void {
  const { ordersDatabase: path } = folder;
  if (isOfEarlierVersion(folder)) migrate(folder);
  const { database, auditKey } = openRepositoryDatabase(folder);
  try {
    withStorageErrors(path, () => {
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      const log = new AuditLog(database, auditKey);
      inTransaction(database, () => {
        log.begin();
        log.append(instantText(Date.now()), {
          interaction: command,
          outcome: 'found',
          subject: operatingSystemUser(),
          client: AUDIT_COMMANDS[command],
          address: '',
          count,
        });
      });
    });
  } finally {
    database.close();
  }
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

/** A container may run as a user without a name. */
function operatingSystemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
