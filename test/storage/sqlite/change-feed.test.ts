/** Versions since a time are found whatever the clock did, also in a database of an earlier schema. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import type { ChangesRequest } from '../../../src/fhir/stored/repository.ts';
import { type DataFolder, openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { noteSetBackClocks } from '../../../src/storage/sqlite/migrations/orders-004-to-008.ts';
import { SnapshotReader } from '../../../src/storage/sqlite/snapshot-reader.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { TYPE } from '../repository.contract.ts';
import { createOperation, openStore, updateOperation, verdictOf } from '../repository-place.ts';

const START_MS = Date.UTC(2026, 10, 21);
const HOUR_MS = 3_600_000;

/** Writes a version at each hour: an update of the first resource, or another resource. */
function folderWrittenAt(context: TestContext, hours: readonly number[]): DataFolder {
  const folder = openDataFolder(temporaryFolder(context));
  let nowMs = START_MS;
  const store = openStore(folder, { now: () => new Date(nowMs) });
  for (const [at, hour] of hours.entries()) {
    nowMs = START_MS + hour * HOUR_MS;
    const isUpdate = at > 0 && hour % 3 === 0;
    store.runBatch([isUpdate ? updateOperation('r0') : createOperation(`r${at}`)]);
  }
  store.close();
  return folder;
}

function versionsOf(reader: SnapshotReader, request: Partial<ChangesRequest>) {
  const page = { types: [TYPE], count: 100, lengthMax: 1e9, order: 'oldest-first' } as const;
  const { result } = reader.answer({ kind: 'changes', request: { ...page, ...request } }, 0);
  assert.ok(result.kind === 'found' && 'versions' in result);
  return result.versions;
}

function setBackVersions({ ordersDatabase }: DataFolder) {
  const database = new DatabaseSync(ordersDatabase, { readOnly: true });
  const rows = database.prepare('SELECT version FROM set_back_version ORDER BY version').all();
  database.close();
  return rows.map(({ version }) => Number(version));
}

it('finds the versions since any time, though the clock was set', (context) => {
  const hours = fc.array(fc.nat(6), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(hours, (written) => {
      const reader = new SnapshotReader(folderWrittenAt(context, written).ordersDatabase);
      const all = versionsOf(reader, {});
      assert.equal(all.length, written.length);
      for (let hour = -1; hour <= 7; hour++) {
        const sinceMs = START_MS + hour * HOUR_MS;
        const expected = all.filter(({ writtenAt }) => Date.parse(writtenAt) >= sinceMs);
        assert.deepEqual(versionsOf(reader, { sinceMs }), expected);
        const newest = versionsOf(reader, { sinceMs, order: 'newest-first' });
        assert.deepEqual(newest, expected.toReversed());
        for (const { position } of all) {
          const later = expected.filter((each) => all.indexOf(each) > positionIn(all, position));
          assert.deepEqual(versionsOf(reader, { sinceMs, position }), later);
        }
      }
      reader.close();
    }),
    { numRuns: repetitions(10, 25) },
  );
});

function positionIn(all: readonly { readonly position: string }[], position: string): number {
  return all.findIndex((each) => each.position === position);
}

it('reads versions in the order of an index, and sorts none', (context) => {
  const path = folderWrittenAt(context, [1]).ordersDatabase;
  const prepare = context.mock.method(DatabaseSync.prototype, 'prepare');
  const reader = new SnapshotReader(path);
  const [{ position } = { position: '' }] = versionsOf(reader, {});
  for (const order of ['oldest-first', 'newest-first'] as const) {
    for (const sinceMs of [START_MS, START_MS + 9 * HOUR_MS]) {
      versionsOf(reader, { order, sinceMs });
      versionsOf(reader, { order, sinceMs, position });
    }
  }
  reader.close();
  const statements = prepare.mock.calls.map(({ arguments: [sql] }) => sql);
  prepare.mock.restore();
  const database = new DatabaseSync(path, { readOnly: true });
  context.after(() => database.close());
  assert.ok(statements.some((sql) => sql.includes('DESC LIMIT')));
  for (const sql of statements) {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    const sorts = plan.filter(({ detail }) => String(detail).includes('TEMP B-TREE'));
    assert.deepEqual(sorts, [], sql);
  }
});

it('notes the versions of an earlier schema that were written after the clock was set back', (context) => {
  const folder = folderWrittenAt(context, [4, 2, 5, 5, 1, 7, 6]);
  assert.deepEqual(setBackVersions(folder), [2, 5, 7]);
  const database = new DatabaseSync(folder.ordersDatabase);
  database.exec(`DROP TRIGGER resource_version_is_set_back; DROP TABLE set_back_version`);
  database.exec(noteSetBackClocks);
  database.close();
  assert.deepEqual(setBackVersions(folder), [2, 5, 7]);
  assert.deepEqual(verdictOf(folder).findings, []);
});
