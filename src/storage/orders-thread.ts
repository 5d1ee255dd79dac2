/** What the storage thread runs: it alone writes `orders.db`, for all server threads. */
import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from 'node:worker_threads';
import { createOrderBatches } from './order-batches.ts';
import { countBatch } from './order-counters.ts';
import type {
  FromOrdersThread,
  OrderCalls,
  OrdersThreadData,
  ToOrdersThread,
} from './order-messages.ts';
import type { OrderResult } from './order-operation.ts';
import { SqliteOrderStore } from './sqlite/order-store.ts';
import { openOrdersDatabase } from './sqlite/orders-database.ts';
import { StorageError } from './storage-error.ts';

const { folder, counters }: OrdersThreadData = workerData;
const main = parentPort;
if (main === null) throw new Error('orders-thread.ts is run by start-orders-thread.ts as a thread');

/** They are put down when their minute is over, also when nobody asks for anything. */
const RECORD_REFUSALS_MS = 10_000;

const TELL_AGAIN_MS = 10_000;
let told = { message: '', ms: 0 };

const store = openStore();
if (store !== undefined) serveStore(store);

function openStore(): SqliteOrderStore | undefined {
  try {
    return new SqliteOrderStore(openOrdersDatabase(folder), {
      onFault: tellFault,
    });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    tell({ kind: 'unusable', error: error.kind, message: error.message });
    return undefined;
  }
}

function serveStore(store: SqliteOrderStore): void {
  const ports = new Set<MessagePort>();
  const batches = createOrderBatches((operations) => {
    const { commits } = store;
    const results = store.runBatch(operations);
    countBatch(counters, {
      commits: store.commits - commits,
      operations: operations.length,
      writes: results.filter(isWrite).length,
      failures: results.filter(isFailure).length,
    });
    return results;
  });
  const timer = setInterval(() => store.recordRefusals(), RECORD_REFUSALS_MS);

  const connect = (port: MessagePort) => {
    ports.add(port);
    port.on('message', ({ first, operations }: OrderCalls) => batches.add(port, first, operations));
    port.on('close', () => ports.delete(port));
  };

  const stop = () => {
    clearInterval(timer);
    // Of what came over several ports nobody knows what was first: all of it is done.
    for (const port of ports) {
      for (const { first, operations } of received<OrderCalls>(port)) {
        batches.add(port, first, operations);
      }
    }
    batches.flush();
    store.close();
    for (const port of ports) port.close();
    main?.close();
  };

  main?.on('message', (message: ToOrdersThread) => {
    if (message.kind === 'connect') connect(message.port);
    else stop();
  });
  tell({ kind: 'ready' });
}

/** What has come over a port, and was not heard yet. */
function* received<Message>(port: MessagePort): Generator<Message> {
  for (;;) {
    const next: { message: Message } | undefined = receiveMessageOnPort(port);
    if (next === undefined) return;
    yield next.message;
  }
}

function isWrite(result: OrderResult): boolean {
  switch (result.kind) {
    case 'create':
    case 'update':
      return result.value.kind === 'stored';
    default:
      return false;
  }
}

function isFailure({ kind }: OrderResult): boolean {
  return kind === 'unavailable' || kind === 'fault';
}

/** A full disk fails every batch: the same reason is told now and then. */
function tellFault({ name, message }: Error): void {
  const nowMs = performance.now();
  if (message === told.message && nowMs < told.ms + TELL_AGAIN_MS) return;
  told = { message, ms: nowMs };
  tell({ kind: 'fault', type: name, message });
}

function tell(message: FromOrdersThread): void {
  main?.postMessage(message);
}
