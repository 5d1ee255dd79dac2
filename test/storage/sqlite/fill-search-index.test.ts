/** The search index is filled from the stored versions, also after an interruption. */
import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import {
  EntryIndex,
  fillSearchIndex,
  type IndexProgress,
  isIndexFilled,
} from '../../../src/storage/sqlite/entry-index.ts';
import { openRepositoryDatabase } from '../../../src/storage/sqlite/repository-database.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { createOperation, openStore, updateOperation, verdictOf } from '../repository-place.ts';

/** Ten resources, one of which has two versions and one of which is deleted. */
function tenResources(context: TestContext) {
  const folder = openDataFolder(temporaryFolder(context));
  const store = openStore(folder);
  store.runBatch([
    ...Array.from({ length: 10 }, (_, at) => createOperation(`r${at}`, `${at}`, 'text')),
    updateOperation('r3', 'other'),
    {
      kind: 'delete',
      args: [
        { type: 'OrderResponse', id: 'r4', preconditions: {} },
        { address: '', requestId: 'r', interaction: 'delete' },
      ],
    },
  ]);
  store.close();
  const { database } = openRepositoryDatabase(folder);
  context.after(() => database.close());
  return { folder, database, written: rowsIn(database) };
}

function rowsIn(database: DatabaseSync) {
  const rows = database.prepare('SELECT * FROM search_entry').all();
  return { rows, schema: schemaIn(database) };
}

function schemaIn(database: DatabaseSync) {
  return database.prepare('SELECT name FROM sqlite_schema ORDER BY name').all();
}

function discard(database: DatabaseSync): void {
  database.exec(`UPDATE search_index SET form = 'of other parameters'`);
}

it('has the entries that the writes of the resources made', (context) => {
  const { folder, database, written } = tenResources(context);
  assert.ok(isIndexFilled(database) && written.rows.length > 20);
  discard(database);
  assert.ok(!isIndexFilled(database));
  const progress: IndexProgress[] = [];
  fillSearchIndex(database, (each) => progress.push(each), 4);
  assert.ok(isIndexFilled(database));
  assert.deepEqual(rowsIn(database), written);
  assert.deepEqual(
    progress.map(({ resources, total }) => `${resources} of ${total}`),
    ['0 of 10', '4 of 10', '8 of 10', '10 of 10'],
  );
  assert.deepEqual(verdictOf(folder).findings, []);
});

it('continues where it was interrupted', (context) => {
  const { database, written } = tenResources(context);
  for (let interruptedAt = 1; interruptedAt <= 4; interruptedAt++) {
    discard(database);
    let calls = 0;
    const interrupt = () => {
      calls += 1;
      if (calls === interruptedAt) throw new Error('interrupted');
    };
    assert.throws(() => fillSearchIndex(database, interrupt, 4), /interrupted/);
    const progress: number[] = [];
    fillSearchIndex(database, ({ resources }) => progress.push(resources), 4);
    assert.deepEqual(progress.length, interruptedAt === 4 ? 0 : 5 - interruptedAt);
    assert.deepEqual(rowsIn(database), written, `interrupted at ${interruptedAt}`);
  }
});

it('reports nothing for a new database', (context) => {
  const folder = openDataFolder(temporaryFolder(context));
  const { database } = openRepositoryDatabase(folder);
  context.after(() => database.close());
  const progress: IndexProgress[] = [];
  fillSearchIndex(database, (each) => progress.push(each));
  assert.ok(isIndexFilled(database));
  assert.deepEqual(progress, []);
});

it('reads the keys of fields once, and again only after a transaction that made some', (context) => {
  const { database } = tenResources(context);
  const index = new EntryIndex(database);
  const write = (resource: number, field: string) => {
    index.begin();
    index.add('OrderResponse', resource, [{ field, code: '1' }]);
  };
  write(1, 'new');
  write(2, 'new');
  database.exec('ALTER TABLE search_field RENAME TO out_of_reach');
  write(3, 'new');
  write(4, 'identifier');
  database.exec('ALTER TABLE out_of_reach RENAME TO search_field');
  const { n } = database.prepare('SELECT count(*) AS n FROM search_field').get() ?? {};
  write(5, 'newer');
  assert.equal(database.prepare('SELECT count(*) AS n FROM search_field').get()?.n, Number(n) + 1);
});
