/** Tasks of SQL over SQLite. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { all, type SqlSteps, sql } from '../../../src/storage/repository/statement.ts';
import { inTransaction } from '../../../src/storage/sqlite/database/database.ts';
import { SqliteSession } from '../../../src/storage/sqlite/session.ts';
import { describeSqlReader } from '../sql-reader.contract.ts';

describeSqlReader(async () => {
  const database = new DatabaseSync(':memory:');
  return { reader: new SqliteSession(database), close: () => database.close() };
});

it('runs the steps of a task without anything in between, so that transactions cannot mix', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE step (task TEXT, n INTEGER)');
  const session = new SqliteSession(database);
  function* task(name: string): SqlSteps<void> {
    for (let n = 1; n <= 3; n++) {
      queueMicrotask(() => session.run(all(sql`INSERT INTO step VALUES ('other', ${n})`)));
      yield [sql`INSERT INTO step VALUES (${name}, ${n})`];
    }
  }
  const run = (name: string) => inTransaction(database, () => session.run(task(name)));
  await Promise.all([
    Promise.resolve().then(() => run('a')),
    Promise.resolve().then(() => run('b')),
  ]);
  const tasks = session.run(all(sql`SELECT task FROM step ORDER BY rowid`)).map((row) => row.task);
  assert.deepEqual(tasks.slice(0, 6).join(''), 'aaabbb');
  assert.equal(tasks.length, 12);
  database.close();
});
