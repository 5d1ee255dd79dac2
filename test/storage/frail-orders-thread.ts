/** A storage thread for tests, which dies when it is to create the order response `die`. */
import { parentPort } from 'node:worker_threads';
import { SqliteOrderStore } from '../../src/storage/sqlite/order-store.ts';

const { runBatch } = SqliteOrderStore.prototype;
SqliteOrderStore.prototype.runBatch = function (operations) {
  for (const operation of operations) {
    if (operation.kind === 'create' && operation.creation.id === 'die') {
      parentPort?.unref();
      throw new Error('a death for a test');
    }
  }
  return runBatch.call(this, operations);
};

await import('../../src/storage/orders-thread.ts');
