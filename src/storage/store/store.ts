/** What every kind of store offers: the editions of the directory, and order responses. */

import type {
  EditionHistory,
  EditionReader,
  EditionStore,
} from '../../directory/edition/edition-store.ts';
import type { DeliveryLease } from '../../orders/subscriptions/delivery-holder.ts';
import type { ReceiverStates } from '../../orders/subscriptions/webhooks.ts';
import type { ServeLock } from '../files/lock.ts';
import type { StorageError } from '../files/storage-error.ts';
import type { CheckedPart, VerifyOptions } from '../repository/verification.ts';
import type { ContentName, ErasedContent } from '../sql/erasure.ts';
import type { OrdersCommands } from '../sql/orders-commands.ts';
import type { PostcodeStore, PractitionerStore } from '../tables/table-store.ts';
import type { OrdersThread, OrdersThreadOptions } from '../threads/storage-thread.ts';
import type { BackupStore } from './backup-store.ts';
import type { SharedFetches } from './shared-fetches.ts';
import type { SharedTokenKeys } from './shared-token-keys.ts';
import type { StoreContents } from './store-contents.ts';

/** What a store needs besides its URL. */
export interface StoreOptions {
  /** The data folder. Beside a database: for what is local to this machine. */
  readonly dataFolder: string;
  /** The file with the password of a database, which its URL can have instead. */
  readonly passwordFile?: string | undefined;
  /** The PEM file of the authorities that a database server is checked by. */
  readonly caFile?: string | undefined;
  /** The number of connections for writing order responses. */
  readonly poolSize: number;
  /** How long a write waits for a database that was lost. */
  readonly failoverSeconds: number;
  /** The key of the audit log, where it is not in the data folder. */
  readonly auditKeyFile?: string | undefined;
}

/**
 * What servers and imports need of a store. Nothing is opened before a method is called. Every
 * method throws a `StorageError`.
 */
export interface ServerStore {
  /** For commands that make or choose editions. `mustExist`: there must be a directory. */
  openEditions(options?: { readonly mustExist?: boolean }): Promise<EditionStore>;
  /** For commands that only read. There must be a directory. The disk need not be writable. */
  readEditions(): Promise<EditionReader & AsyncDisposable>;
  /**
   * For a server. `onProblem` is called with the reason while the disk cannot be written, or the
   * database cannot be reached; and with undefined when the database can be reached again.
   */
  openEditionReader(onProblem: (reason: StorageError | undefined) => void): Promise<EditionReader>;
  /** For the pages. There must be a directory. */
  openEditionHistory(): EditionHistory;
  /** The postcodes that the operator imported last. */
  readonly postcodes: PostcodeStore;
  /** The practitioners that the operator imported last. */
  readonly practitioners: PractitionerStore;
  /** Which edition each receiver of webhooks has. */
  readonly receiverStates: ReceiverStates;
  /** Lets only one server use the store; see `openServeLock`. */
  openServeLock(onUnwritable: (reason: StorageError) => void): ServeLock;
  /** Starts what answers the calls of `createRepositoryClient`. */
  startOrders(options: OrdersThreadOptions): Promise<OrdersThread>;
  /** Undefined if the store has only one server, which reads its own key from a file. */
  readonly tokenKeys?: SharedTokenKeys;
  /** Undefined if the store has only one server, which has the state in its data folder. */
  readonly fetches?: SharedFetches;
  /** Undefined if the store has only one server. */
  readonly deliveryLease?: DeliveryLease;
}

/** The whole store, for the other commands. */
export interface Store extends ServerStore, OrdersCommands, BackupStore {
  /** Erases the content of a resource, or of one version. Versions and audit entries stay. */
  eraseContent(name: ContentName, reason: string): Promise<ErasedContent>;
  /**
   * Rewrites the database of order responses, so that its files have nothing of what was erased.
   * Resolves to false if a reader of the earlier state keeps some of it in the write-ahead log.
   */
  rewriteOrders(): Promise<boolean>;
  /** For `gazetteer move`. */
  readonly contents: StoreContents;
  /** Compares what is stored with what was written, part by part. */
  verify(options: VerifyOptions): AsyncIterable<CheckedPart>;
}
