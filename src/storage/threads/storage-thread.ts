/** The storage thread of order responses as the main thread sees it. */

import { MessageChannel, Worker } from 'node:worker_threads';
import { FOR_BACKGROUND } from '../../threads/heap-limits.ts';
import { SupervisedThread, type ThreadDeath, type ThreadLimits } from '../../threads/supervisor.ts';
import { StorageError, type StorageErrorKind } from '../files/storage-error.ts';
import { STARTING as CALL_AGAIN, UNAVAILABLE } from '../files/unavailable.ts';
import type { ReaderProgram } from './reader-messages.ts';
import type {
  FromOrdersThread,
  OrdersConnection,
  OrdersNews,
  StorageThreadData,
  ToOrdersThread,
} from './repository-messages.ts';
import {
  createRepositoryCounters,
  type RepositoryCounts,
  repositoryCounts,
} from './serve-ports.ts';

export interface OrdersThreadOptions {
  /** The content of a resource is erased after this many days without a write. Absent: never. */
  readonly retentionDays?: number | undefined;
  /** Whether the thread reports when each batch ran, for traces. */
  readonly isTimed?: boolean;
  /** The base URL of the links of the server, if it is set. */
  readonly baseUrl?: string | undefined;
  /** The file that the thread runs; tests use others. */
  readonly script?: URL;
  readonly limits?: Partial<ThreadLimits>;
  /**
   * Called before each start of a thread; throws if this process must not write to the
   * folder.
   */
  readonly claim?: () => void;
  /** Called with the reason when a call failed, or when the thread died or could not start. */
  readonly onFault: (fault: { readonly type: string; readonly message: string }) => void;
  /** Called when a new thread is ready: every server thread needs a new connection. */
  readonly onRestart: () => void;
  /**
   * Called when no thread can start, for a new reason: every server thread needs a new
   * connection, which contains the reason.
   */
  readonly onStartFailed?: () => void;
  /** Called when the store can write again after a failure. */
  readonly onRecovery?: () => void;
  readonly onNews?: (news: OrdersNews) => void;
}

export interface OrdersThread {
  /** A connection for one server thread: `createRepositoryClient` takes it. */
  connect(): OrdersConnection;
  readonly counts: RepositoryCounts;
  /** The size of the write-ahead log. */
  readonly walBytes: number;
  /** Why the store cannot write now; undefined if it can. */
  readonly problem: string | undefined;
  /** Resolves when every call that arrived is done and the database is closed. */
  stop(): Promise<void>;
}

/** A kind of storage thread: its program, and how others read what it writes. */
export interface StorageThreadKind {
  readonly program: URL;
  /** What the program gets besides `StorageThreadData`. */
  readonly data: object;
  readonly reader: ReaderProgram;
  /** Calls without an answer after this time fail. Absent: they wait. */
  readonly answerMs?: number;
  /** The size of the write-ahead log. */
  readonly walBytes: () => number;
}

/**
 * Resolves when the database is open, and also if it cannot be written now: the thread then tries
 * again until it can. Rejects with a `StorageError` if the database cannot be used.
 */
export async function startStorageThread(
  options: OrdersThreadOptions,
  { program, data, reader, answerMs, walBytes }: StorageThreadKind,
): Promise<OrdersThread> {
  const { claim, limits = {}, retentionDays = 0, isTimed = false, script = program } = options;
  const counters = createRepositoryCounters();
  const shared: StorageThreadData = { counters, retentionDays, isTimed };
  const health = createHealth(options);
  const thread = new SupervisedThread<ToOrdersThread, FromOrdersThread>({
    name: 'the storage thread',
    start: () => {
      claim?.();
      return new Worker(script, {
        workerData: { ...shared, ...data },
        resourceLimits: FOR_BACKGROUND,
      });
    },
    onMessage: health.hear,
    onReady: health.ready,
    onDeath: health.died,
    mayRestart: ({ error, wasReady }) => wasReady || health.mayRestart(error),
    stopMessage: { kind: 'stop' },
    limits,
  });
  await Promise.race([thread.firstReady, health.firstPause]);
  return {
    connect: () => {
      const { startError } = health;
      if (startError instanceof StorageError) return { unavailable: UNAVAILABLE[startError.kind] };
      if (!thread.isRunning) return { unavailable: CALL_AGAIN };
      const { port1, port2 } = new MessageChannel();
      thread.post({ kind: 'connect', port: port2 }, [port2]);
      return { port: port1, reader, counters, answerMs };
    },
    get counts() {
      return repositoryCounts(counters);
    },
    get walBytes() {
      return walBytes();
    },
    get problem() {
      return health.problem;
    },
    stop: async () => {
      health.stopping();
      await null; // Clients post the calls of this turn at its end.
      await thread.stop();
    },
  };
}

/** Follows why the store cannot write, from the messages and the deaths of its threads. */
function createHealth(options: OrdersThreadOptions) {
  const { onFault, onRestart, onStartFailed, onRecovery, onNews } = options;
  const firstPause = Promise.withResolvers<void>();
  let problem: string | undefined = STARTING;
  let startError: Error | undefined;
  let isReady = false;
  let hasStarted = false;
  let isStopping = false;
  const change = (next: string | undefined) => {
    if (!isStopping) problem = next;
  };

  return {
    /** Resolves when a start failed and is tried again. */
    firstPause: firstPause.promise,
    get problem() {
      return problem;
    },
    /** Why the last start failed. */
    get startError() {
      return startError;
    },
    mayRestart: (error: Error) =>
      hasStarted || (error instanceof StorageError && MENDED_MEANWHILE.has(error.kind)),
    hear: (message: FromOrdersThread): 'ready' | 'slow' | Error | undefined => {
      switch (message.kind) {
        case 'ready':
          return 'ready';
        case 'unusable':
          return new StorageError(message.error, message.message);
        case 'fault':
          onFault(message);
          return undefined;
        case 'health':
          change(message.problem);
          if (isReady && message.problem === undefined) onRecovery?.();
          return undefined;
        default:
          onNews?.(message);
          return SLOW_NEWS.has(message.kind) ? 'slow' : undefined;
      }
    },
    ready: () => {
      const isRestart = hasStarted;
      isReady = true;
      hasStarted = true;
      startError = undefined;
      change(undefined);
      if (isRestart) onRestart();
    },
    died: ({ error, wasReady, pauseMs }: ThreadDeath) => {
      const isNew = error.message !== startError?.message;
      isReady = false;
      change(error.message);
      if (pauseMs === undefined) return;
      hasStarted = true;
      if (wasReady || isNew) onFault({ type: error.name, message: error.message });
      if (wasReady) return;
      startError = error;
      firstPause.resolve();
      if (isNew) onStartFailed?.();
    },
    stopping: () => {
      change('stopping');
      isStopping = true;
    },
  };
}

const STARTING = 'the store of order responses is starting';

/** News of a start that takes longer. */
const SLOW_NEWS: ReadonlySet<OrdersNews['kind']> = new Set(['migrating', 'indexing']);

/** Problems that can end while the server runs, so that no restart is needed. */
const MENDED_MEANWHILE: ReadonlySet<StorageErrorKind> = new Set([
  'full',
  'read-only',
  'disk',
  'unsynced',
  'unreachable',
]);
