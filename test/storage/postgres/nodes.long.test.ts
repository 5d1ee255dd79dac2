/** Several nodes over one PostgreSQL database: they behave as one repository. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, it } from 'node:test';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import pg from 'pg';
import type { ResourceCriterion } from '../../../src/fhir/search/criterion.ts';
import {
  type Repository,
  type SearchPageRequest,
  START_POSITION,
} from '../../../src/fhir/stored/repository.ts';
import { withConnection } from '../../../src/storage/postgres/connection/connection.ts';
import { parseDatabaseUrl } from '../../../src/storage/postgres/connection/database-url.ts';
import { PostgresRepository } from '../../../src/storage/postgres/lanes/repository.ts';
import { openOrdersDatabase } from '../../../src/storage/postgres/orders/orders-database.ts';
import { grantsSql } from '../../../src/storage/postgres/schema/grants.ts';
import { addWriter } from '../../../src/storage/postgres/tables/audit-writers.ts';
import { conditionOf } from '../conditions.ts';
import { ACCESS, createOrder, identifierOf, TYPE, updateOrder } from '../repository.contract.ts';
import { createPlaces, type DatabasePlace, openNode, verdictIn } from './database-place.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

const SEARCH: SearchPageRequest = {
  type: TYPE,
  criteria: [],
  sort: [],
  count: 20,
  lengthMax: 1e9,
  candidatesMax: 1000,
  keepMs: 1000,
  parameters: '',
};

describePostgres('two nodes over one PostgreSQL database', () => {
  let server: PostgresServer;
  let place: DatabasePlace;
  let other: Awaited<ReturnType<typeof openNode>>;
  let stores: readonly [Repository, Repository];
  const places = createPlaces(() => server);

  before(async () => {
    server = await startPostgres();
    await server.run('CREATE ROLE serving LOGIN; CREATE ROLE erasing LOGIN');
  });
  after(async () => {
    places.close();
    await server.stop();
  });
  beforeEach(async () => {
    place = await places.make();
    await server.run(grantsSql({ serve: 'serving', erase: 'erasing' }), place.database);
    // The second node has only the rights that a server needs.
    other = await openNode(server.url(place.database, 'serving'), place.keyFile);
    stores = [place.store, other.store];
  });
  afterEach(async () => {
    assert.deepEqual(await place.findings(), []);
    await other.close();
    await place.remove();
  });

  const everywhere = <Result>(count: number, action: (store: Repository, at: number) => Result) =>
    Array.from({ length: count }, (_, at) => action(stores[at % 2 === 0 ? 0 : 1], at));
  const byIdentifier = (...codes: string[]): ResourceCriterion => ({
    type: 'token',
    field: 'identifier',
    values: codes.map((code) => ({ code })),
  });

  const nextOn = async (
    store: Repository,
    position: string,
    criteria?: ResourceCriterion[],
    ms = 60_000,
  ) => {
    const found = await store.changes(
      {
        types: [TYPE],
        count: 100,
        lengthMax: 1e9,
        order: 'oldest-first',
        position,
        ...(criteria && { criteria }),
      },
      { ...ACCESS, interaction: 'history-type' },
      { ms },
    );
    assert.ok(found.kind === 'found');
    return found;
  };

  it('wake the readers that wait on the other node', async () => {
    const waiting = nextOn(stores[1], START_POSITION, [byIdentifier('1')]);
    await createOrder(stores[0], 'a', [identifierOf('2')]);
    await createOrder(stores[0], 'b', [identifierOf('1')]);
    const { versions } = await waiting;
    assert.deepEqual(
      versions.map(({ id }) => id),
      ['b'],
    );
  });

  it('show a version to readers that wait as soon as no older transaction runs', async () => {
    const older = new pg.Client(server.url(place.database));
    await older.connect();
    await older.query('BEGIN; SELECT pg_current_xact_id()');
    const waiting = stores.map((store) => nextOn(store, START_POSITION));
    await createOrder(stores[0], 'a');
    const early = await nextOn(stores[0], START_POSITION, undefined, 0);
    assert.deepEqual(early.versions, []);
    await older.query('ROLLBACK');
    await older.end();
    for (const page of await Promise.all(waiting)) assert.equal(page.versions.length, 1);
  });

  it('answer searches while many pages wait for an older transaction', async () => {
    const node = await openNode(server.url(place.database), place.keyFile, {
      settledWaitMaxMs: 3_600_000,
    });
    const older = new pg.Client(server.url(place.database));
    try {
      await older.connect();
      await older.query('BEGIN; SELECT pg_current_xact_id()');
      await createOrder(node.store, 'a');
      let answered = 0;
      const pages = Array.from({ length: 20 }, async () => {
        const page = await nextOn(node.store, START_POSITION, undefined, 0);
        answered += 1;
        return page;
      });
      for (let at = 0; at < 5; at++) {
        const { kind } = await node.store.search(SEARCH, { ...ACCESS, interaction: 'search-type' });
        assert.equal(kind, 'found');
      }
      assert.equal(answered, 0);
      await older.query('ROLLBACK');
      for (const page of await Promise.all(pages)) assert.equal(page.versions.length, 1);
    } finally {
      await older.end();
      await node.close();
    }
  });

  it('miss nothing for readers that wait while both write', async () => {
    const criteria = [byIdentifier('1')];
    const follow = async (store: Repository) => {
      const seen: string[] = [];
      for (let position = START_POSITION; !seen.includes('last'); ) {
        const page = await nextOn(store, position, criteria);
        seen.push(...page.versions.map(({ id }) => id));
        position = page.next;
      }
      return seen;
    };
    const following = stores.map(follow);
    await Promise.all(
      everywhere(60, (store, at) => createOrder(store, `id-${at}`, [identifierOf(String(at % 2))])),
    );
    await createOrder(stores[1], 'last', [identifierOf('1')]);
    const [first, second] = await Promise.all(following);
    assert.deepEqual(first, second);
    assert.equal(new Set(first).size, 31);
    assert.equal(first?.length, 31);
  });

  it('make one resource of many creates with the same If-None-Exist', async () => {
    const one = identifierOf('1');
    const results = await Promise.all(
      everywhere(60, (store, at) => createOrder(store, `id-${at}`, [one], one)),
    );
    const stored = results.flatMap((each) => (each.kind === 'stored' ? each.stored : []));
    assert.equal(stored.length, 1);
    for (const result of results) {
      assert.ok(result.kind === 'stored' || result.kind === 'exists');
      assert.deepEqual(result.stored, stored[0]);
    }
  });

  it('make one resource of creates whose conditions cross', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = [`a-${round}`, `b-${round}`];
      const create = (store: Repository, id: string, own: string) => {
        const entries = [identifierOf(own)];
        const creation = {
          type: TYPE,
          id,
          text: { start: `{"id":"${id}","meta":{"versionId":"`, end: '"}}' },
          entries,
          ifNoneExist: conditionOf(byIdentifier(a, b)),
        };
        return store.create(creation, ACCESS);
      };
      const results = await Promise.all([create(stores[0], a, a), create(stores[1], b, b)]);
      assert.deepEqual(results.map(({ kind }) => kind).sort(), ['exists', 'stored']);
    }
    // These texts do not have the identifiers that the index has.
    await updateAll(stores[0]);
  });

  /** Writes each resource again, with a text that has its entries. */
  const updateAll = async (store: Repository) => {
    const page = await store.search(
      {
        type: TYPE,
        criteria: [],
        sort: [],
        count: 100,
        lengthMax: 1e9,
        candidatesMax: 1000,
        keepMs: 1,
        parameters: '',
      },
      { ...ACCESS, interaction: 'search-type' },
    );
    assert.ok(page.kind === 'found');
    for (const { id } of page.matches) await updateOrder(store, id);
  };

  it('take one of many updates of a version, and number the versions without gaps', async () => {
    await createOrder(stores[0], 'a');
    const results = await Promise.all(
      everywhere(40, (store) => updateOrder(store, 'a', { ifMatch: ['1'] })),
    );
    assert.equal(results.filter(({ kind }) => kind === 'stored').length, 1);
    const all = await Promise.all(everywhere(40, (store) => updateOrder(store, 'a')));
    const versions = all.map((each) => (each.kind === 'stored' ? each.stored.version : 0));
    assert.deepEqual(
      versions.toSorted((a, b) => a - b),
      Array.from({ length: 40 }, (_, at) => at + 3),
    );
  });

  it('see what the other node has acknowledged', async () => {
    for (let at = 0; at < 10; at++) {
      const [writer, reader] = at % 2 === 0 ? stores : stores.toReversed();
      assert.ok(writer && reader);
      const created = await createOrder(writer, `id-${at}`, [identifierOf(`${at}`)]);
      assert.ok(created.kind === 'stored');
      const address = { type: TYPE, id: `id-${at}` };
      assert.deepEqual(await reader.read(address, ACCESS), created.stored);
      const found = await reader.search(
        {
          type: TYPE,
          criteria: [byIdentifier(`${at}`)],
          sort: [],
          count: 9,
          lengthMax: 1e9,
          candidatesMax: 9,
          keepMs: 1,
          parameters: '',
        },
        { ...ACCESS, interaction: 'search-type' },
      );
      assert.ok(found.kind === 'found');
      assert.deepEqual(found.matches, [created.stored]);
    }
  });

  it('show each version once to a client that follows the changes of both', async () => {
    const written = new Set<string>();
    const seen: string[] = [];
    let isDone = false;
    const follow = async () => {
      for (let position = START_POSITION, isLast = false, turn = 0; ; turn++) {
        const store = stores[turn % 2 === 0 ? 0 : 1];
        const page = await store.changes(
          { types: [TYPE], count: 7, lengthMax: 1e9, order: 'oldest-first', position },
          { ...ACCESS, interaction: 'history-type' },
        );
        assert.ok(page.kind === 'found');
        seen.push(...page.versions.map(({ id, version }) => `${id}/${version}`));
        position = page.versions.at(-1)?.position ?? position;
        if (page.versions.length > 0) continue;
        if (isLast) return;
        isLast = isDone;
        await setImmediate();
      }
    };
    const following = follow();
    await Promise.all(
      everywhere(16, async (store, writer) => {
        for (let at = 0; at < 8; at++) {
          const id = `${writer}-${at}`;
          await createOrder(store, id);
          written.add(`${id}/1`);
          await updateOrder(store, id);
          written.add(`${id}/2`);
        }
      }),
    );
    isDone = true;
    await following;
    assert.equal(seen.length, written.size);
    assert.deepEqual(new Set(seen), written);
  });

  it('wait for a row that another session has locked', async () => {
    await createOrder(stores[0], 'a');
    const session = new pg.Client(server.url(place.database));
    await session.connect();
    await session.query('BEGIN');
    await session.query('SELECT 1 FROM resource FOR UPDATE');
    const update = updateOrder(stores[1], 'a');
    const waiting = async () => {
      const [row] = await server.run(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
      );
      return row?.n === 1;
    };
    while (!(await waiting())) await pause(1);
    assert.equal((await createOrder(stores[1], 'b')).kind, 'stored', 'other lanes continue');
    await session.query('COMMIT');
    await session.end();
    assert.equal((await update).kind, 'stored');
  });

  it('continue after the server ended all their sessions', async () => {
    await createOrder(stores[0], 'a');
    await server.run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name LIKE 'gazetteer%' AND pid <> pg_backend_pid()`,
    );
    const results = await Promise.all(
      everywhere(10, (store, at) => createOrder(store, `id-${at}`)),
    );
    assert.deepEqual(new Set(results.map(({ kind }) => kind)), new Set(['stored']));
  });

  it('refuse a second key of the audit log', async () => {
    await assert.rejects(
      openNode(server.url(place.database), `${place.keyFile}.missing`),
      /audit log in the database cannot continue without it; name it with orders\.auditKeyFile/,
    );
  });

  it('share the key of the audit log that one of them makes, if they start at once', async () => {
    const url = server.url(await server.createDatabase());
    const keyFile = `${place.keyFile}.shared`;
    const nodes = await Promise.all([1, 2, 3].map(() => openNode(url, keyFile)));
    for (const { close } of nodes) await close();
    assert.deepEqual((await verdictIn(url, keyFile)).findings, []);
  });

  it('use no writer of the audit log whose line a failover could lose', async () => {
    const url = server.url(await server.createDatabase());
    const keyFile = `${place.keyFile}.unsafe`;
    const address = parseDatabaseUrl(url);
    const { auditKey } = await openOrdersDatabase(address, keyFile, { mayCreate: true });
    await withConnection(address, { name: 'test' }, async (connection) => {
      // As the server warns when it gives up waiting for a replica.
      await connection.query(
        `CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE WARNING 'no replica'; RETURN NEW; END $$`,
      );
      await connection.query(
        'CREATE TRIGGER warn BEFORE INSERT ON audit_writer FOR EACH ROW EXECUTE FUNCTION warn()',
      );
      await assert.rejects(addWriter(connection, auditKey, 0), /not stored safely/);
      await connection.query('DROP TRIGGER warn ON audit_writer');
      assert.equal((await addWriter(connection, auditKey, 0)).writer, 2);
    });
    assert.deepEqual((await verdictIn(url, keyFile)).findings, []);
  });

  it('refuse the second of two keys that were made for an empty audit log', async () => {
    const url = server.url(await server.createDatabase());
    const keyFile = `${place.keyFile}.first`;
    const open = async (file: string) => {
      const database = parseDatabaseUrl(url);
      const orders = await openOrdersDatabase(database, file, { mayCreate: true });
      return new PostgresRepository(orders, { poolSize: 1, failoverSeconds: 20 });
    };
    const first = await open(keyFile);
    const second = await open(`${place.keyFile}.second`);
    await first.connect();
    await assert.rejects(
      second.connect(),
      /set orders\.auditKeyFile to the key of the other servers/,
    );
    await first.close();
    assert.deepEqual((await verdictIn(url, keyFile)).findings, []);
  });
});
