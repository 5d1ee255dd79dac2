/** The rows of `directory.db`: every change of content is found, and what was changed is not used. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { type DataFolder, openDataFolder } from '../../../src/storage/files/data-folder.ts';
import {
  openEditionHistory,
  openEditionStore,
} from '../../../src/storage/sqlite/editions/edition-store.ts';
import { verifyEditions } from '../../../src/storage/sqlite/editions/verify-editions.ts';
import { createEditions } from '../../../src/storage/sqlite/migrations/directory.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { smallEdition } from '../edition-store.contract.ts';

async function withTwoEditions(context: TestContext): Promise<DataFolder> {
  const folder = openDataFolder(join(temporaryFolder(context), 'data'));
  const store = openEditionStore(folder, () => new Date(0));
  await smallEdition(store, 1);
  await smallEdition(store, 2);
  await store.close();
  return folder;
}

function change(folder: DataFolder, sql: string): void {
  const database = new DatabaseSync(folder.directoryDatabase, {
    enableForeignKeyConstraints: false,
  });
  database.exec(sql);
  database.close();
}

function findingsOf(folder: DataFolder): readonly string[] {
  return [...verifyEditions(folder)].flatMap(({ findings }) => findings);
}

describe('a change in directory.db is found by verify, and by the server:', () => {
  const cases: readonly [string, string, RegExp][] = [
    [
      'another current edition',
      'UPDATE publication SET edition = 1 WHERE id = 2',
      /^publication 2: its row was changed$/,
    ],
    [
      'another time of publication',
      `UPDATE edition SET published_at = '2O26-11-22T04:48:00.000Z' WHERE number = 2`,
      /^edition 2: its row was changed$/,
    ],
    [
      'broken JSON',
      `UPDATE edition SET difference_by_role = 'x' || difference_by_role WHERE number = 2`,
      /^edition 2: its row was changed$/,
    ],
    [
      'a number that no program can hold',
      'UPDATE edition SET records = 9223372036854775807 WHERE number = 2',
      /^edition 2: its row was changed$/,
    ],
    [
      'a changed checksum',
      'UPDATE edition SET checksum = checksum + 1 WHERE number = 2',
      /^edition 2: its row was changed$/,
    ],
    [
      'a changed list of codes',
      `UPDATE edition_difference SET codes = x'00' WHERE edition = 2 AND kind = 'changed'`,
      /^edition 2: the list of codes that it changed was changed$/,
    ],
    [
      'swapped lists of codes',
      `UPDATE edition_difference SET edition = 9 WHERE edition = 1;
       UPDATE edition_difference SET edition = 1 WHERE edition = 2;
       UPDATE edition_difference SET edition = 2 WHERE edition = 9`,
      /^edition 2: the list of codes that it added was changed$/,
    ],
    [
      'a removed list of codes',
      `DELETE FROM edition_difference WHERE edition = 1 AND kind = 'added'`,
      /^edition 1: a list of changed codes is missing$/,
    ],
    [
      'swapped editions',
      `UPDATE edition SET number = 9 WHERE number = 1;
       UPDATE edition SET number = 1 WHERE number = 2;
       UPDATE edition SET number = 2 WHERE number = 9`,
      /^edition 1: its row was changed$/,
    ],
    [
      'a removed edition',
      'DELETE FROM edition WHERE number = 1',
      /^edition: there are 1 rows up to number 2, and 2 were written$/,
    ],
    [
      'a removed publication at the end',
      'DELETE FROM publication WHERE id = 2',
      /^publication: there are 1 rows up to number 1, and 2 were written$/,
    ],
    [
      'a trigger that was put in',
      'CREATE TRIGGER t AFTER INSERT ON edition BEGIN DELETE FROM publication; END',
      /^the trigger t is not part of the schema$/,
    ],
  ];
  for (const [what, sql, finding] of cases) {
    it(what, async (context) => {
      const folder = await withTwoEditions(context);
      assert.deepEqual(findingsOf(folder), []);
      change(folder, sql);
      const found = findingsOf(folder);
      assert.ok(
        found.some((each) => finding.test(each)),
        found.join('\n'),
      );
      const store = openEditionStore(folder);
      context.after(() => store.close());
      if (!sql.startsWith('CREATE'))
        assert.ok((await store.findings()).some((each) => finding.test(each)));
      for (const { importedAt } of await store.list()) assert.equal(importedAt, DATE);
      assert.ok(((await store.current())?.number ?? 1) <= 2);
      const history = openEditionHistory(folder);
      context.after(() => history[Symbol.dispose]());
      for (const number of [1, 2]) {
        history.differenceCounts(number);
        history.codes(number, 'changed');
        history.codes(number, 'added');
      }
    });
  }
});

const DATE = new Date(0).toISOString();

it('an edition whose row was changed is not served, and its data stay', async (context) => {
  const folder = await withTwoEditions(context);
  change(folder, `UPDATE edition SET source = 'x' WHERE number = 2`);
  const store = openEditionStore(folder);
  context.after(() => store.close());
  assert.equal((await store.current())?.number, 1);
  assert.deepEqual(
    (await store.list()).map(({ number }) => number),
    [1],
  );
  await assert.rejects(() => store.load(2), { name: 'EditionGoneError' });
  await smallEdition(store, 3);
  assert.equal((await store.current())?.number, 3);
  assert.ok(existsSync(join(folder.editions, '000002')));
});

for (const last of ["'abc'", '9007199254740993']) {
  it(`a last number ${last} in the database does not stop the directory`, async (context) => {
    const folder = await withTwoEditions(context);
    change(folder, `UPDATE sqlite_sequence SET seq = ${last}`);
    const store = openEditionStore(folder);
    context.after(() => store.close());
    assert.equal((await store.current())?.number, 2);
    assert.equal((await smallEdition(store, 3)).number, 3);
    assert.equal((await store.current())?.number, 3);
  });
}

it('a database of the first schema is brought up to date, and has its checksums then', async (context) => {
  const folder = openDataFolder(join(temporaryFolder(context), 'data'));
  change(
    folder,
    `${createEditions} PRAGMA user_version = 1;
     INSERT INTO edition VALUES (1, '2026-09-01', 'a.zip', 2, '${DATE}', '${DATE}', 3,
       '${DATE}', NULL, 2, 0, 0, '[]');
     INSERT INTO edition_difference VALUES (1, 'added', x'789c'), (1, 'changed', x'789c'),
       (1, 'removed', x'789c');
     INSERT INTO publication VALUES (1, 1, '${DATE}');`,
  );
  assert.deepEqual(findingsOf(folder), []);
  const store = openEditionStore(folder);
  context.after(() => store.close());
  assert.equal((await store.current())?.source, 'a.zip');
  assert.deepEqual(await store.findings(), []);
  assert.deepEqual(findingsOf(folder), []);
});
