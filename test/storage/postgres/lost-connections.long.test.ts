/** Order responses in PostgreSQL when connections are cut, and when the server is unavailable. */
import assert from 'node:assert/strict';
import { after, afterEach, before, it, type TestContext } from 'node:test';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import type { CreateResult } from '../../../src/fhir/stored/repository.ts';
import { RepositoryError } from '../../../src/fhir/stored/repository-error.ts';
import { StorageError } from '../../../src/storage/files/storage-error.ts';
import { parseDatabaseUrl } from '../../../src/storage/postgres/connection/database-url.ts';
import { DatabaseReader } from '../../../src/storage/postgres/orders/snapshot-reader.ts';
import { createOrder, identifierOf, TYPE, updateOrder } from '../repository.contract.ts';
import { type Cut, type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { createPlaces, type DatabasePlace, openNode, verdictIn } from './database-place.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

const CUTS: readonly Cut[] = ['before the COMMIT', 'within the COMMIT', 'after the COMMIT'];

describePostgres('order responses in PostgreSQL', () => {
  let server: PostgresServer;
  let proxy: CuttingProxy;
  let place: DatabasePlace;
  let node: Awaited<ReturnType<typeof openNode>>;
  const places = createPlaces(() => server);
  const problems: (string | undefined)[] = [];

  before(async () => {
    server = await startPostgres();
    proxy = await startCuttingProxy(server.port);
  });
  after(async () => {
    places.close();
    await proxy.stop();
    await server.stop();
  });
  afterEach(async () => {
    proxy.isClosed = false;
    await node.close();
    await place.remove();
    problems.length = 0;
  });

  const open = async (failoverSeconds = 20) => {
    place = await places.make();
    const url = server.url(place.database).replace(`:${server.port}`, `:${proxy.port}`);
    const onHealth = (problem: string | undefined) => problems.push(problem);
    node = await openNode(url, place.keyFile, { failoverSeconds, onHealth });
  };
  const read = (id: string) =>
    node.store.read(
      { type: 'OrderResponse', id },
      { address: '', requestId: 'r', interaction: 'read' },
    );
  const storedOf = (result: CreateResult) => {
    assert.ok(result.kind === 'stored');
    return result.stored;
  };
  const verdict = () => verdictIn(server.url(place.database), place.keyFile);

  for (const cut of CUTS) {
    it(`store a write once if its connection is cut ${cut}, and answer truthfully`, async () => {
      await open();
      await createOrder(node.store, 'a');
      proxy.cutNext(cut);
      const created = storedOf(await createOrder(node.store, 'b'));
      proxy.cutNext(cut);
      const updated = await updateOrder(node.store, 'a', { ifMatch: ['1'] });
      assert.ok(updated.kind === 'stored');
      proxy.cutNext(cut);
      const one = identifierOf('1');
      assert.equal((await createOrder(node.store, 'c', [one], one)).kind, 'stored');
      assert.equal(proxy.cutsLeft, 0);
      assert.deepEqual(await read('b'), created);
      assert.deepEqual(await read('a'), updated.stored);
      const { findings, versions } = await verdict();
      assert.deepEqual([findings, versions], [[], 4]);
    });
  }

  it('store a write once if its connection is cut again and again', async () => {
    await open();
    proxy.cutNext(...CUTS, ...CUTS.toReversed());
    const created = storedOf(await createOrder(node.store, 'a'));
    assert.deepEqual(await read('a'), created);
    const { findings, versions } = await verdict();
    assert.deepEqual([findings, versions], [[], 1]);
  });

  it('lose no write and repeat none, over several connections that are cut', async () => {
    await open();
    for (let round = 0; round < 4; round++) {
      proxy.cutNext(...CUTS);
      const ids = Array.from({ length: 30 }, (_, at) => `${round}-${at}`);
      const all = ids.map(async (id, at) => {
        if (at % 7 === 0) await pause(1); // more than one batch
        return storedOf(await createOrder(node.store, id));
      });
      for (const stored of await Promise.all(all)) assert.deepEqual(await read(stored.id), stored);
    }
    const { findings, versions } = await verdict();
    assert.deepEqual([findings, versions], [[], 120]);
  });

  it('say that the outcome is unknown if the database stays unavailable, and recover', async () => {
    await open(1);
    const pending = createOrder(node.store, 'a');
    proxy.cutNext('after the COMMIT');
    proxy.isClosed = false;
    const refuse = async () => {
      while (proxy.cutsLeft > 0) await pause(1);
      proxy.isClosed = true;
    };
    const [outcome] = await Promise.allSettled([pending, refuse()]);
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof RepositoryError);
    assert.match(outcome.reason.message, /may or may not be stored\. Check before you try again/);
    await assert.rejects(
      createOrder(node.store, 'b'),
      /cannot be reached now\. Nothing was stored/,
    );
    assert.match(String(problems.at(-1)), /not reachable|lost/);
    proxy.isClosed = false;
    assert.equal((await createOrder(node.store, 'c')).kind, 'stored');
    assert.equal(problems.at(-1), undefined);
    const { findings, versions } = await verdict();
    assert.deepEqual([findings, versions], [[], (await read('a')) === undefined ? 1 : 2]);
  });

  it('say that the database is unavailable while a write waits to know its outcome', async () => {
    await open(3600);
    proxy.cutNext('after the COMMIT');
    const pending = createOrder(node.store, 'a');
    while (proxy.cutsLeft > 0) await pause(1);
    proxy.isClosed = true;
    while (problems.length === 0) await pause(1);
    assert.match(String(problems.at(-1)), /not reachable|lost/);
    proxy.isClosed = false;
    assert.equal((await pending).kind, 'stored');
    assert.equal(problems.at(-1), undefined);
  });

  /** Serialization fails for the first audit entries after this; each attempt counts. */
  const preventEntries = (count: number) =>
    server.run(
      `CREATE SEQUENCE attempt;
       CREATE FUNCTION prevent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('attempt') <= ${count} THEN
           RAISE 'prevented' USING ERRCODE = 'serialization_failure';
         END IF;
         RETURN NEW;
       END $$;
       CREATE TRIGGER prevent BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION prevent()`,
      place.database,
    );
  const allowEntries = () =>
    server.run('DROP FUNCTION prevent CASCADE; DROP SEQUENCE attempt', place.database);

  it('repeat a write that other transactions prevent, and then say that it is not stored', async (t) => {
    await open();
    t.mock.method(Math, 'random', () => 0);
    await preventEntries(20);
    assert.equal((await createOrder(node.store, 'a')).kind, 'stored');
    await allowEntries();
    await preventEntries(1e9);
    let nowMs = performance.now();
    t.mock.method(performance, 'now', () => (nowMs += 100));
    const isRefused = (error: unknown) =>
      error instanceof RepositoryError && /Nothing was stored\. Try again/.test(error.message);
    await assert.rejects(createOrder(node.store, 'b'), isRefused);
    assert.match(String(problems.at(-1)), /other transactions prevent this one: prevented/);
    await allowEntries();
    assert.equal((await createOrder(node.store, 'c')).kind, 'stored');
  });

  /** Lets some time pass while the action runs: longer than a probe takes, and not a connection. */
  const passTime = async <Result>(t: TestContext, action: () => Promise<Result>) => {
    const startMs = performance.now();
    let passedMs = 2_000;
    t.mock.method(performance, 'now', () => startMs + passedMs);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let isDone = false;
    const result = action().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await setImmediate();
      if (passedMs === 5_000) continue;
      t.mock.timers.tick(1);
      passedMs++;
    }
    t.mock.timers.reset();
    return await result;
  };

  const openReader = () => {
    const url = server.url(place.database).replace(`:${server.port}`, `:${proxy.port}`);
    const reader = new DatabaseReader(parseDatabaseUrl(url));
    const request = {
      type: TYPE,
      criteria: [],
      sort: [],
      count: 9,
      lengthMax: 1e9,
      candidatesMax: 100,
      keepMs: 1,
      parameters: '',
    };
    const search = () => reader.answer({ kind: 'search', request }, Date.now());
    return { reader, search };
  };

  it('refuse a search that has waited too long for a connection', async (t) => {
    await open();
    const { reader, search } = openReader();
    const searches = [search(), search(), search()];
    const lateMs = performance.now() + 4_001;
    t.mock.method(performance, 'now', () => lateMs);
    const [, , last] = await Promise.allSettled(searches);
    assert.ok(last?.status === 'rejected' && last.reason instanceof StorageError);
    assert.equal(last.reason.kind, 'unreachable');
    await reader.close();
  });

  it('notice an idle connection that is lost without a sign, and search over another', async (t) => {
    await open();
    await createOrder(node.store, 'a');
    const { reader, search } = openReader();
    const first = await search();
    proxy.silence();
    assert.deepEqual(await passTime(t, search), first);
    await reader.close();
  });

  it('say that the database is unavailable when all lanes are lost without a sign', async (t) => {
    await open();
    await createOrder(node.store, 'a');
    proxy.silence();
    await passTime(t, () => node.repository.look());
    assert.match(String(problems.at(-1)), /not reachable|lost/);
    await node.repository.look();
    assert.equal(problems.at(-1), undefined);
    assert.equal((await createOrder(node.store, 'b')).kind, 'stored');
  });

  it('lose no acknowledged write when the server crashes, and then recover', async () => {
    await open();
    const answered: string[] = [];
    let isDone = false;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let at = 0; !isDone; at++) {
        const id = `${writer}-${at}`;
        const [result] = await Promise.allSettled([createOrder(node.store, id)]);
        if (result.status === 'fulfilled') answered.push(id);
        else assert.ok(result.reason instanceof RepositoryError, String(result.reason));
      }
    });
    for (let crash = 0; crash < 2; crash++) {
      const before = answered.length;
      while (answered.length < before + 20) await pause(1);
      await server.kill();
      await server.start();
    }
    const before = answered.length;
    while (answered.length < before + 20) await pause(1);
    isDone = true;
    await Promise.all(writers);
    for (const id of answered) assert.ok(await read(id), id);
    assert.deepEqual((await verdict()).findings, []);
  });
});
