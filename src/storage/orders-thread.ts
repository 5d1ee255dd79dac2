/** What the storage thread runs: it alone writes `orders.db`, for all server threads. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createOrderBatches } from './order-batches.ts';
import { countBatch } from './order-counters.ts';
import type {
  FromOrdersThread,
  OrderCalls,
  OrdersThreadData,
  ToOrdersThread,
} from './order-messages.ts';
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
    const results = store.runBatch(operations);
    let writes = 0;
    let failures = 0;
    for (const { kind, ...result } of results) {
      if (kind === 'unavailable' || kind === 'fault') failures++;
      else if ('value' in result && isWrite(result.value)) writes++;
    }
    countBatch(counters, { operations: operations.length, writes, failures });
    return results;
  });
  const timer = setInterval(() => store.recordRefusals(), RECORD_REFUSALS_MS);

  main?.on('message', (message: ToOrdersThread) => {
    switch (message.kind) {
      case 'connect': {
        const { port } = message;
        ports.add(port);
        port.on('message', ({ first, operations }: OrderCalls) =>
          batches.add(port, first, operations),
        );
        port.on('close', () => ports.delete(port));
        break;
      }
      case 'stop':
        clearInterval(timer);
        batches.flush();
        store.close();
        for (const port of ports) port.close();
        main?.close();
        break;
    }
  });
  tell({ kind: 'ready' });
}

function isWrite(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'stored';
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
