/** The migration of a repository is done completely or not at all, even if it is interrupted. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { type DataFolder, openDataFolder } from '../../src/storage/files/data-folder.ts';
import { parseHead } from '../../src/storage/repository/audit-chain.ts';
import { openDatabase } from '../../src/storage/sqlite/database/database.ts';
import { EDITION_MIGRATIONS } from '../../src/storage/sqlite/editions/edition-catalogue.ts';
import { verifyEditions } from '../../src/storage/sqlite/editions/verify-editions.ts';
import {
  isOfEarlierVersion,
  openRepositoryDatabase,
} from '../../src/storage/sqlite/repository-database.ts';
import { restoreRepository } from '../../src/storage/sqlite/restore-repository.ts';
import { repetitions } from '../campaign.ts';
import { verdictOf } from '../storage/repository-place.ts';
import { type Expected, unpack } from './unpack.ts';

const PROGRAM = join(import.meta.dirname, 'migrate-program.ts');

/** Demands that nothing is lost, in the state that is found and after the migration. */
function requireWhole(path: string, { resources, verified }: Expected): { isMigrated: boolean } {
  const folder = openDataFolder(path);
  const versions = Object.values(resources).reduce((sum, each) => sum + each, 0);
  const head = parseHead(/^audit head (.*)$/m.exec(verified)?.[1] ?? '');
  assert.ok(head);
  const isMigrated = !isOfEarlierVersion(folder);
  const before = verdictOf(folder, head);
  openRepositoryDatabase(folder).database.close();
  assert.equal(isOfEarlierVersion(folder), false);
  requireEditions(folder, verified);
  const after = verdictOf(folder, head);
  assert.deepEqual([before.findings, before.versions], [[], versions]);
  assert.deepEqual(after, before);
  return { isMigrated };
}

/** Demands that all editions are there, in whatever state `directory.db` was found. */
function requireEditions(folder: DataFolder, verified: string): void {
  if (!existsSync(folder.directoryDatabase)) return;
  openDatabase(folder.directoryDatabase, EDITION_MIGRATIONS).close();
  const found = [...verifyEditions(folder)].map(
    ({ name, findings }) => `${name}: ${findings.join() || 'sound'}`,
  );
  const lines = verified.split('\n').filter((line) => /^(directory\.db|edition)/.test(line));
  assert.deepEqual(found, lines);
}

/** A fixture, and how many statements apart its kills are: each one takes a process. */
const KILLED: readonly (readonly [name: string, step: number])[] = [
  ['0.1.0', repetitions(8, 4)],
  ['schema-1-killed', repetitions(4, 2)],
  ['schema-5', repetitions(4, 2)],
  ['schema-6', repetitions(2, 1)],
];

for (const [name, step] of KILLED) {
  it(`of ${name}, killed between its statements, is done anew`, (context) => {
    const { path, data, expected } = unpack(context, name);
    const outcomes: boolean[] = [];
    for (let statement = 1; ; statement += step) {
      const copy = join(path, `killed-${statement}`);
      cpSync(data, copy, { recursive: true });
      const words = ['--disable-warning=ExperimentalWarning', PROGRAM, copy, String(statement)];
      const { status, signal, stderr } = spawnSync(process.execPath, words);
      outcomes.push(requireWhole(copy, expected).isMigrated);
      rmSync(copy, { recursive: true });
      if (status === 0) break;
      assert.equal(signal, 'SIGKILL', String(stderr));
    }
    const committed = outcomes.indexOf(true);
    assert.ok(committed > 2, `${committed} kills before the commit`);
    assert.ok(outcomes.slice(committed).every((isMigrated) => isMigrated));
  });
}

it('whose write-ahead log is cut anywhere is done anew', (context) => {
  const { path, data, expected } = unpack(context, 'schema-1');
  const { ordersDatabase } = openDataFolder(data);
  const before = readFileSync(ordersDatabase);
  const log = logOfMigration(data);
  const outcomes: boolean[] = [];
  for (let cut = 0; cut <= 20; cut++) {
    const copy = join(path, `cut-${cut}`);
    cpSync(data, copy, { recursive: true });
    writeFileSync(join(copy, 'orders.db'), before);
    writeFileSync(join(copy, 'orders.db-wal'), log, { mode: 0o600 });
    truncateSync(join(copy, 'orders.db-wal'), Math.floor((log.length * cut) / 20));
    outcomes.push(requireWhole(copy, expected).isMigrated);
    rmSync(copy, { recursive: true });
  }
  assert.deepEqual(outcomes, [...Array(20).fill(false), true]);
});

it('of rows that contradict each other is refused, and changes nothing', (context) => {
  const { data } = unpack(context, 'schema-1');
  const folder = openDataFolder(data);
  addStrayIdentifier(folder.ordersDatabase);
  const length = statSync(folder.ordersDatabase).size;
  const message =
    /^\S+orders\.db: written by an older version .* cannot be migrated .* restore a backup$/;
  assert.throws(() => openRepositoryDatabase(folder), { kind: 'damaged', message });
  assert.equal(isOfEarlierVersion(folder), true);
  assert.equal(statSync(folder.ordersDatabase).size, length);
  assert.deepEqual(verdictOf(folder).findings, [
    'a search entry names nobody, which does not exist',
  ]);
});

it('does not happen where a restore is refused', (context) => {
  const { data, path } = unpack(context, 'schema-1');
  const folder = openDataFolder(data);
  const refused = { kind: 'refused', message: /order responses or audit entries here already/ };
  assert.throws(() => restoreRepository(folder, join(path, 'backup.db')), refused);
  assert.equal(isOfEarlierVersion(folder), true);
});

it('of a backup comes after its check, which names what is damaged', (context) => {
  const { path } = unpack(context, 'schema-1');
  const backup = join(path, 'backup.db');
  addStrayIdentifier(backup);
  const folder = openDataFolder(join(path, 'restored'));
  const message = `${backup}: a search entry names nobody, which does not exist; use another backup`;
  assert.throws(() => restoreRepository(folder, backup), { kind: 'damaged', message });
});

/** The write-ahead log of the migration, before the file is cleaned and the log is emptied. */
function logOfMigration(data: string): Buffer {
  const { exec } = DatabaseSync.prototype;
  let log = Buffer.alloc(0);
  const folder = openDataFolder(data);
  DatabaseSync.prototype.exec = function (sql) {
    if (sql === 'VACUUM') log = readFileSync(`${folder.ordersDatabase}-wal`);
    exec.call(this, sql);
  };
  try {
    openRepositoryDatabase(folder).database.close();
  } finally {
    DatabaseSync.prototype.exec = exec;
  }
  return log;
}

function addStrayIdentifier(path: string): void {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  database.exec(`INSERT INTO order_response_identifier VALUES ('s', 'v', 'nobody')`);
  database.close();
}
