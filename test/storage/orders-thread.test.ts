/** The storage thread: groups what waits, survives its death, and stops after its work. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { OrderStoreError } from '../../src/order-response/store.ts';
import { type DataFolder, openDataFolder } from '../../src/storage/data-folder.ts';
import {
  createOrderStoreClient,
  type OrderStoreClient,
} from '../../src/storage/order-store-client.ts';
import { type OrdersThread, startOrdersThread } from '../../src/storage/start-orders-thread.ts';
import {
  createOperation,
  entriesOf,
  openStore,
  placeInThread,
  temporaryPlace,
  verdictOf,
} from './order-place.ts';
import { ACCESS, createOrder, describeOrderStore } from './order-store.contract.ts';

describeOrderStore(placeInThread);

describe('the storage thread', () => {
  let place: ReturnType<typeof temporaryPlace>;
  let folder: DataFolder;
  let threads: OrdersThread[];
  let clients: OrderStoreClient[];

  beforeEach(() => {
    place = temporaryPlace();
    folder = openDataFolder(join(place.path, 'data'));
    threads = [];
    clients = [];
  });
  afterEach(async () => {
    for (const client of clients) client.close();
    await Promise.all(threads.map((thread) => thread.stop()));
    place.remove();
  });

  const start = async (options: Partial<Parameters<typeof startOrdersThread>[0]> = {}) => {
    const thread = await startOrdersThread({
      folder,
      onFault: () => {},
      onRestart: () => {},
      ...options,
    });
    threads.push(thread);
    return thread;
  };
  const clientOf = (thread: OrdersThread) => {
    const client = createOrderStoreClient(thread.connect());
    clients.push(client);
    return client;
  };

  it('writes what many clients ask for with few syncs', async () => {
    const thread = await start();
    const stores = [clientOf(thread), clientOf(thread)];
    const clientsWaiting = Array.from({ length: 64 }, async (_, client) => {
      const store = stores[client % 2];
      for (let at = 0; at < 10; at++) await createOrder(store!, `${client}-${at}`);
    });
    await Promise.all(clientsWaiting);
    const { writes, operations, batches, largestBatch, failures } = thread.counts;
    assert.deepEqual([writes, operations, failures], [640, 640, 0]);
    assert.ok(batches <= 640 / 4, `${batches} batches`);
    assert.ok(largestBatch >= 16, `${largestBatch}`);
    assert.equal(verdictOf(folder).versions, 640);
  });

  it('does all that was asked before it stops, and puts down what it counted', async () => {
    const thread = await start();
    const store = clientOf(thread);
    await store.refuse({ reason: 'unauthenticated' }, ACCESS);
    const created = Array.from({ length: 50 }, (_, at) => createOrder(store, `id-${at}`));
    await Promise.all(created);
    await thread.stop();
    const entries = entriesOf(folder);
    assert.equal(entries.length, 51);
    assert.equal(entries.at(-1)?.outcome, 'unauthenticated');
    await assert.rejects(createOrder(store, 'late'), OrderStoreError);
  });

  it('that dies is replaced; what waited for it is told so', async () => {
    let restarted = () => {};
    const faults: string[] = [];
    const hasRestarted = new Promise<void>((resolve) => {
      restarted = resolve;
    });
    const thread = await start({
      script: new URL('./frail-orders-thread.ts', import.meta.url),
      onFault: ({ message }) => faults.push(message),
      onRestart: () => restarted(),
    });
    const store = clientOf(thread);
    await createOrder(store, 'before');
    await assert.rejects(createOrder(store, 'die'), (error) => {
      assert.ok(error instanceof OrderStoreError);
      assert.match(error.message, /whether this was stored is not known/);
      return true;
    });
    await assert.rejects(createOrder(store, 'meanwhile'), /is starting\. Nothing was stored/);
    await hasRestarted;
    assert.deepEqual(faults, ['a death for a test']);
    store.reconnect(thread.connect());
    assert.equal((await createOrder(store, 'after')).kind, 'stored');
    assert.equal((await store.read({ id: 'before' }, ACCESS))?.version, 1);
    assert.deepEqual(verdictOf(folder).findings, []);
  });

  it('does not start with a log whose key is gone', async () => {
    const store = openStore(folder);
    store.runBatch([createOperation('a')]);
    store.close();
    rmSync(folder.auditKey);
    await assert.rejects(start(), { name: 'StorageError', message: /audit\.key: missing/ });
  });
});
