/** Adds an entry to the audit log for a command that takes order responses out of the data folder. */
import { userInfo } from 'node:os';
import { AUDIT_COMMANDS, type AuditCommand } from '../../order-response/audit.ts';
import type { DataFolder } from '../data-folder.ts';
import { withStorageErrors } from '../storage-error.ts';
import { AuditLog } from './audit-log.ts';
import { inTransaction } from './database.ts';
import { instantText } from './order-tables.ts';
import { openOrdersDatabase } from './orders-database.ts';

/** A busy server leaves the database free for moments only. */
const BUSY_TIMEOUT_MS = 30_000;

/**
 * A server may go on meanwhile: each transaction looks for the end of the log anew. `count` is the
 * number of versions that were taken out. Throws a `StorageError` where nothing can be written.
 */
export function recordCommand(folder: DataFolder, command: AuditCommand, count: number): void {
  const { ordersDatabase: path } = folder;
  const { database, auditKey } = openOrdersDatabase(folder);
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

/** A container may run as a user that has no name. */
function operatingSystemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
