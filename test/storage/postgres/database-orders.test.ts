/** Commands on the order responses of a database: export, audit, erase, hold, and verify. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, afterEach, before, beforeEach, it } from 'node:test';
import { openStore, storeUrlOf } from '../../../src/storage/open.ts';
import { parseDatabaseUrl } from '../../../src/storage/postgres/connection/database-url.ts';
import {
  CommandSession,
  eraseDatabaseExpired,
} from '../../../src/storage/postgres/orders/command-session.ts';
import { openOrdersDatabase } from '../../../src/storage/postgres/orders/orders-database.ts';
import { grantsSql } from '../../../src/storage/postgres/schema/grants.ts';
import { migrateDatabase } from '../../../src/storage/postgres/schema/schema.ts';
import type { RepositoryOperation } from '../../../src/storage/repository/repository-operation.ts';
import type { Store } from '../../../src/storage/store/store.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { ACCESS, createOrder, identifierOf, TYPE, updateOrder } from '../repository.contract.ts';
import { storeOptions } from '../store-options.ts';
import { createPlaces, type DatabasePlace, openNode, verdictIn } from './database-place.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

describePostgres('commands on the order responses of a database', () => {
  let server: PostgresServer;
  let place: DatabasePlace;
  let store: Store;
  const places = createPlaces(() => server);
  const one = identifierOf('1');

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
    store = await storeOf('erasing');
    await createOrder(place.store, 'a', [one]);
    await updateOrder(place.store, 'a', { entries: [one], note: 'second' });
    await createOrder(place.store, 'b', [one]);
  });
  afterEach(() => place.remove());

  const storeOf = (user?: string) =>
    openStore(server.url(place.database, user), {
      dataFolder: dirname(place.keyFile),
      auditKeyFile: place.keyFile,
      poolSize: 1,
      failoverSeconds: 5,
    });
  const read = (id: string) => place.store.read({ type: TYPE, id }, ACCESS);
  const verdict = () => verdictIn(server.url(place.database), place.keyFile);
  const tamper = (sql: string) =>
    server.run(`SET session_replication_role = replica; ${sql}`, place.database);

  it('export every version in the order of writing, and record that', async () => {
    const texts = await Array.fromAsync(store.exportVersions(undefined));
    const versions = texts.map((text) => JSON.parse(text));
    assert.deepEqual(
      versions.map(({ id, meta }) => `${id}/${meta.versionId}`),
      ['a/1', 'a/2', 'b/1'],
    );
    assert.deepEqual(await Array.fromAsync(store.exportVersions(Date.UTC(9000, 0))), []);
    const [first] = (await place.entries()).filter(({ interaction }) => interaction === 'export');
    assert.deepEqual([first?.count, first?.client], [3, 'gazetteer orders export']);
    assert.deepEqual((await verdict()).findings, []);
  });

  it('list audit entries of all writers, by criteria, and the newest ones', async () => {
    await store.holdResource({ id: 'a' }, 'a court case');
    const about = (id: string) => ({
      criteria: [
        { type: 'reference', field: 'reference', values: [{ id, prefixes: [`${TYPE}/`] }] },
      ] as const,
    });
    const outcomes = async (query: Parameters<Store['auditEntries']>[0]) =>
      (await Array.fromAsync(store.auditEntries(query))).map(
        ({ interaction, resource }) => `${interaction} ${resource}`,
      );
    assert.deepEqual(await outcomes(about('a')), ['create a', 'update a', 'hold a']);
    assert.deepEqual(await outcomes({ newest: 2 }), ['create b', 'hold a']);
    assert.deepEqual(await outcomes({ requestId: 'request-1' }), [
      'create a',
      'update a',
      'create b',
    ]);
    assert.deepEqual(await outcomes({ sinceMs: Date.UTC(9000, 0) }), []);
  });

  it('erase the content of all versions, for a role that may', async () => {
    await assert.rejects(
      storeOf('serving').then((serving) => serving.eraseContent({ id: 'a' }, 'asked')),
      /the user serving lacks the rights UPDATE on resource_version/,
    );
    const erased = await store.eraseContent({ id: 'a' }, 'asked');
    assert.deepEqual(erased, { type: TYPE, id: 'a', versions: 2, isComplete: true });
    assert.equal((await store.eraseContent({ id: 'a' }, 'again')).versions, 0);
    const current = await read('a');
    assert.deepEqual([current?.text, current?.isErased, current?.version], [undefined, true, 2]);
    assert.equal((await updateOrder(place.store, 'a')).kind, 'erased');
    const found = await createOrder(place.store, 'c', [], one);
    assert.ok(found.kind === 'exists' && found.stored.id === 'b');
    await assert.rejects(store.eraseContent({ id: 'none' }, 'x'), /There is no resource with/);
    assert.deepEqual((await verdict()).findings, []);
  });

  it('erase, and keep no parameters of a search that read the content before', async () => {
    await store.eraseContent({ id: 'a' }, 'asked');
    const node = await openNode(server.url(place.database), place.keyFile, { poolSize: 1 });
    const search = (id: string): RepositoryOperation => ({
      kind: 'recordSearch',
      args: [
        { type: TYPE, outcome: 'found', total: 1, parameters: `of=${id}`, resources: [id] },
        { ...ACCESS, interaction: 'search-type' },
      ],
    });
    const results = await node.repository.runBatch([search('a'), search('b')]);
    await node.close();
    assert.deepEqual(
      results.map(({ kind }) => kind),
      ['recordSearch', 'recordSearch'],
    );
    const searches = (await place.entries()).filter((entry) => entry.parametersDigest);
    assert.deepEqual(
      searches.map(({ parameters }) => parameters),
      [undefined, 'of=b'],
    );
    assert.deepEqual((await verdict()).findings, []);
  });

  it('hold resources against erasure, also by age', async () => {
    await store.holdResource({ type: TYPE, id: 'a' }, 'first');
    await store.holdResource({ id: 'a' }, 'a court case');
    const held = await Array.fromAsync(store.heldResources());
    assert.deepEqual(
      held.map(({ type, id, reason }) => [type, id, reason]),
      [[TYPE, 'a', 'a court case']],
    );
    await assert.rejects(store.eraseContent({ id: 'a' }, 'x'), /on hold \(a court case\)/);
    const address = parseDatabaseUrl(server.url(place.database, 'erasing'));
    const orders = await openOrdersDatabase(address, place.keyFile, { role: 'erase' });
    const session = await CommandSession.open(orders);
    const expire = (beforeMs: number) => eraseDatabaseExpired(session, { beforeMs, limit: 50 });
    assert.equal(await expire(Date.UTC(2000, 0)), 0);
    assert.equal(await expire(Date.UTC(9000, 0)), 1);
    await session.close();
    assert.ok((await read('a'))?.text);
    assert.equal((await read('b'))?.isErased, true);
    await store.releaseResource({ id: 'a' });
    await assert.rejects(store.releaseResource({ id: 'a' }), /is not on hold/);
    assert.equal((await store.eraseContent({ id: 'a' }, 'x')).versions, 2);
    assert.deepEqual((await verdict()).findings, []);
  });

  it('make the search index anew, while a server runs', async () => {
    await tamper(
      `DELETE FROM search_entry WHERE value = '1'; UPDATE search_index SET form = 'old'`,
    );
    await assert.rejects(store.eraseContent({ id: 'a' }, 'x'), /run "gazetteer database migrate"/);
    const address = parseDatabaseUrl(server.url(place.database));
    await migrateDatabase(address);
    assert.deepEqual((await verdict()).findings, []);
    await tamper('DELETE FROM search_entry');
    await migrateDatabase(address, undefined, { reindex: true });
    assert.deepEqual((await verdict()).findings, []);
    assert.equal((await createOrder(place.store, 'c', [], one)).kind, 'several');
  });

  it('keep each batch whole while the ends of the chains are noted', async () => {
    const work = Array.from({ length: 60 }, (_, at) =>
      at % 3 === 0 ? place.noteHead() : createOrder(place.store, `id-${at}`),
    );
    await Promise.all(work);
    const { findings, versions } = await verdict();
    assert.deepEqual([findings, versions], [[], 43]);
  });

  it('verify what a server wrote, and name the end of the audit log', async () => {
    const parts = await Array.fromAsync(store.verify({}));
    const part = parts.find(({ name }) => name === 'order responses');
    assert.deepEqual(part?.findings, []);
    assert.equal(part?.summary, '2 order responses, 3 versions');
    assert.ok(part?.head && part.head.number >= 3);
    const { head } = part;
    assert.deepEqual(
      (await verdictIn(server.url(place.database), place.keyFile, head)).findings,
      [],
    );
    const later = { ...head, number: head.number + 1 };
    assert.match(
      (await verdictIn(server.url(place.database), place.keyFile, later)).findings.join(),
      /ends with entry \d+, and had \d+: its end was cut off/,
    );
  });

  it('verify without the key asks for the key, and not for a backup', async () => {
    const other = await openStore(server.url(place.database), {
      ...storeOptions('none'),
      auditKeyFile: `${place.keyFile}-of-none`,
    });
    const parts = await Array.fromAsync(other.verify({}));
    const part = parts.find(({ name }) => name === 'order responses');
    assert.equal(part?.isUnchecked, true);
    assert.match(
      part?.findings.join() ?? '',
      /missing or empty.*name it with orders\.auditKeyFile/,
    );
  });

  it('verify with another key asks for the right key, and not for a backup', async () => {
    const auditKeyFile = `${place.keyFile}-of-another`;
    writeFileSync(auditKeyFile, Buffer.alloc(32, 1), { mode: 0o600 });
    const other = await openStore(server.url(place.database), {
      ...storeOptions('none'),
      auditKeyFile,
    });
    const parts = await Array.fromAsync(other.verify({}));
    const part = parts.find(({ name }) => name === 'order responses');
    assert.equal(part?.isUnchecked, true);
    assert.match(part?.findings.join() ?? '', /; set orders\.auditKeyFile to the key of the other/);
  });

  it('move to a sound data folder, in whatever order the clocks of the writers are', async (context) => {
    let nowMs = Date.UTC(2026, 0, 2);
    const now = () => {
      nowMs -= 1000;
      return new Date(nowMs);
    };
    const source = await places.make({ now });
    context.after(() => source.remove());
    for (const id of ['a', 'b', 'c']) await createOrder(source.store, id, [identifierOf(id)]);
    await using contents = await source.commands.contents.read();
    const folder = temporaryFolder(context);
    const target = await openStore(storeUrlOf(folder), storeOptions(folder));
    await target.contents.write(contents);
    const [part] = (await Array.fromAsync(target.verify({}))).slice(-1);
    assert.deepEqual(part?.findings, []);
    assert.deepEqual(await idsIn(target), await idsIn(source.commands));
  });

  it('verify a list of writers whose end was changed as damaged', async () => {
    await tamper(
      `UPDATE audit_writer SET recorded_at = 'x'
       WHERE number = (SELECT max(number) FROM audit_writer)`,
    );
    const [part] = (await Array.fromAsync(store.verify({}))).filter(
      ({ name }) => name === 'order responses',
    );
    assert.notEqual(part?.isUnchecked, true);
    assert.match(
      part?.findings.join() ?? '',
      /end of the list of writers .* was changed; restore a/,
    );
  });

  it('detect that a writer was removed', async () => {
    for (let line = 0; line < 2; line++) await place.noteHead();
    await tamper('DELETE FROM audit_writer WHERE number = 2');
    assert.match(
      (await verdict()).findings.join(),
      /list of the writers of the audit log, line 2 is missing/,
    );
  });

  it('detect that the end of a chain was removed, if it was noted', async () => {
    await place.noteHead();
    await tamper('DELETE FROM audit_entry WHERE number = 3');
    await tamper(`DELETE FROM resource_version; DELETE FROM resource; DELETE FROM search_entry`);
    assert.match(
      (await verdict()).findings.join('\n'),
      /the audit log of writer 1 ends with entry 2, and had 3: its end was cut off/,
    );
  });
});

async function idsIn(store: Store): Promise<string[]> {
  const texts = await Array.fromAsync(store.exportVersions(undefined));
  return texts.map((text) => JSON.parse(text).id);
}
