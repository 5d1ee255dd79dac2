/** What the storage thread and the others tell each other. */
import type { MessagePort } from 'node:worker_threads';
import type { DataFolder } from './data-folder.ts';
import type { RepositoryOperation, RepositoryResult } from './repository-operation.ts';
import type { StorageErrorKind } from './storage-error.ts';

/** What the storage thread is started with. */
export interface OrdersThreadData {
  readonly folder: DataFolder;
  /** What it counts, shared with the main thread; see `repository-counters.ts`. */
  readonly counters: SharedArrayBuffer;
}

/** From the main thread. */
export type ToOrdersThread =
  /** One more server thread that asks, over this port. */
  | { readonly kind: 'connect'; readonly port: MessagePort }
  /** Do what has come, then end. */
  | { readonly kind: 'stop' };

/** To the main thread. */
export type FromOrdersThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly error: StorageErrorKind; readonly message: string }
  /** Why something could not be stored; for the log. */
  | { readonly kind: 'fault'; readonly type: string; readonly message: string }
  /** Why the store cannot write now; undefined when it can write again. */
  | { readonly kind: 'health'; readonly problem: string | undefined }
  | OrdersNews;

/** News of the storage thread for the server's log. */
export type OrdersNews =
  /** The database is of an earlier version: its migration can take minutes. */
  | { readonly kind: 'migrating'; readonly bytes: number }
  /** The end of the audit log, as `gazetteer verify --head` takes it. */
  | { readonly kind: 'head'; readonly head: string }
  /** Why the write-ahead log has grown; undefined when it was truncated again. */
  | { readonly kind: 'wal'; readonly problem: string | undefined; readonly bytes: number };

/** What a server thread gets: a port to the storage thread, or why there is none. */
export type OrdersConnection =
  | { readonly port: MessagePort }
  | { readonly port?: undefined; readonly unavailable: string };

/** From a server thread: calls of the store, in the order that they were made. */
export interface RepositoryCalls {
  /** The number of the first call; the others follow. */
  readonly first: number;
  readonly operations: readonly RepositoryOperation[];
}

/** To a server thread: results of some of its calls. */
export interface RepositoryReturns {
  readonly numbers: readonly number[];
  readonly results: readonly RepositoryResult[];
}
