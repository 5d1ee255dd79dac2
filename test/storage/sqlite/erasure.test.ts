/** Erasure of order responses: what is left in the files, in the audit log and for readers. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { type DataFolder, openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { StorageError } from '../../../src/storage/files/storage-error.ts';
import type { RepositoryOperation } from '../../../src/storage/repository/repository-operation.ts';
import {
  holdResource,
  type ResourceName,
  releaseResource,
} from '../../../src/storage/sql/erasure.ts';
import {
  eraseFromFolder,
  rewriteOrders,
  withCommand,
} from '../../../src/storage/sqlite/record-command.ts';
import {
  openRepositoryDatabase,
  openRepositorySnapshot,
} from '../../../src/storage/sqlite/repository-database.ts';
import { unpack } from '../../older-data/unpack.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { ACCESS, TYPE } from '../repository.contract.ts';
import {
  createOperation,
  entriesOf,
  openStore,
  readOperation,
  updateOperation,
  verdictOf,
} from '../repository-place.ts';

/** Texts that no file may have after the erasure: an NHS number, and a note over several pages. */
const NUMBER = '9434765919';
const NOTE = 'The patient has a rare disease. '.repeat(2000);

function setUp(context: TestContext): DataFolder {
  const folder = openDataFolder(join(temporaryFolder(context), 'data'));
  const store = openStore(folder, { now: () => new Date('2026-11-21T09:00:00Z') });
  const others = (name: string) =>
    Array.from({ length: 60 }, (_, at) => createOperation(`${name}-${at}`, `${name}-${at}`));
  store.runBatch([
    ...others('before'),
    createOperation('patient', NUMBER, NOTE),
    ...others('after'),
    updateOperation('patient', `${NUMBER}-2`),
    updateOperation('patient', 'none'),
    searchOperation(`identifier=${NUMBER}`, ['before-1', 'patient']),
    searchOperation('identifier=before-1', ['before-1']),
  ]);
  store.close();
  return folder;
}

const hold = (folder: DataFolder, name: ResourceName, reason: string) =>
  withCommand(folder, (transaction, session) =>
    session.run(holdResource(transaction, name, reason)),
  );

const release = (folder: DataFolder, name: ResourceName) =>
  withCommand(folder, (transaction, session) => session.run(releaseResource(transaction, name)));

function searchOperation(parameters: string, resources: string[]): RepositoryOperation {
  const found = { type: TYPE, parameters, resources, outcome: 'found', total: 2 } as const;
  return { kind: 'recordSearch', args: [found, { ...ACCESS, interaction: 'search-type' }] };
}

/** What a version of the program that did not overwrite such copies left in the pages of a file. */
function leaveCopies({ ordersDatabase }: DataFolder): void {
  using database = new DatabaseSync(ordersDatabase);
  database.exec('PRAGMA secure_delete = OFF; VACUUM');
}

/** The parameters of searches that are left. */
function parametersIn(folder: DataFolder): (string | undefined)[] {
  const searches = entriesOf(folder).filter(({ interaction }) => interaction === 'search-type');
  return searches.map(({ parameters }) => parameters);
}

/** The files of the database that contain the text. */
function filesWith(folder: DataFolder, text: string): string[] {
  const files = readdirSync(folder.path).filter((name) => name.startsWith('orders.db'));
  return files.filter((name) => readFileSync(join(folder.path, name)).includes(text));
}

function requireClean(folder: DataFolder): void {
  assert.deepEqual(filesWith(folder, NUMBER), []);
  assert.deepEqual(filesWith(folder, 'rare disease'), []);
}

const readOf = (folder: DataFolder, id: string) => {
  const store = openStore(folder);
  const [result] = store.runBatch([readOperation(id)]);
  store.close();
  return result?.kind === 'read' ? result.value : undefined;
};

describe('an erasure', () => {
  it('leaves the content in no file, and versions and audit log in place', (context) => {
    const folder = setUp(context);
    assert.deepEqual(filesWith(folder, NUMBER), ['orders.db']);
    const erased = eraseFromFolder(folder, { id: 'patient' }, 'request 17');
    assert.deepEqual(erased, { type: TYPE, id: 'patient', versions: 3, isComplete: true });
    requireClean(folder);
    assert.deepEqual(parametersIn(folder), [undefined, 'identifier=before-1']);

    const verdict = verdictOf(folder);
    assert.deepEqual(verdict.findings, []);
    assert.equal(verdict.versions, 123);
    const read = readOf(folder, 'patient');
    assert.deepEqual(
      [read?.version, read?.method, read?.text, read?.isErased],
      [3, 'PUT', undefined, true],
    );
    assert.ok(readOf(folder, 'before-7')?.text);
    const entry = entriesOf(folder).find(({ interaction }) => interaction === 'erase');
    assert.equal(entry?.outcome, 'done');
    assert.equal(entry?.resource, 'patient');
    assert.equal(entry?.reason, 'request 17');
    assert.equal(entriesOf(folder).at(-2)?.outcome, 'gone');
  });

  it('is complete even where SQLite left copies of rows, once the file is rewritten', (context) => {
    const folder = setUp(context);
    leaveCopies(folder);
    eraseFromFolder(folder, { id: 'before-1' }, 'request');
    assert.deepEqual(filesWith(folder, '"value":"before-1"'), ['orders.db']);
    assert.equal(rewriteOrders(folder), true);
    assert.deepEqual(filesWith(folder, '"value":"before-1"'), []);
    assert.deepEqual(verdictOf(folder).findings, []);
  });

  it('of which a reader keeps the log is not complete when the file is rewritten', (context) => {
    const folder = setUp(context);
    using _reader = openRepositorySnapshot(folder).database;
    assert.equal(rewriteOrders(folder, 10), false);
  });

  it('refuses later changes, and is done once', (context) => {
    const folder = setUp(context);
    eraseFromFolder(folder, { type: TYPE, id: 'patient' }, 'request');
    const again = eraseFromFolder(folder, { id: 'patient' }, 'request');
    assert.deepEqual([again.versions, again.isComplete], [0, true]);
    const store = openStore(folder);
    const deletion = { type: TYPE, id: 'patient', preconditions: {} };
    const results = store.runBatch([
      updateOperation('patient', NUMBER),
      { kind: 'delete', args: [deletion, { ...ACCESS, interaction: 'delete' }] },
    ]);
    store.close();
    for (const result of results) {
      assert.ok(result.kind === 'update' || result.kind === 'delete');
      assert.equal(result.value.kind, 'erased');
    }
    requireClean(folder);
    assert.deepEqual(verdictOf(folder).findings, []);
  });

  it('works while a server writes', (context) => {
    const folder = setUp(context);
    const server = openStore(folder);
    server.runBatch([createOperation('x', 'x')]);
    assert.equal(eraseFromFolder(folder, { id: 'patient' }, 'request').isComplete, true);
    requireClean(folder);
    server.runBatch([createOperation('y', 'y'), readOperation('patient')]);
    server.close();
    assert.deepEqual(verdictOf(folder).findings, []);
  });

  it('keeps no parameters of a search that read the content before, and is recorded after', (context) => {
    const folder = setUp(context);
    const server = openStore(folder);
    eraseFromFolder(folder, { id: 'patient' }, 'request');
    server.runBatch([
      searchOperation(`identifier=${NUMBER}`, ['before-1', 'patient']),
      searchOperation('identifier=before-2', ['before-2']),
    ]);
    server.close();
    assert.deepEqual(parametersIn(folder).slice(2), [undefined, 'identifier=before-2']);
    requireClean(folder);
    assert.deepEqual(verdictOf(folder).findings, []);
  });

  it('says if a reader still uses the old state', (context) => {
    const folder = setUp(context);
    const server = openStore(folder);
    const reader = openRepositorySnapshot(folder);
    const erased = eraseFromFolder(folder, { id: 'patient' }, 'request', 0);
    assert.deepEqual([erased.versions, erased.isComplete], [3, false]);
    reader.database.close();
    assert.equal(eraseFromFolder(folder, { id: 'patient' }, 'request').isComplete, true);
    server.close();
    requireClean(folder);
  });

  it('spares what is on hold, until the hold ends', (context) => {
    const folder = setUp(context);
    hold(folder, { id: 'patient' }, 'inquest');
    const refused = { name: 'StorageError', message: /on hold \(inquest\).*orders release/ };
    assert.throws(() => eraseFromFolder(folder, { id: 'patient' }, 'request'), refused);
    assert.equal(readOf(folder, 'patient')?.isErased, undefined);
    release(folder, { id: 'patient' });
    assert.throws(() => release(folder, { id: 'patient' }), /is not on hold/);
    assert.equal(eraseFromFolder(folder, { id: 'patient' }, 'request').versions, 3);
    assert.throws(() => hold(folder, { id: 'patient' }, 'late'), /has already been erased/);
    assert.deepEqual(verdictOf(folder).findings, []);
  });

  it('refuses a resource that does not exist', (context) => {
    const folder = setUp(context);
    assert.throws(() => eraseFromFolder(folder, { id: 'nobody' }, 'request'), StorageError);
    assert.throws(() => eraseFromFolder(folder, { type: 'Order', id: 'patient' }, 'request'), {
      message: 'There is no Order/patient.',
    });
  });

  it('of a database of an earlier version leaves nothing in its free pages', (context) => {
    const { data, expected } = unpack(context, 'schema-1');
    const folder = openDataFolder(data);
    const [id = ''] = Object.keys(expected.resources);
    const text = (path: string) => {
      const database = new DatabaseSync(path, { readOnly: true });
      const table = 'SELECT text FROM order_response_version WHERE id = ?';
      const found = database.prepare(table).all(id);
      database.close();
      return found.map((row) => String(row.text));
    };
    const texts = text(folder.ordersDatabase);
    assert.ok(texts.length > 0);
    eraseFromFolder(folder, { id }, 'request');
    // Cells of long texts are cut by page links, so a start of each text must be absent.
    for (const each of texts) assert.deepEqual(filesWith(folder, each.slice(0, 120)), []);
    assert.deepEqual(verdictOf(folder).findings, []);
  });

  it('that the audit log does not record is found', (context) => {
    const folder = setUp(context);
    eraseFromFolder(folder, { id: 'before-1' }, 'request');
    const { database } = openRepositoryDatabase(folder);
    assert.throws(
      () => database.exec(`UPDATE resource_version SET text = '' WHERE resource = 5`),
      /versions are never changed/,
    );
    assert.throws(
      () => database.exec(`UPDATE resource_version SET text = '{}' WHERE resource = 2`),
      /versions are never changed/,
    );
    database.exec(`
      INSERT INTO erasure (resource, erased_at, audit_writer, audit_number)
      VALUES ((SELECT key FROM resource WHERE id = 'patient'), '', 1, 1);
      UPDATE resource_version SET text = ''
      WHERE resource = (SELECT key FROM resource WHERE id = 'patient')`);
    database.close();
    const { findings } = verdictOf(folder);
    assert.ok(findings.includes('the erasure of patient differs from the audit log'));
  });
});

describe('retention', () => {
  it('erases resources that were not written for the given number of days, a few at a time', (context) => {
    const folder = setUp(context);
    let now = new Date('2026-11-25T09:00:00Z');
    const store = openStore(folder, { now: () => now });
    store.runBatch([createOperation('young', 'young'), updateOperation('before-3', 'again')]);
    hold(folder, { id: 'before-4' }, 'inquest');
    assert.equal(store.eraseExpired(30), 0);
    assert.deepEqual(parametersIn(folder), [`identifier=${NUMBER}`, 'identifier=before-1']);
    now = new Date('2026-12-22T09:00:00Z');
    const counts = [1, 2, 3, 4].map(() => store.eraseExpired(30));
    assert.deepEqual(counts, [52, 50, 19, 0], 'with the two searches');
    store.close();
    for (const id of ['young', 'before-3', 'before-4']) assert.ok(readOf(folder, id)?.text, id);
    assert.equal(readOf(folder, 'patient')?.isErased, true);
    const entries = entriesOf(folder).filter(({ interaction }) => interaction === 'retention');
    assert.equal(entries.length, 119);
    assert.deepEqual(parametersIn(folder), [undefined, undefined]);
    assert.deepEqual(verdictOf(folder).findings, []);
    assert.ok(existsSync(folder.ordersDatabase));
  });

  it('leaves a subscription until it was deleted', (context) => {
    const folder = openDataFolder(join(temporaryFolder(context), 'data'));
    let now = new Date('2026-11-21T09:00:00Z');
    const store = openStore(folder, { now: () => now });
    const subscription = { type: 'Subscription', id: 'lasting' };
    const creation = createOperation('lasting', 'lasting');
    assert.equal(creation.kind, 'create');
    const [request, access] = creation.args;
    store.runBatch([{ kind: 'create', args: [{ ...request, ...subscription }, access] }]);
    now = new Date('2026-12-22T09:00:00Z');
    assert.equal(store.eraseExpired(30), 0);
    store.runBatch([{ kind: 'delete', args: [{ ...subscription, preconditions: {} }, access] }]);
    now = new Date('2027-01-22T09:00:00Z');
    assert.equal(store.eraseExpired(30), 1);
    store.close();
  });

  it('erases the parameters of all searches before that time, however many there are', (context) => {
    const folder = openDataFolder(join(temporaryFolder(context), 'data'));
    let now = new Date('2026-11-21T09:00:00Z');
    const store = openStore(folder, { now: () => now });
    store.runBatch(Array.from({ length: 4100 }, () => searchOperation('identifier=x', [])));
    now = new Date('2026-12-22T09:00:00Z');
    // A server calls it until there is nothing left.
    while (store.eraseExpired(30) > 0);
    store.close();
    assert.deepEqual(new Set(parametersIn(folder)), new Set([undefined]));
  });
});
