/** The write-ahead log of order responses: why it grows. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import {
  probeDatabase,
  WAL_BYTES_KEPT,
  walProblem,
} from '../../../src/storage/sqlite/database/write-ahead-log.ts';
import {
  openRepositoryDatabase,
  openRepositorySnapshot,
} from '../../../src/storage/sqlite/repository-database.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

function opened(context: TestContext) {
  const folder = openDataFolder(join(temporaryFolder(context), 'data'));
  const { database } = openRepositoryDatabase(folder);
  context.after(() => database.close());
  const problemAt = (bytes: number) => walProblem(database, folder.ordersDatabase, bytes);
  return { folder, database, problemAt };
}

const LONG = WAL_BYTES_KEPT + 1;

it('a log that SQLite can move into the database is no problem, however long its file', (context) => {
  const { problemAt } = opened(context);
  assert.equal(problemAt(LONG), undefined);
});

it('a log that grows during a long read is reported above its limit', (context) => {
  const { folder, database, problemAt } = opened(context);
  const reader = openRepositorySnapshot(folder).database;
  probeDatabase(database, folder.ordersDatabase);
  assert.equal(problemAt(WAL_BYTES_KEPT), undefined);
  assert.match(problemAt(LONG) ?? '', /a long read of the database is running/);
  reader.close();
  assert.equal(problemAt(LONG), undefined);
});

it('a log that cannot be moved into the database is reported with the reason', (context) => {
  const { problemAt } = opened(context);
  context.mock.method(StatementSync.prototype, 'get', () => {
    throw Object.assign(new Error('disk I/O error'), { errcode: 778 });
  });
  assert.equal(problemAt(1024), undefined);
  assert.match(problemAt(LONG / 2) ?? '', /orders\.db: cannot be read or written; check the disk/);
});
