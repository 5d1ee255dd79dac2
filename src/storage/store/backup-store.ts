/** Backups of order responses, as commands make and restore them. */

import type { StoredCounts } from '../sql/stored-counts.ts';
import type { OrdersVerdict } from '../sql/verify.ts';

export interface BackupStore {
  /** Writes order responses, the audit log and the keys to a new file, and counts what is in it. */
  backUpOrders(file: string, options?: BackupOptions): Promise<StoredCounts>;
  /** Restores a backup into a store without order responses. */
  restoreOrders(file: string, options: RestoreOptions): Promise<RestoredOrders>;
}

export interface BackupOptions {
  /** The age recipients that the backup is encrypted for; without any, it is not encrypted. */
  readonly recipients?: readonly string[] | undefined;
  /** Ends the encryption early. */
  readonly stopped?: AbortSignal;
}

export interface RestoreOptions {
  /** The age identities that may open the backup; undefined for one that is not encrypted. */
  readonly identities?: readonly string[] | undefined;
  /** Called at the end if the data folder was created. */
  readonly onMade: (path: string) => void;
  /** Ends the decryption early. */
  readonly stopped?: AbortSignal;
}

export type RestoredOrders = StoredCounts & Pick<OrdersVerdict, 'head'>;
