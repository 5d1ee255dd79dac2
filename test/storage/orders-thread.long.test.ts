/** The storage thread: groups what waits, survives its death, and stops after its work. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { START_POSITION } from '../../src/fhir/stored/repository.ts';
import { RepositoryError } from '../../src/fhir/stored/repository-error.ts';
import { type DataFolder, openDataFolder } from '../../src/storage/files/data-folder.ts';
import { StorageError } from '../../src/storage/files/storage-error.ts';
import { CHAIN_START, headText } from '../../src/storage/repository/audit-chain.ts';
import { SnapshotReader } from '../../src/storage/sqlite/snapshot-reader.ts';
import { fileReader, startOrdersThread } from '../../src/storage/sqlite/start-orders-thread.ts';
import { ReaderClient } from '../../src/storage/threads/reader-client.ts';
import {
  createRepositoryClient,
  type RepositoryClient,
} from '../../src/storage/threads/repository-client.ts';
import type { OrdersNews } from '../../src/storage/threads/repository-messages.ts';
import { commitSignalOf } from '../../src/storage/threads/serve-ports.ts';
import type { OrdersThread } from '../../src/storage/threads/storage-thread.ts';
import { describeAuditSearch } from './audit-search.contract.ts';
import { describeAuditedChanges, describeChangeFeed } from './change-feed.contract.ts';
import { describeWaitingFeed } from './feed-criteria.contract.ts';
import {
  ACCESS,
  createOrder,
  describeAuditedRepository,
  describeRepository,
  TYPE,
} from './repository.contract.ts';
import {
  createOperation,
  entriesOf,
  openStore,
  placeInThread,
  temporaryPlace,
  verdictOf,
} from './repository-place.ts';
import { describeAuditedSearch, describeSearch } from './search.contract.ts';
import { describeAuditedTransactions, describeTransactions } from './transaction.contract.ts';

describeRepository(placeInThread);
describeChangeFeed(placeInThread);
describeWaitingFeed(placeInThread);
describeAuditedChanges(placeInThread);
describeAuditedRepository(placeInThread);
describeSearch(placeInThread);
describeAuditedSearch(placeInThread);
describeAuditSearch(placeInThread);
describeTransactions(placeInThread);
describeAuditedTransactions(placeInThread);

describe('the storage thread', () => {
  let place: ReturnType<typeof temporaryPlace>;
  let folder: DataFolder;
  let threads: OrdersThread[];
  let clients: RepositoryClient[];

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
    const client = createRepositoryClient(thread.connect());
    clients.push(client);
    return client;
  };

  it('erases what is older than the retention time, and keeps the rest', async () => {
    const old = openStore(folder, { now: () => new Date('2020-01-01T00:00:00Z') });
    old.runBatch(Array.from({ length: 70 }, (_, at) => createOperation(`old-${at}`)));
    old.close();
    const store = clientOf(await start({ retentionDays: 30 }));
    await createOrder(store, 'young');
    const isErased = async (id: string) =>
      (await store.read({ type: TYPE, id }, { ...ACCESS, interaction: 'read' }))?.isErased === true;
    // The last one is erased last, and a test that waits for it in vain times out.
    while (!(await isErased('old-69'))) await setImmediate();
    assert.equal(await isErased('old-0'), true);
    assert.equal(await isErased('young'), false);
    await threads.pop()?.stop();
    assert.deepEqual(verdictOf(folder).findings, []);
  });

  it('wakes readers at its start: the thread before may have ended just after a commit', async () => {
    const { port, counters } = { counters: undefined, ...(await start()).connect() };
    port?.close();
    assert.ok(counters !== undefined && commitSignalOf(counters).count > 0);
  });

  it('says that the disk fails if a read fails', (context) => {
    openStore(folder).close();
    const reader = new SnapshotReader(folder.ordersDatabase);
    context.after(() => reader.close());
    const request = { types: [TYPE], count: 9, lengthMax: 1e9, order: 'oldest-first' } as const;
    const answer = () => reader.answer({ kind: 'changes', request }, 0);
    // SQLITE_IOERR_READ, after which the transaction has ended.
    const fail = () => {
      throw Object.assign(new Error('disk I/O error'), { errcode: 266 });
    };
    const mocks = (['all', 'get', 'iterate'] as const).map((name) =>
      context.mock.method(StatementSync.prototype, name, fail),
    );
    assert.throws(answer, (error) => error instanceof StorageError && error.kind === 'disk');
    for (const { mock } of mocks) mock.restore();
    assert.equal(answer().kind, 'changes');
  });

  it('reports why a search failed, and its client gets the reason', async (context) => {
    openStore(folder).close();
    const faults: string[] = [];
    const reader = new ReaderClient(fileReader(folder.ordersDatabase), ({ message }) =>
      faults.push(message),
    );
    context.after(() => reader.close());
    const request = { types: [TYPE], count: 9, lengthMax: 1e9, order: 'oldest-first' } as const;
    assert.equal((await reader.changes(request)).kind, 'changes');
    writeFileSync(folder.ordersDatabase, 'not a database '.repeat(10_000));
    // The pages of the database that the first call did not need are not in memory.
    const search = { ...request, criteria: [], sort: [], candidatesMax: 9, keepMs: 1 };
    await assert.rejects(
      reader.search({ ...search, type: TYPE, parameters: '' }),
      (error) => error instanceof RepositoryError && /is damaged\. Nothing was/.test(error.message),
    );
    assert.match(String(faults), /orders\.db: the database is damaged; restore a backup/);
  });

  it('is read by no thread after the client was closed', async () => {
    openStore(folder).close();
    const reader = new ReaderClient(fileReader(folder.ordersDatabase));
    const request = { types: [TYPE], count: 9, lengthMax: 1e9, order: 'oldest-first' } as const;
    assert.equal((await reader.changes(request)).kind, 'changes');
    reader.close();
    await assert.rejects(reader.changes(request), RepositoryError);
  });

  it('shows a client each change that another client has seen', async () => {
    const thread = await start();
    const [writer, follower] = [clientOf(thread), clientOf(thread)];
    let position = START_POSITION;
    for (let at = 0; at < 20; at++) {
      await createOrder(writer, `${at}`);
      const page = await follower.changes(
        { types: [TYPE], count: 9, lengthMax: 1e9, order: 'oldest-first', position },
        { ...ACCESS, interaction: 'history-type' },
      );
      assert.ok(page.kind === 'found');
      assert.deepEqual(
        page.versions.map(({ id }) => id),
        [`${at}`],
      );
      position = page.end;
    }
  });

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

  it('handles all calls before it stops, and records its counts', async () => {
    const thread = await start({ limits: { stopMs: 600_000 } });
    const [busy, store] = [clientOf(thread), clientOf(thread)];
    await store.recordRefusal({ reason: 'unauthenticated', type: TYPE }, ACCESS);
    const create = (by: RepositoryClient, length: number, name: string) =>
      Array.from({ length }, (_, at) => createOrder(by, `${name}-${at}`));
    const first = create(busy, 3000, 'first'); // batches that take their time
    while (thread.counts.batches === 0) await setImmediate();
    const asked = [...first, ...create(busy, 25, 'next'), ...create(store, 25, 'other')];
    await Promise.all([thread.stop(), ...asked]);
    const entries = entriesOf(folder);
    assert.equal(entries.length, 3051);
    assert.equal(entries.at(-1)?.outcome, 'unauthenticated');
    await assert.rejects(createOrder(store, 'late'), RepositoryError);
  });

  it('that dies is replaced, and the waiting calls are rejected', async () => {
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
      assert.ok(error instanceof RepositoryError);
      assert.match(error.message, /may or may not be stored/);
      return true;
    });
    await assert.rejects(createOrder(store, 'meanwhile'), /is starting\. Nothing was stored/);
    await hasRestarted;
    assert.deepEqual(faults, ['a death for a test']);
    store.reconnect(thread.connect());
    assert.equal((await createOrder(store, 'after')).kind, 'stored');
    assert.equal((await store.read({ type: TYPE, id: 'before' }, ACCESS))?.version, 1);
    assert.deepEqual(verdictOf(folder).findings, []);
  });

  it('that cannot start again is tried again until it can, and the reason is reported once', async () => {
    const faults: string[] = [];
    const enoughStarts = Promise.withResolvers<void>();
    const restarted = Promise.withResolvers<void>();
    let starts = 0;
    const thread = await start({
      script: new URL('./frail-orders-thread.ts', import.meta.url),
      limits: { pauseMs: 1, pauseMsMax: 10 },
      claim: () => {
        starts += 1;
        if (starts === 5) enoughStarts.resolve();
      },
      onFault: ({ message }) => faults.push(message),
      onRestart: () => restarted.resolve(),
    });
    const store = clientOf(thread);
    assert.equal(thread.problem, undefined);
    await createOrder(store, 'before');
    const key = readFileSync(folder.auditKey);
    rmSync(folder.auditKey);
    await assert.rejects(createOrder(store, 'die'), RepositoryError);
    await enoughStarts.promise;
    assert.match(thread.problem ?? '', /audit\.key: missing/);
    assert.deepEqual([faults.length, faults[1]], [2, thread.problem]);
    store.reconnect(thread.connect());
    await assert.rejects(
      createOrder(store, 'meanwhile'),
      /is missing or wrong\. Nothing was stored/,
    );
    writeFileSync(folder.auditKey, key, { mode: 0o600 });
    await restarted.promise;
    assert.equal(thread.problem, undefined);
    store.reconnect(thread.connect());
    await createOrder(store, 'after');
    await thread.stop();
    assert.equal(thread.problem, 'stopping');
  });

  it('has a problem from a failed batch on, until it finds by itself that it can write', async () => {
    const recovered = Promise.withResolvers<void>();
    const thread = await start({
      script: new URL('./frail-orders-thread.ts', import.meta.url),
      onRecovery: () => recovered.resolve(),
    });
    const store = clientOf(thread);
    await createOrder(store, 'before');
    assert.equal(thread.problem, undefined);
    await assert.rejects(createOrder(store, 'fill'), /no space left .* Nothing was stored/);
    await assert.rejects(createOrder(store, 'full'), RepositoryError);
    assert.match(thread.problem ?? '', /orders\.db: there is no space left/);
    writeFileSync(join(folder.path, 'room'), '');
    await recovered.promise;
    assert.equal(thread.problem, undefined);
    await createOrder(store, 'after');
    assert.equal(verdictOf(folder).versions, 2);
  });

  it('starts on a full disk too, and opens the database when there is room', async () => {
    const hasRestarted = Promise.withResolvers<void>();
    writeFileSync(join(folder.path, 'full'), '');
    let claims = 0;
    const thread = await start({
      script: new URL('./frail-orders-thread.ts', import.meta.url),
      claim: () => claims++,
      onRestart: () => hasRestarted.resolve(),
    });
    assert.match(thread.problem ?? '', /orders\.db: there is no space left/);
    await assert.rejects(createOrder(clientOf(thread), 'full'), /no space left .* Nothing was/);
    writeFileSync(join(folder.path, 'room'), '');
    await hasRestarted.promise;
    assert.equal(thread.problem, undefined);
    assert.ok(claims >= 2, 'the folder is claimed before each start');
    await createOrder(clientOf(thread), 'after');
  });

  it('tells the head of the audit log when it starts and when it stops', async () => {
    const news: OrdersNews[] = [];
    const thread = await start({ onNews: (each) => news.push(each) });
    const store = clientOf(thread);
    await createOrder(store, 'a');
    await store.recordRefusal({ reason: 'unauthenticated', type: TYPE }, ACCESS);
    await thread.stop();
    const { head } = verdictOf(folder);
    assert.equal(head.number, 2);
    assert.deepEqual(news, [
      { kind: 'head', head: headText(CHAIN_START) },
      { kind: 'head', head: headText(head) },
    ]);
  });

  it('is not asked what cannot be handed over; what was asked with it is done', async () => {
    const thread = await start();
    const store = clientOf(thread);
    const [first, odd, last] = await Promise.allSettled([
      createOrder(store, 'a'),
      store.read(Object.assign({ type: TYPE, id: 'a' }, { odd: () => {} }), ACCESS),
      createOrder(store, 'b'),
    ]);
    assert.equal(first.status, 'fulfilled');
    assert.equal(last.status, 'fulfilled');
    assert.ok(odd.status === 'rejected' && !(odd.reason instanceof RepositoryError));
    assert.match(String(odd.reason), /could not be cloned/);
    assert.equal((await store.read({ type: TYPE, id: 'b' }, ACCESS))?.version, 1);
  });

  it('counts a commit only where there is something to write', async () => {
    const thread = await start();
    const store = clientOf(thread);
    await store.recordRefusal({ reason: 'unauthenticated', type: TYPE }, ACCESS);
    const { batches, operations } = thread.counts;
    assert.deepEqual([batches, operations], [0, 1]);
    await createOrder(store, 'a');
    await store.read({ type: TYPE, id: 'a' }, ACCESS);
    const { batches: commits, writes } = thread.counts;
    assert.deepEqual([commits, writes], [2, 1]);
  });

  it('does not start with a log whose key is gone', async () => {
    const store = openStore(folder);
    store.runBatch([createOperation('a')]);
    store.close();
    rmSync(folder.auditKey);
    await assert.rejects(start(), { name: 'StorageError', message: /audit\.key: missing or/ });
  });
});
