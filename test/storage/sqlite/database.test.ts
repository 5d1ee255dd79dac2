/** Databases are migrated forwards, step by step, by the first process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { StorageError } from '../../../src/storage/files/storage-error.ts';
import { inTransaction, openDatabase } from '../../../src/storage/sqlite/database/database.ts';

const FIRST = 'CREATE TABLE word (text TEXT NOT NULL) STRICT;';
const SECOND = 'ALTER TABLE word ADD COLUMN count INTEGER; CREATE TABLE other (a INTEGER);';

describe('a database', () => {
  let place: string;
  let path: string;

  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'gazetteer-database-'));
    path = join(place, 'test.db');
  });
  afterEach(() => rmSync(place, { recursive: true }));

  const words = (database: ReturnType<typeof openDatabase>) =>
    database
      .prepare('SELECT * FROM word ORDER BY text')
      .all()
      .map((row) => ({ ...row }));

  it('is migrated from any version to the newest, and keeps what it holds', () => {
    const first = openDatabase(path, [FIRST]);
    first.exec(`INSERT INTO word VALUES ('kept')`);
    first.close();
    for (let time = 0; time < 2; time++) {
      const second = openDatabase(path, [FIRST, SECOND]);
      assert.deepEqual(words(second), [{ text: 'kept', count: null }]);
      assert.equal(second.prepare('PRAGMA user_version').get()?.user_version, 2);
      second.close();
    }
  });

  it('refuses the schema of a newer version', () => {
    const newer = new DatabaseSync(path);
    newer.exec(`${FIRST} PRAGMA user_version = 2`);
    newer.close();
    const before = readFileSync(path);
    assert.throws(() => openDatabase(path, [FIRST]), {
      kind: 'newer',
      message: `${path}: written by a newer version of Gazetteer (schema 2, this one knows 1); use that version, or another data folder`,
    });
    assert.deepEqual(readFileSync(path), before);
  });

  it('is left as it was by a migration that fails', () => {
    openDatabase(path, [FIRST]).close();
    assert.throws(() => openDatabase(path, [FIRST, `${SECOND} NONSENSE`]), /syntax error/);
    const database = openDatabase(path, [FIRST]);
    database.exec(`INSERT INTO word VALUES ('one column')`);
    database.close();
  });

  for (const [what, word, kind, remedy] of [
    ['rows that nobody changed', 'known', 'unusable', /if it finds damage.* report this message$/],
    ['rows that were changed', 'stray', 'damaged', /missing or were changed.* restore a backup$/],
  ] as const) {
    it(`names the constraint that a migration of ${what} breaks`, () => {
      const tables = `${FIRST} INSERT INTO word VALUES ('known');
        CREATE UNIQUE INDEX by_text ON word (text);
        CREATE TABLE use (word TEXT REFERENCES word (text)) STRICT;`;
      openDatabase(path, [tables]).close();
      const changed = new DatabaseSync(path, { enableForeignKeyConstraints: false });
      changed.exec(`INSERT INTO use VALUES ('${word}')`);
      changed.close();
      const before = readFileSync(path);
      const wrong = `CREATE TABLE entry (text TEXT NOT NULL); INSERT INTO entry VALUES (NULL);`;
      assert.throws(
        () => openDatabase(path, [tables, wrong]),
        ({ kind: actual, message }: StorageError) => {
          assert.match(message, /cannot be migrated \(NOT NULL constraint failed: entry.text\)/);
          assert.match(message, remedy);
          return actual === kind;
        },
      );
      assert.deepEqual(readFileSync(path), before);
    });
  }

  it('is made once by several processes that come at the same time', async () => {
    const source = join(import.meta.dirname, '../../../src/storage/sqlite/database/database.ts');
    const script = `import { openDatabase } from ${JSON.stringify(source)};
      process.stdin.once('data', () => {
        const database = openDatabase(process.argv[1], ${JSON.stringify([FIRST, SECOND])});
        database.exec("INSERT INTO word VALUES ('x', 1)");
        database.close();
        process.exit();
      });
      console.log('ready');`;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script, path]),
    );
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    const exits = children.map(async (child) => {
      let errors = '';
      child.stderr.on('data', (data) => {
        errors += data;
      });
      child.stdin.write('go\n');
      await once(child, 'close');
      return errors;
    });
    assert.deepEqual(await Promise.all(exits), ['', '', '', '']);
    const database = openDatabase(path, [FIRST, SECOND]);
    assert.equal(words(database).length, 4);
    database.close();
  });

  it('has a commit on the disk before it returns, and readers beside the writer', () => {
    const database = openDatabase(path, [FIRST]);
    const FULL = 2;
    assert.equal(database.prepare('PRAGMA synchronous').get()?.synchronous, FULL);
    assert.equal(database.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal');
    database.close();
  });

  it('belongs to its user alone, with the files beside it', () => {
    const database = openDatabase(path, [FIRST]);
    database.exec(`INSERT INTO word VALUES ('x')`);
    for (const end of ['', '-wal', '-shm']) {
      assert.equal(statSync(`${path}${end}`).mode & 0o777, 0o600, end);
    }
    database.close();
  });

  it('undoes a transaction that throws, and can be used afterwards', () => {
    const database = openDatabase(path, [FIRST]);
    const fail = () =>
      inTransaction(database, () => {
        database.exec(`INSERT INTO word VALUES ('undone')`);
        throw new Error('changed my mind');
      });
    assert.throws(fail, /changed my mind/);
    const result = inTransaction(database, () => {
      database.exec(`INSERT INTO word VALUES ('done')`);
      return 7;
    });
    assert.equal(result, 7);
    assert.deepEqual(words(database), [{ text: 'done' }]);
    database.close();
  });

  it('is refused where it cannot be opened', () => {
    assert.throws(() => openDatabase(join(place, 'missing', 'test.db'), [FIRST]), {
      name: 'StorageError',
      kind: 'unusable',
    });
  });
});
