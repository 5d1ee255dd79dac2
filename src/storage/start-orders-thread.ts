/** Starts the storage thread of order responses, starts it again when it dies, and stops it. */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { DataFolder } from './data-folder.ts';
import { fileLength } from './file-length.ts';
import {
  createRepositoryCounters,
  type RepositoryCounts,
  repositoryCounts,
} from './repository-counters.ts';
import type {
  FromOrdersThread,
  OrdersConnection,
  OrdersNews,
  OrdersThreadData,
  ToOrdersThread,
} from './repository-messages.ts';
import { StorageError, type StorageErrorKind } from './storage-error.ts';
import { STARTING as CALL_AGAIN, UNAVAILABLE } from './unavailable.ts';

export interface OrdersThreadOptions {
  readonly folder: DataFolder;
  /** The file that the thread runs; tests have others. */
  readonly script?: URL;
  /**
   * Called before each start of a thread; throws where this process must not write to the
   * folder.
   */
  readonly claim?: () => void;
  /** Why something could not be stored, why a thread died, and, at each change, why none starts. */
  readonly onFault: (fault: { readonly type: string; readonly message: string }) => void;
  /** A new thread is there in place of one that died: everybody needs a new connection. */
  readonly onRestart: () => void;
  /** The reason changed why no thread starts: everybody needs a new connection, which tells it. */
  readonly onStartFailed?: () => void;
  /** Called when the store can write again after a failure. */
  readonly onRecovery?: () => void;
  readonly onNews?: (news: OrdersNews) => void;
}

export interface OrdersThread {
  /** A connection of its own for a server thread: `createRepositoryClient` takes it. */
  connect(): OrdersConnection;
  readonly counts: RepositoryCounts;
  /** The size of the write-ahead log. */
  readonly walBytes: number;
  /** Why the store cannot write now; undefined where it can. */
  readonly problem: string | undefined;
  /** Resolves when all that has come is done and the database is closed. */
  stop(): Promise<void>;
}

/**
 * Resolves when the database is open, and also where the disk cannot be written now: the thread
 * then tries again until it can. Rejects with a `StorageError` where the database cannot be
 * used.
 */
export async function startOrdersThread(options: OrdersThreadOptions): Promise<OrdersThread> {
  const { folder, claim, onFault, onRestart, onStartFailed, onRecovery, onNews } = options;
  const { script = THREAD } = options;
  const counters = createRepositoryCounters();
  const workerData: OrdersThreadData = { folder, counters };
  let worker: Worker | undefined;
  let pause: NodeJS.Timeout | undefined;
  let pauseMs = RESTART_PAUSE_MS;
  let problem: string | undefined = STARTING;
  /** Why the last start failed. */
  let startError: Error | undefined;
  let isStopping = false;

  /** Resolves when it is ready. Whatever ends it later is heard by `onEnd`. */
  const start = (onEnd: () => void) =>
    new Promise<void>((resolve, reject) => {
      claim?.();
      const started = new Worker(script, { workerData });
      worker = started;
      let wasReady = false;
      let reason: Error | undefined;
      started.on('message', (message: FromOrdersThread) => {
        switch (message.kind) {
          case 'ready':
            wasReady = true;
            startError = undefined;
            if (!isStopping) problem = undefined;
            pauseMs = RESTART_PAUSE_MS;
            resolve();
            break;
          case 'unusable':
            reason = new StorageError(message.error, message.message);
            break;
          case 'fault':
            onFault(message);
            break;
          case 'health':
            if (!isStopping) problem = message.problem;
            if (wasReady && message.problem === undefined) onRecovery?.();
            break;
          case 'head':
          case 'wal':
            onNews?.(message);
            break;
        }
      });
      started.on('error', (error) => {
        reason = error instanceof Error ? error : new Error(String(error));
      });
      started.on('exit', () => {
        if (worker === started) worker = undefined;
        if (!isStopping) problem = reason?.message ?? STARTING;
        if (!wasReady) {
          reject(reason ?? new Error('the storage thread ended at its start'));
          return;
        }
        if (reason !== undefined) onFault({ type: reason.name, message: reason.message });
        onEnd();
      });
    });

  const restart = () => {
    if (isStopping) return;
    // One that dies at once would die for ever: not at full speed, and ever more rarely.
    pause = setTimeout(() => {
      const started = () => (isStopping ? post({ kind: 'stop' }) : onRestart());
      start(restart).then(started, startFailed);
    }, pauseMs);
    pauseMs = Math.min(2 * pauseMs, RESTART_PAUSE_MS_MAX);
  };

  const startFailed = (error: Error) => {
    const isNew = error.message !== startError?.message;
    startError = error;
    problem = error.message;
    if (isNew) {
      onFault({ type: error.name, message: error.message });
      onStartFailed?.();
    }
    restart();
  };

  const post = (message: ToOrdersThread, ports: MessagePort[] = []) =>
    worker?.postMessage(message, ports);

  await start(restart).catch((error) => {
    if (!(error instanceof StorageError && MENDED_MEANWHILE.has(error.kind))) throw error;
    startFailed(error);
  });
  return {
    connect: () => {
      if (startError instanceof StorageError) return { unavailable: UNAVAILABLE[startError.kind] };
      if (worker === undefined) return { unavailable: CALL_AGAIN };
      const { port1, port2 } = new MessageChannel();
      post({ kind: 'connect', port: port2 }, [port2]);
      return { port: port1 };
    },
    get counts() {
      return repositoryCounts(counters);
    },
    get walBytes() {
      return fileLength(`${folder.ordersDatabase}-wal`);
    },
    get problem() {
      return problem;
    },
    stop: async () => {
      isStopping = true;
      problem = 'stopping';
      clearTimeout(pause);
      const stopping = worker;
      if (stopping === undefined) return;
      await null; // clients post what was asked in this turn at its end
      const ended = new Promise((resolve) => stopping.once('exit', resolve));
      post({ kind: 'stop' });
      const timer = setTimeout(() => void stopping.terminate(), STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

const THREAD = new URL('./orders-thread.ts', import.meta.url);
const STARTING = 'the store of order responses is starting';

/** Problems that can end while the server runs, so that no restart is needed. */
const MENDED_MEANWHILE: ReadonlySet<StorageErrorKind> = new Set([
  'full',
  'read-only',
  'disk',
  'unsynced',
]);

const RESTART_PAUSE_MS = 200;
/** Whoever mends what keeps it from starting does not wait long for it. */
const RESTART_PAUSE_MS_MAX = 10_000;
/** A batch and closing take milliseconds; a disk that hangs must not hold the process for ever. */
const STOP_MS = 10_000;
