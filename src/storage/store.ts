/** What every kind of store offers: the editions of the directory, and order responses. */

import type {
  EditionHistory,
  EditionReader,
  EditionStore,
} from '../directory/edition/edition-store.ts';
import type { StoredPostcodes } from '../directory/places/stored-postcodes.ts';
import type { AuditEntry } from '../fhir/audit/audit.ts';
import type { ResourceAddress } from '../fhir/stored/repository.ts';
import type { DeliveryLease } from '../subscriptions/delivery-holder.ts';
import type { DeliveryState } from '../subscriptions/delivery-store.ts';
import type { ReceiverStates } from '../subscriptions/webhooks.ts';
import type { ServeLock } from './lock.ts';
import type { ChainHead } from './repository/audit-chain.ts';
import type { AuditQuery } from './sql/audit-search.ts';
import type { ContentName, ErasedContent, HeldResource, ResourceName } from './sql/erasure.ts';
import type { StoredCounts } from './sql/stored-counts.ts';
import type { OrdersVerdict } from './sql/verify.ts';
import type { StorageError } from './storage-error.ts';
import type { StoreContents } from './store-contents.ts';
import type { OrdersThread, OrdersThreadOptions } from './threads/storage-thread.ts';

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
  /** For commands that list, make or choose editions. `mustExist`: there must be a directory. */
  openEditions(options?: { readonly mustExist?: boolean }): Promise<EditionStore>;
  /**
   * For a server. `onProblem` is called with the reason while the disk cannot be written, or the
   * database cannot be reached; and with undefined when the database can be reached again.
   */
  openEditionReader(onProblem: (reason: StorageError | undefined) => void): Promise<EditionReader>;
  /** For the pages. There must be a directory. */
  openEditionHistory(): EditionHistory;
  /** The postcodes that the operator imported last. */
  readonly postcodes: PostcodeStore;
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
export interface Store extends ServerStore {
  /**
   * The text of every version, oldest first, from the first one on that was written at or after
   * `sinceMs`. The audit log gets an entry before the first version is read.
   */
  exportVersions(sinceMs: number | undefined): AsyncIterable<string>;
  /** The subscriptions, without deleted and erased ones. The audit log gets no entry. */
  subscriptions(): AsyncIterable<StoredSubscription>;
  /**
   * The versions with content of the resources that have all these properties. The audit log gets
   * no entry.
   */
  storedTexts(name: Partial<ResourceName>): AsyncIterable<StoredText>;
  /** Audit entries, oldest first. */
  auditEntries(query: AuditQuery): AsyncIterable<AuditEntry>;
  /** Erases the content of a resource, or of one version. Versions and audit entries stay. */
  eraseContent(name: ContentName, reason: string): Promise<ErasedContent>;
  /** Holds a resource, so that it is not erased; and ends a hold. */
  holdResource(name: ResourceName, reason: string): Promise<ResourceAddress>;
  releaseResource(name: ResourceName): Promise<ResourceAddress>;
  /** The resources on hold, the earliest hold first. */
  heldResources(): AsyncIterable<HeldResource>;
  /** Writes order responses, the audit log and the keys to a new file, and counts what is in it. */
  backUpOrders(file: string, options?: BackupOptions): Promise<StoredCounts>;
  /** Restores a backup into a store without order responses. */
  restoreOrders(file: string, options: RestoreOptions): Promise<RestoredOrders>;
  /** For `gazetteer move`. */
  readonly contents: StoreContents;
  /** Compares what is stored with what was written, part by part. */
  verify(options: VerifyOptions): AsyncIterable<CheckedPart>;
}

export interface StoredText extends ResourceAddress {
  readonly version: number;
  readonly isCurrent: boolean;
  /** The resource as JSON. */
  readonly text: string;
}

export interface StoredSubscription extends Pick<DeliveryState, 'failingSinceMs' | 'problem'> {
  readonly id: string;
  readonly version: number;
  /** The resource as JSON. */
  readonly text: string;
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

export type RestoredOrders = Pick<OrdersVerdict, 'resources' | 'versions' | 'head'>;

export interface VerifyOptions {
  /** The audit head that an earlier verification returned. The log must still contain it. */
  readonly expectedHead?: ChainHead | undefined;
  /** Ends the verification early. */
  readonly stopped?: AbortSignal;
}

export interface CheckedPart {
  readonly name: string;
  /** Sentences; empty if the part is sound. */
  readonly findings: readonly string[];
  /** Whether the part could not be checked. The finding then says why. */
  readonly isUnchecked?: boolean;
  /** What to do about the findings, as sentences; absent: restore a backup of order responses. */
  readonly remedy?: string;
  /** A summary of the content of the part, for people. */
  readonly summary?: string;
  /** The end of the audit log, also where something is wrong with it. */
  readonly head?: ChainHead;
}

/** Keeps one version of the postcodes. */
export interface PostcodeStore {
  /** Undefined if none were imported. Throws a `StorageError` if they are damaged. */
  read(): Promise<StoredPostcodes | undefined>;
  /** The same as `encodePostcodes` made them. */
  bytes(): Promise<Uint8Array | undefined>;
  /** Replaces the postcodes in one step. They are durable when it resolves. */
  publish(bytes: Uint8Array): Promise<void>;
  /**
   * Calls `onNew` with the postcodes, and again each time they were replaced; `onProblem` if they
   * cannot be read. Resolves after the first look, with a function that ends the watch.
   */
  watch(
    onNew: (stored: StoredPostcodes) => void,
    onProblem: (error: unknown) => void,
  ): Promise<() => Promise<void>>;
}

/** `sources`: the results of the last fetches. `planned`: the time of the next one. Both are JSON. */
export type FetchDocument = 'sources' | 'planned';

/** What the servers of a database share of their fetches, so that one of them fetches for all. */
export interface SharedFetches {
  /** Undefined if the document was never written. */
  read(name: FetchDocument): Promise<string | undefined>;
  write(name: FetchDocument, content: string): Promise<void>;
  /** Throws a `StorageError` of kind `locked` while another program fetches. */
  lock(kind: 'fetch' | 'schedule'): Promise<FetchLock>;
}

export interface FetchLock {
  release(): Promise<void>;
}

/** The public key of an installation's own tokens. */
export interface TokenKey {
  /** The `iss` and `aud` of its tokens. */
  readonly issuer: string;
  /** A JWK. */
  readonly publicKey: object;
}

/** The keys that the servers of a database share. */
export interface SharedTokenKeys {
  /** Makes every server accept the tokens of a key, unless the key was revoked. */
  add(key: TokenKey): Promise<void>;
  /**
   * Calls `onKeys` with all keys, and again each time they change. Adds `own` as soon as the
   * database can be reached. Returns a function that ends the watch.
   */
  watch(own: TokenKey, onKeys: (keys: readonly TokenKey[]) => void): () => Promise<void>;
}
