/** Starts the storage thread of order responses, starts it again when it dies, and stops it. */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { DataFolder } from './data-folder.ts';
import { createOrderCounters, type OrderCounts, orderCounts } from './order-counters.ts';
import type { FromOrdersThread, OrdersThreadData, ToOrdersThread } from './order-messages.ts';
import { StorageError } from './storage-error.ts';

export interface OrdersThreadOptions {
  readonly folder: DataFolder;
  /** The file that the thread runs; tests have others. */
  readonly script?: URL;
  /** Why something could not be stored, and why a thread died. */
  readonly onFault: (fault: { readonly type: string; readonly message: string }) => void;
  /** A new thread is there in place of one that died: everybody needs a new port. */
  readonly onRestart: () => void;
}

export interface OrdersThread {
  /** A port of its own for a server thread: `createOrderStoreClient` takes it. */
  connect(): MessagePort;
  readonly counts: OrderCounts;
  /** Whether calls are taken: not while a thread that died is replaced. */
  readonly isReady: boolean;
  /** Resolves when all that has come is done and the database is closed. */
  stop(): Promise<void>;
}

/** Resolves when the database is open; rejects with a `StorageError` where it cannot be used. */
export async function startOrdersThread(options: OrdersThreadOptions): Promise<OrdersThread> {
  const { folder, onFault, onRestart, script = THREAD } = options;
  const counters = createOrderCounters();
  const workerData: OrdersThreadData = { folder, counters };
  let worker: Worker | undefined;
  let pause: NodeJS.Timeout | undefined;
  let pauseMs = RESTART_PAUSE_MS;
  let isReady = false;
  let isStopping = false;

  /** Resolves when it is ready. Whatever ends it later is heard by `onEnd`. */
  const start = (onEnd: () => void) =>
    new Promise<void>((resolve, reject) => {
      const started = new Worker(script, { workerData });
      worker = started;
      let wasReady = false;
      let reason: Error | undefined;
      started.on('message', (message: FromOrdersThread) => {
        switch (message.kind) {
          case 'ready':
            wasReady = true;
            isReady = !isStopping;
            pauseMs = RESTART_PAUSE_MS;
            resolve();
            break;
          case 'unusable':
            reason = new StorageError(message.error, message.message);
            break;
          case 'fault':
            onFault(message);
            break;
        }
      });
      started.on('error', (error) => {
        reason = error instanceof Error ? error : new Error(String(error));
      });
      started.on('exit', () => {
        if (worker === started) worker = undefined;
        isReady = false;
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
      start(restart).then(started, (error) => {
        onFault({ type: error.name, message: error.message });
        restart();
      });
    }, pauseMs);
    pauseMs = Math.min(2 * pauseMs, RESTART_PAUSE_MS_MAX);
  };

  const post = (message: ToOrdersThread, ports: MessagePort[] = []) =>
    worker?.postMessage(message, ports);

  await start(restart);
  return {
    connect: () => {
      const { port1, port2 } = new MessageChannel();
      if (worker === undefined) port2.close();
      else post({ kind: 'connect', port: port2 }, [port2]);
      return port1;
    },
    get counts() {
      return orderCounts(counters);
    },
    get isReady() {
      return isReady;
    },
    stop: async () => {
      isStopping = true;
      isReady = false;
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
const RESTART_PAUSE_MS = 200;
/** Whoever mends what keeps it from starting does not wait long for it. */
const RESTART_PAUSE_MS_MAX = 10_000;
/** A batch and closing take milliseconds; a disk that hangs must not hold the process for ever. */
const STOP_MS = 10_000;
