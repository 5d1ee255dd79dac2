/** Backups of order responses: taken while a server writes, and put back where nothing is. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type DataFolder, openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { StorageError } from '../../../src/storage/files/storage-error.ts';
import { backupRepository } from '../../../src/storage/sqlite/backup-repository.ts';
import { eraseFromFolder } from '../../../src/storage/sqlite/record-command.ts';
import { restoreRepository } from '../../../src/storage/sqlite/restore-repository.ts';
import { startOrdersThread } from '../../../src/storage/sqlite/start-orders-thread.ts';
import { createRepositoryClient } from '../../../src/storage/threads/repository-client.ts';
import { createOrder } from '../repository.contract.ts';
import {
  createOperation,
  entriesOf,
  openStore,
  readOperation,
  temporaryPlace,
  updateOperation,
  verdictOf,
} from '../repository-place.ts';

describe('a backup of order responses', () => {
  let place: ReturnType<typeof temporaryPlace>;
  let folder: DataFolder;
  let other: DataFolder;
  let file: string;

  beforeEach(() => {
    place = temporaryPlace();
    folder = openDataFolder(join(place.path, 'data'));
    other = openDataFolder(join(place.path, 'other'));
    file = join(place.path, 'backup.db');
    const store = openStore(folder);
    store.runBatch([createOperation('a', 'one'), updateOperation('a', 'two'), readOperation('a')]);
    store.close();
    writeFileSync(folder.tokenKey, '{"k": 1}', { mode: 0o600 });
  });
  afterEach(() => place.remove());

  it('brings everything back, keys included, for the user alone', () => {
    backupRepository(folder, file);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const { findings: _, ...verdict } = restoreRepository(other, file);
    assert.deepEqual(readdirSync(other.path).sort(), [
      'audit.key',
      'editions',
      'orders.db',
      'token-key.json',
    ]);
    const { findings, ...before } = verdictOf(folder);
    assert.deepEqual(verdict, before);
    assert.deepEqual(findings, []);
    assert.deepEqual(entriesOf(other), entriesOf(folder));
    for (const key of ['auditKey', 'tokenKey', 'ordersDatabase'] as const) {
      assert.equal(statSync(other[key]).mode & 0o777, 0o600, key);
    }
    assert.deepEqual(readFileSync(other.auditKey), readFileSync(folder.auditKey));
    assert.deepEqual(readFileSync(other.tokenKey), readFileSync(folder.tokenKey));
    assert.equal(readFileSync(other.ordersDatabase).includes(readFileSync(folder.auditKey)), false);
    const store = openStore(other);
    store.runBatch([updateOperation('a')]);
    store.close();
    assert.deepEqual(verdictOf(other).findings, []);
    assert.deepEqual(readdirSync(place.path).sort(), ['backup.db', 'data', 'other']);
  });

  it('and its restore leave no copies of rows, which an erasure would not find', () => {
    const names = Array.from({ length: 80 }, (_, at) => `PATIENT-${1000 + at}`);
    const notes = 'The patient has a rare disease. '.repeat(20);
    const store = openStore(folder);
    store.runBatch(names.map((name) => createOperation(name, name, `${name}: ${notes}`)));
    store.close();
    backupRepository(folder, file);
    assert.equal(patientsIn(file)?.length, names.length);
    // Earlier versions made such backups.
    const old = join(place.path, 'old.db');
    copyFileSync(file, old);
    using database = new DatabaseSync(old);
    database.exec('PRAGMA secure_delete = OFF; VACUUM');
    assert.ok(patientsIn(old)!.length > names.length);
    for (const [backup, into] of [
      [file, other],
      [old, openDataFolder(join(place.path, 'third'))],
    ] as const) {
      restoreRepository(into, backup);
      assert.equal(patientsIn(into.ordersDatabase)?.length, names.length);
      for (const id of names) eraseFromFolder(into, { id }, 'request');
      assert.equal(patientsIn(into.ordersDatabase), null, backup);
      assert.deepEqual(verdictOf(into).findings, []);
    }
  });

  it('is whole and of one moment while a server writes', async () => {
    const thread = await startOrdersThread({ folder, onFault: () => {}, onRestart: () => {} });
    const store = createRepositoryClient(thread.connect());
    let answered = 0;
    let isDone = false;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let at = 0; !isDone; at++) {
        await createOrder(store, `${writer}-${at}`);
        answered++;
      }
    });
    const known: number[] = [];
    for (let round = 0; round < 3; round++) {
      while (answered < (round + 1) * 50) await new Promise((resolve) => setImmediate(resolve));
      known.push(answered);
      backupRepository(folder, `${file}-${round}`);
    }
    isDone = true;
    await Promise.all(writers);
    store.close();
    await thread.stop();
    for (let round = 0; round < 3; round++) {
      const target = openDataFolder(join(place.path, `restored-${round}`));
      const { versions } = restoreRepository(target, `${file}-${round}`);
      assert.ok(versions >= 2 + known[round]!, `${versions} of ${known[round]}`);
    }
  });

  it('that is damaged is named as it was given, and another one is asked for', () => {
    backupRepository(folder, file);
    const whole = readFileSync(file);
    let refused = 0;
    for (let at = 4096; at + 4096 <= whole.length; at += 4096) {
      const bytes = Buffer.from(whole);
      bytes.fill(0xff, at, at + 4096);
      writeFileSync(file, bytes);
      try {
        restoreRepository(openDataFolder(join(place.path, `restored-${at}`)), file);
      } catch (error) {
        assert.ok(error instanceof StorageError, String(error));
        const { message } = error;
        assert.ok(message.startsWith(`${file}: `), message);
        assert.match(message, /; use another (?:backup|one)$/);
        refused++;
      }
    }
    assert.ok(refused > 10, String(refused));
  });

  it('is never written over a file, nor half', () => {
    writeFileSync(file, 'mine');
    assert.throws(() => backupRepository(folder, file), {
      kind: 'refused',
      message: /already exists/,
    });
    assert.equal(readFileSync(file, 'utf8'), 'mine');
    assert.throws(() => backupRepository(folder, join(place.path, 'none', 'file')), {
      kind: 'unusable',
    });
    assert.throws(() => backupRepository(other, join(place.path, 'new')), {
      message: /there are no order responses here/,
    });
    assert.deepEqual(readdirSync(place.path).sort(), ['backup.db', 'data', 'other']);
  });

  it('goes into a folder whose server has written nothing, once its audit key was moved away', () => {
    backupRepository(folder, file);
    openStore(other).close();
    const key = readFileSync(other.auditKey);
    assert.throws(() => restoreRepository(other, file), {
      kind: 'refused',
      message: /audit\.key: another key is here already, perhaps .*; move it away/,
    });
    assert.deepEqual(readFileSync(other.auditKey), key);
    rmSync(other.auditKey);
    assert.equal(restoreRepository(other, file).versions, 2);
    assert.deepEqual(verdictOf(other).findings, []);
  });

  it('takes the place of an audit key that was never written', () => {
    backupRepository(folder, file);
    writeFileSync(other.auditKey, '');
    restoreRepository(other, file);
    assert.deepEqual(readFileSync(other.auditKey), readFileSync(folder.auditKey));
  });

  it('is not restored over writes that lie in the write-ahead log alone', () => {
    backupRepository(folder, file);
    const store = openStore(folder);
    store.runBatch([createOperation('b')]);
    const { ordersDatabase } = other;
    const writes = readFileSync(`${folder.ordersDatabase}-wal`);
    store.close();
    assert.ok(writes.length > 0);
    for (const database of [undefined, '']) {
      writeFileSync(`${ordersDatabase}-wal`, writes);
      if (database !== undefined) writeFileSync(ordersDatabase, database);
      assert.throws(() => restoreRepository(other, file), {
        kind: 'refused',
        message:
          /orders\.db-wal: .* move orders\.db, orders\.db-wal, orders\.db-shm and audit\.key away/,
      });
      assert.throws(() => openStore(other), { message: /orders\.db-wal: .* is missing/ });
      assert.deepEqual(readFileSync(`${ordersDatabase}-wal`), writes);
    }
  });

  it('is not restored while another program looks at what is there', () => {
    backupRepository(folder, file);
    openStore(other).close();
    rmSync(other.auditKey);
    const reader = new DatabaseSync(other.ordersDatabase);
    reader.exec('BEGIN; CREATE TABLE x (y); COMMIT');
    assert.throws(() => restoreRepository(other, file), { message: /orders\.db-wal: / });
    reader.close();
    assert.equal(restoreRepository(other, file).versions, 2);
  });

  const spoilings: readonly [
    string,
    (paths: { file: string; other: DataFolder }) => void,
    RegExp,
  ][] = [
    [
      'there are entries already',
      (paths) => {
        const store = openStore(paths.other);
        store.runBatch([readOperation('x')]);
        store.close();
      },
      /entries here already; .* or move orders\.db, orders\.db-wal, orders\.db-shm and audit\.key/,
    ],
    [
      'there is another key for tokens',
      (paths) => writeFileSync(paths.other.tokenKey, '{}'),
      /token-key\.json: another key is here already/,
    ],
    ['there is no such file', (paths) => rmSync(paths.file), /there is no such file/],
    [
      'it is not a backup',
      (paths) => {
        rmSync(paths.file);
        new DatabaseSync(paths.file).close();
      },
      /this is not a backup of order responses/,
    ],
    [
      'it is no database',
      (paths) => writeFileSync(paths.file, 'x'.repeat(5000)),
      /this is not a backup of order responses, or it was cut short; use another one/,
    ],
    ['it was cut', (paths) => truncateSync(paths.file, 20_480), /use another (backup|one)/],
    ['it is of a newer version', (paths) => edit(paths.file, 'PRAGMA user_version = 99'), /newer/],
    [
      'an entry was changed',
      (paths) =>
        edit(
          paths.file,
          `DROP TRIGGER audit_entry_is_not_updated;
             UPDATE audit_entry SET entry = replace(entry, 'dr-1', 'dr-2') WHERE number = 2`,
        ),
      /audit entry 2 or the one before it was changed.*; use another backup/,
    ],
    [
      'its key is gone',
      (paths) => edit(paths.file, `DELETE FROM backup_file WHERE name = 'audit.key'`),
      /the key of the audit log is missing; use another backup/,
    ],
  ];
  for (const [what, spoil, message] of spoilings) {
    it(`is not restored when ${what}; nothing is touched`, () => {
      backupRepository(folder, file);
      spoil({ file, other });
      const before = readdirSync(other.path).map((name) => [name, contentOf(other, name)]);
      assert.throws(() => restoreRepository(other, file), { name: 'StorageError', message });
      const after = readdirSync(other.path).map((name) => [name, contentOf(other, name)]);
      assert.deepEqual(after, before);
    });
  }
});

/** The starts of notes about patients in the bytes of a file. */
function patientsIn(path: string): RegExpMatchArray | null {
  return readFileSync(path)
    .toString('latin1')
    .match(/PATIENT-1\d{3}: The/g);
}

function edit(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

function contentOf(folder: DataFolder, name: string): string {
  const path = join(folder.path, name);
  return existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'base64') : '';
}
