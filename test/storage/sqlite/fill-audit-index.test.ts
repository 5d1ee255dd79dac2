/** The index of the audit log is filled from the entries, also after an interruption. */
import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { openDataFolder } from '../../../src/storage/data-folder.ts';
import {
  type AuditIndexProgress,
  fillAuditIndex,
  isAuditIndexFilled,
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
  assert.ok(isAuditIndexFilled(database));
  discard(database);
  assert.ok(!isAuditIndexFilled(database));
  const progress: AuditIndexProgress[] = [];
  fillAuditIndex(database, (each) => progress.push(each), 4);
  assert.ok(isAuditIndexFilled(database));
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
      if (++calls === interruptedAt) throw new Error('interrupted');
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
  assert.ok(isAuditIndexFilled(database));
  assert.deepEqual(progress, []);
});

it('that lacks rows, or has others, is a finding', (context) => {
  const cases: readonly (readonly [sql: string, finding: RegExp])[] = [
    [
      'DELETE FROM audit_resource WHERE entry = 7',
      /^the index of the audit log lacks audit entry 7$/,
    ],
    [
      "DELETE FROM audit_block WHERE field = 'interaction' AND value = 'read'",
      /^the index of the audit log lacks audit entry 6$/,
    ],
    [
      "INSERT INTO audit_resource VALUES ('r4', 7)",
      /^the index of the audit log has 1 rows without an audit entry$/,
    ],
  ];
  for (const [sql, finding] of cases) {
    const { folder, database } = tenEntries(context);
    database.exec(sql);
    const { findings } = verdictOf(folder);
    assert.equal(findings.length, 1, sql);
    assert.match(findings[0] ?? '', finding);
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
