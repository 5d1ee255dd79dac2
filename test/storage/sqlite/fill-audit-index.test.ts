/** The index of the audit log is filled from the entries, also after an interruption. */
import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import {
  type AuditIndexProgress,
  auditIndexedTo,
  ENTRIES_TOGETHER,
  fillAuditIndex,
  lastNumber,
} from '../../../src/storage/sqlite/audit-index.ts';
import { openRepositoryDatabase } from '../../../src/storage/sqlite/repository-database.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import {
  auditEntriesIn,
  createOperation,
  openStore,
  readOperation,
  verdictOf,
} from '../repository-place.ts';

const ABOUT_R3 = {
  criteria: [
    {
      type: 'reference',
      field: 'reference',
      values: [{ id: 'r3', prefixes: ['OrderResponse/'] }],
    },
  ],
} as const;

/** Ten entries: five creates and five reads. */
function tenEntries(context: TestContext) {
  const folder = openDataFolder(temporaryFolder(context));
  const store = openStore(folder);
  store.runBatch([
    ...Array.from({ length: 5 }, (_, at) => createOperation(`r${at}`)),
    ...Array.from({ length: 5 }, () => readOperation('r3')),
  ]);
  store.close();
  const { database } = openRepositoryDatabase(folder);
  context.after(() => database.close());
  return { folder, database, written: rowsIn(database) };
}

const isFilled = (database: DatabaseSync) => auditIndexedTo(database) === lastNumber(database);

function rowsIn(database: DatabaseSync) {
  return ['audit_resource', 'audit_block'].map((table) =>
    database.prepare(`SELECT * FROM ${table}`).all(),
  );
}

/** As after a migration. */
function discard(database: DatabaseSync): void {
  database.exec(`
    DELETE FROM audit_resource;
    DELETE FROM audit_block;
    UPDATE audit_index SET indexed_to = 0`);
}

const numbersAbout = (database: DatabaseSync) =>
  auditEntriesIn(database, ABOUT_R3).map(({ number }) => number);

it('has the rows that were written with the entries', (context) => {
  const { folder, database, written } = tenEntries(context);
  assert.ok(isFilled(database));
  discard(database);
  assert.ok(!isFilled(database));
  const progress: AuditIndexProgress[] = [];
  fillAuditIndex(database, (each) => progress.push(each), 4);
  assert.ok(isFilled(database));
  assert.deepEqual(rowsIn(database), written);
  assert.deepEqual(
    progress.map(({ entries, total }) => `${entries} of ${total}`),
    ['0 of 10', '4 of 10', '8 of 10', '10 of 10'],
  );
  assert.deepEqual(verdictOf(folder).findings, []);
});

it('continues where it was interrupted', (context) => {
  const { database, written } = tenEntries(context);
  for (let interruptedAt = 1; interruptedAt <= 4; interruptedAt++) {
    discard(database);
    let calls = 0;
    const interrupt = () => {
      calls += 1;
      if (calls === interruptedAt) throw new Error('interrupted');
    };
    assert.throws(() => fillAuditIndex(database, interrupt, 4), /interrupted/);
    assert.deepEqual(numbersAbout(database), [4, 6, 7, 8, 9, 10], 'the log is searched without it');
    const progress: number[] = [];
    fillAuditIndex(database, ({ entries }) => progress.push(entries), 4);
    assert.deepEqual(progress.length, interruptedAt === 4 ? 0 : 5 - interruptedAt);
    assert.deepEqual(rowsIn(database), written, `interrupted at ${interruptedAt}`);
  }
});

it('has entries that were added before it was filled', (context) => {
  const { folder, database } = tenEntries(context);
  discard(database);
  const store = openStore(folder);
  store.runBatch([readOperation('r3')]);
  store.close();
  assert.deepEqual(numbersAbout(database), [4, 6, 7, 8, 9, 10, 11]);
  assert.deepEqual(verdictOf(folder).findings, []);
});

it('reports nothing for a new database', (context) => {
  const folder = openDataFolder(temporaryFolder(context));
  const { database } = openRepositoryDatabase(folder);
  context.after(() => database.close());
  const progress: AuditIndexProgress[] = [];
  fillAuditIndex(database, (each) => progress.push(each));
  assert.ok(isFilled(database));
  assert.deepEqual(progress, []);
});

it('that lacks rows, or has others, is a finding', (context) => {
  const cases: readonly (readonly [sql: string, finding: RegExp])[] = [
    [
      'DELETE FROM audit_resource WHERE entry = 7',
      / lacks 1 of 10 audit entries, the first of them 7\. The entries and their chain are sound$/,
    ],
    [
      "DELETE FROM audit_block WHERE field = 'interaction' AND value = 'read'",
      / lacks 1 of 10 audit entries, the first of them 6\. The entries and their chain are sound$/,
    ],
    [
      'DELETE FROM audit_resource',
      /^the index of the audit log lacks 10 of 10 audit entries, the first of them 1\./,
    ],
    [
      "INSERT INTO audit_resource VALUES ('r4', 7)",
      / has 1 rows without an audit entry\. The entries and their chain are sound$/,
    ],
  ];
  for (const [sql, finding] of cases) {
    const { folder, database } = tenEntries(context);
    database.exec(sql);
    const { findings, remedy = '' } = verdictOf(folder);
    assert.equal(findings.length, 1, sql);
    assert.match(findings[0] ?? '', finding);
    database.exec(/'(.*)'/.exec(remedy)?.[1] ?? '');
    fillAuditIndex(database);
    assert.deepEqual(verdictOf(folder).findings, []);
  }
});

it('has what a transaction added after one that failed', (context) => {
  const folder = openDataFolder(temporaryFolder(context));
  const store = openStore(folder);
  const [failing] = [createOperation('r1')];
  // The second create of an id fails, and takes the whole batch back with it.
  store.runBatch([readOperation('x'), createOperation('r1'), failing]);
  store.runBatch([readOperation('r1')]);
  store.close();
  assert.deepEqual(verdictOf(folder).findings, []);
});

it('gets entries some thousands at a time, and searches find those that it does not have yet', (context) => {
  const folder = openDataFolder(temporaryFolder(context));
  const store = openStore(folder);
  store.runBatch(Array.from({ length: 4 }, (_, at) => createOperation(`r${at}`)));
  store.runBatch(Array.from({ length: ENTRIES_TOGETHER - 5 }, () => readOperation('r3')));
  const { database } = openRepositoryDatabase(folder);
  context.after(() => database.close());
  assert.equal(auditIndexedTo(database), 0);
  assert.equal(numbersAbout(database).length, ENTRIES_TOGETHER - 4);
  store.runBatch(Array.from({ length: 3 }, () => readOperation('r3')));
  assert.equal(auditIndexedTo(database), ENTRIES_TOGETHER);
  const about = numbersAbout(database);
  assert.deepEqual([about.length, about.at(-1)], [ENTRIES_TOGETHER - 1, ENTRIES_TOGETHER + 2]);
  assert.deepEqual(verdictOf(folder).findings, []);
  store.close();
  assert.equal(
    auditIndexedTo(database),
    ENTRIES_TOGETHER + 2,
    'a server that ends leaves nothing to do',
  );
});

it('of an earlier version that had all entries is continued after its last one', (context) => {
  const { folder, database } = tenEntries(context);
  database.exec('UPDATE audit_index SET indexed_to = -1');
  assert.deepEqual(verdictOf(folder).findings, []);
  const store = openStore(folder);
  store.runBatch([readOperation('r3')]);
  assert.deepEqual([auditIndexedTo(database), lastNumber(database)], [10, 11]);
  store.close();
  assert.deepEqual(numbersAbout(database), [4, 6, 7, 8, 9, 10, 11]);
  assert.deepEqual(verdictOf(folder).findings, []);
});

it('has entries that are added after a command of an earlier version', (context) => {
  const { folder, database } = tenEntries(context);
  const store = openStore(folder);
  database.exec('UPDATE audit_index SET indexed_to = -1');
  store.runBatch([readOperation('r3')]);
  assert.deepEqual(numbersAbout(database), [4, 6, 7, 8, 9, 10, 11]);
  store.close();
  assert.deepEqual(numbersAbout(database), [4, 6, 7, 8, 9, 10, 11]);
  assert.deepEqual(verdictOf(folder).findings, []);
});

it('is sound if an earlier version added the terms of entries that it does not have yet', (context) => {
  const { folder, database } = tenEntries(context);
  database.exec(`
    UPDATE audit_index SET indexed_to = 5;
    INSERT INTO audit_block VALUES ('user', 'someone', 0)`);
  assert.deepEqual(verdictOf(folder).findings, []);
});
