/** The storage thread of a database: it waits for the database, answers without it, and recovers. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { SearchStart } from '../../../src/fhir/stored/repository.ts';
import { RepositoryError } from '../../../src/fhir/stored/repository-error.ts';
import { withConnection } from '../../../src/storage/postgres/connection/connection.ts';
import { parseDatabaseUrl } from '../../../src/storage/postgres/connection/database-url.ts';
import { openOrdersDatabase } from '../../../src/storage/postgres/orders/orders-database.ts';
import { migrateDatabase } from '../../../src/storage/postgres/schema/schema.ts';
import { startDatabaseThread } from '../../../src/storage/postgres/start-database-thread.ts';
import { addWriter, noteHeads } from '../../../src/storage/postgres/tables/audit-writers.ts';
import { createRepositoryClient } from '../../../src/storage/threads/repository-client.ts';
import type { OrdersNews } from '../../../src/storage/threads/repository-messages.ts';
import type { OrdersThread } from '../../../src/storage/threads/storage-thread.ts';
import { runInProcess } from '../../cli/run-in-process.ts';
import { ACCESS, createOrder, TYPE } from '../repository.contract.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

const SEARCH: SearchStart = {
  type: TYPE,
  criteria: [],
  sort: [],
  count: 9,
  lengthMax: 1e9,
  candidatesMax: 100,
  keepMs: 1,
  parameters: '',
};

describePostgres('the storage thread of a database', () => {
  let server: PostgresServer;
  let folder: string;
  before(async () => {
    server = await startPostgres();
    folder = mkdtempSync(join(tmpdir(), 'gazetteer-thread-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await server.stop();
  });

  interface StartOptions {
    readonly user?: string;
    readonly port?: number;
    readonly failoverSeconds?: number;
    readonly retentionDays?: number;
  }
  const keyFileOf = (database: string) => join(folder, `${database}.key`);
  const start = async (database: string, options: StartOptions = {}) => {
    const { user, port = server.port, failoverSeconds = 3600, retentionDays = 0 } = options;
    const url = server.url(database, user);
    const news: OrdersNews[] = [];
    let restarts = 0;
    const thread = await startDatabaseThread({
      database: {
        address: parseDatabaseUrl(url.replace(`:${server.port}`, `:${port}`)),
        auditKeyFile: keyFileOf(database),
        poolSize: 2,
        // By default, a call that waited for this would never end.
        failoverSeconds,
      },
      retentionDays,
      onFault: () => {},
      onRestart: () => restarts++,
      onNews: (each) => news.push(each),
    });
    return { thread, news, restarts: () => restarts };
  };
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await pause(5);
  };
  const use = async (thread: OrdersThread, id: string) => {
    const store = createRepositoryClient(thread.connect());
    assert.equal((await createOrder(store, id)).kind, 'stored');
    const page = await store.search(SEARCH, { ...ACCESS, interaction: 'search-type' });
    assert.ok(page.kind === 'found' && page.matches.some((each) => each.id === id));
    return store;
  };

  it('makes the tables, stores and finds, and counts', async () => {
    const { thread, news } = await start(await server.createDatabase());
    const store = await use(thread, 'a');
    assert.equal(thread.counts.writes, 1);
    assert.equal(thread.problem, undefined);
    store.close();
    await thread.stop();
    const heads = news.filter(({ kind }) => kind === 'head');
    assert.equal(heads.length, 2, 'at the start and at the end');
  });

  it('answers that nothing was stored while the database is unavailable, and then recovers', async () => {
    const { thread } = await start(await server.createDatabase());
    const store = await use(thread, 'a');
    await server.kill();
    const results = await Promise.allSettled([
      createOrder(store, 'b'),
      store.search(SEARCH, { ...ACCESS, interaction: 'search-type' }),
    ]);
    for (const result of results) {
      assert.ok(result.status === 'rejected' && result.reason instanceof RepositoryError);
      assert.match(result.reason.message, /cannot be reached now\. Nothing was stored/);
    }
    await until(() => thread.problem !== undefined);
    await server.start();
    await until(() => thread.problem === undefined);
    await createOrder(store, 'c');
    store.close();
    await thread.stop();
  });

  it('answers before the time of the setting is over', async (context) => {
    const proxy = await startCuttingProxy(server.port);
    context.after(() => proxy.stop());
    const database = await server.createDatabase();
    const { thread } = await start(database, { port: proxy.port, failoverSeconds: 1 });
    const store = createRepositoryClient(thread.connect());
    proxy.silence();
    await assert.rejects(createOrder(store, 'a'), /may or may not be stored/);
    store.close();
    await proxy.stop();
    await thread.stop();
  });

  it('tells how many losses no operator has confirmed, until the command confirms them', async () => {
    const database = await server.createDatabase();
    const url = server.url(database);
    const orders = await openOrdersDatabase(parseDatabaseUrl(url), keyFileOf(database), {
      mayCreate: true,
    });
    await withConnection(orders.address, { name: 'test' }, (connection) =>
      noteHeads(connection, orders.auditKey, new Map(), Date.now(), { isLost: true }),
    );
    const { thread, news } = await start(database);
    const losses = () => news.flatMap((each) => (each.kind === 'losses' ? each.count : []));
    await until(() => losses().length === 1);
    const confirm = () =>
      runInProcess([
        'database',
        'confirm-losses',
        '--database-url',
        url,
        '--orders-audit-key-file',
        keyFileOf(database),
      ]);
    const confirmed = await confirm();
    assert.match(confirmed.stdout, /^Confirmed\. /, confirmed.stderr);
    await until(() => losses().length === 2);
    assert.deepEqual(losses(), [1, 0]);
    assert.match((await confirm()).stdout, /^No server has noticed lost writes/);
    await thread.stop();
  });

  it('starts while the database is unavailable, and serves when it is available again', async () => {
    const database = await server.createDatabase();
    await server.kill();
    const { thread, restarts } = await start(database);
    const connection = thread.connect();
    assert.ok(connection.port === undefined);
    assert.match(connection.unavailable, /cannot be reached now/);
    assert.match(String(thread.problem), /the database is not reachable/);
    await server.start();
    await until(() => restarts() === 1);
    const store = await use(thread, 'a');
    store.close();
    await thread.stop();
  });

  it('does not start for a role without rights', async () => {
    const database = await server.createDatabase();
    const { thread } = await start(database);
    await thread.stop();
    await server.run('CREATE ROLE stranger LOGIN');
    await assert.rejects(
      start(database, { user: 'stranger' }),
      /permission denied|lacks the rights? /,
    );
    await server.run('GRANT SELECT ON schema_version TO stranger', database);
    await assert.rejects(
      start(database, { user: 'stranger' }),
      /the user stranger lacks the rights .*INSERT on audit_entry.*; run the SQL/,
    );
  });

  it('does not start if another server begins the audit log with another key meanwhile', async () => {
    const database = await server.createDatabase();
    const address = parseDatabaseUrl(server.url(database));
    await migrateDatabase(address);
    await withConnection(address, { name: 'test' }, async (connection) => {
      await addWriter(connection, new Uint8Array(32), Date.now());
    });
    // The thread makes its key, begins an epoch, and then adds a writer.
    await server.run(
      `SET session_replication_role = replica;
       CREATE TABLE other_writer AS TABLE audit_writer;
       DELETE FROM audit_writer;
       DELETE FROM database_epoch;
       CREATE FUNCTION begin_log() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN INSERT INTO audit_writer TABLE other_writer; RETURN NULL; END';
       CREATE TRIGGER begin_log AFTER INSERT ON database_epoch EXECUTE FUNCTION begin_log()`,
      database,
    );
    await assert.rejects(
      start(database),
      /set orders\.auditKeyFile to the key of the other servers/,
    );
  });

  it('erases by age', async () => {
    const database = await server.createDatabase();
    const first = await start(database);
    const store = await use(first.thread, 'a');
    store.close();
    await first.thread.stop();
    await server.run(
      `SET session_replication_role = replica;
       UPDATE resource_version SET written_at = '2001-01-01T00:00:00.000+00:00'`,
      database,
    );
    const { thread } = await start(database, { retentionDays: 30 });
    const isErased = async () => {
      const rows = await server.run('SELECT resource FROM erasure', database);
      return rows.length === 1;
    };
    while (!(await isErased())) await pause(5);
    await thread.stop();
  });
});
