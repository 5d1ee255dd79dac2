/** The messages between the storage thread and the other threads. */
import type { MessagePort } from 'node:worker_threads';
import type { StorageErrorKind } from '../files/storage-error.ts';
import type { ReaderProgram } from './reader-messages.ts';

/** The data that every storage thread gets at its start. */
export interface StorageThreadData {
  /** Its counters, shared with the main thread; see `serve-ports.ts`. */
  readonly counters: SharedArrayBuffer;
  /** The thread erases a resource after this many days without a write; 0: never. */
  readonly retentionDays: number;
  /** Whether results say when their batch ran. */
  readonly isTimed: boolean;
}

/** From the main thread. */
export type ToOrdersThread =
  /** Handle the calls of one more server thread, over this port. */
  | { readonly kind: 'connect'; readonly port: MessagePort }
  /** Handle the messages that have arrived, then end. */
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
  /** How many of all resources the search index has, while it is filled. */
  | { readonly kind: 'indexing'; readonly resources: number; readonly total: number }
  /** How many of all entries the index of the audit log has, while it is filled. */
  | { readonly kind: 'indexing'; readonly entries: number; readonly total: number }
  /** The end of the audit log, as `gazetteer verify --head` takes it. */
  | { readonly kind: 'head'; readonly head: string }
  /** A server of the same database has another base URL. `other` is null if it has none. */
  | { readonly kind: 'baseUrl'; readonly node: string; readonly other: string | null }
  /** The number of losses of stored writes that no operator has confirmed. */
  | { readonly kind: 'losses'; readonly count: number }
  /** Why the write-ahead log has grown; undefined when it was truncated again. */
  | { readonly kind: 'wal'; readonly problem: string | undefined; readonly bytes: number };

/** The connection of a server thread: a port to the storage thread, or the reason why it has no port. */
export type OrdersConnection =
  | {
      readonly port: MessagePort;
      readonly reader: ReaderProgram;
      /** The counters of the storage thread, with its commit signal; see `serve-ports.ts`. */
      readonly counters: SharedArrayBuffer;
      /** Calls without an answer after this time fail. Absent: they wait. */
      readonly answerMs?: number | undefined;
    }
  | { readonly port?: undefined; readonly unavailable: string };
