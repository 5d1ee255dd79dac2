/** The first start with a data folder of an earlier version, killed or failing at any statement. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { it } from 'node:test';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { StorageError } from '../../../src/storage/files/storage-error.ts';
import { openDatabase } from '../../../src/storage/sqlite/database/database.ts';
import { EDITION_MIGRATIONS } from '../../../src/storage/sqlite/editions/edition-catalogue.ts';
import { isOfEarlierVersion } from '../../../src/storage/sqlite/repository-database.ts';
import { openStore } from '../../storage/repository-place.ts';
import { unpackFiles } from '../unpack.ts';
import type { VersionContent } from './content.ts';
import { fixtureOf, PAST_VERSIONS } from './past-versions.ts';
import { requireUsable, requireVerified, run, type Upgraded } from './upgraded.ts';

/** What the storage threads of a server do when they start, in this thread. */
function start(data: string): void {
  const folder = openDataFolder(data);
  openDatabase(folder.directoryDatabase, EDITION_MIGRATIONS).close();
  openStore(folder).close();
}

const FILES = ['directory.db', 'directory.db-wal', 'orders.db', 'orders.db-wal'];

/**
 * Copies of the folder as a kill before any statement of the start would leave it. What a process has
 * written to files stays when it is killed, so a copy of the files is what the next process finds.
 */
function statesOf(data: string, copyOf: (at: number) => string): string[] {
  const copies: string[] = [];
  const known = new Set<string>();
  const copy = (): void => {
    const found = FILES.map((name) => join(data, name)).filter((path) => existsSync(path));
    const hash = createHash('sha256');
    for (const path of found) hash.update(path).update(readFileSync(path));
    const state = hash.digest('hex');
    if (known.has(state)) return;
    known.add(state);
    const target = copyOf(copies.length);
    cpSync(data, target, { recursive: true });
    copies.push(target);
  };
  const { run: runStatement } = StatementSync.prototype;
  StatementSync.prototype.run = new Proxy(runStatement, {
    apply: (target, statement, values) => {
      copy();
      return Reflect.apply(target, statement, values);
    },
  });
  try {
    beforeEachCommand(copy, () => start(data));
  } finally {
    StatementSync.prototype.run = runStatement;
  }
  copy();
  return copies;
}

/** Calls `before` before each command without parameters that `action` executes. */
function beforeEachCommand(before: () => void, action: () => void): void {
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql) {
    for (const statement of sql.split(/;\n(?=\s*(?:--|ALTER|CREATE|INSERT|DROP|UPDATE|DELETE))/)) {
      before();
      exec.call(this, statement);
    }
  };
  try {
    action();
  } finally {
    DatabaseSync.prototype.exec = exec;
  }
}

const DISK_FULL = Object.assign(new Error('database or disk is full'), {
  code: 'ERR_SQLITE_ERROR',
  errcode: 13,
});

/** Starts while the disk is full for one command. Returns whether there was such a command. */
function startFailing(data: string, at: number): boolean {
  let commands = 0;
  const fail = (): void => {
    commands += 1;
    if (commands === at) throw DISK_FULL;
  };
  try {
    beforeEachCommand(fail, () => start(data));
  } catch (error) {
    assert.ok(error instanceof StorageError || error === DISK_FULL, String(error));
  }
  return commands >= at;
}

/** Demands every version in an export, as it was acknowledged, unless it was erased since. */
async function requireExported({ words, content }: Upgraded): Promise<void> {
  const lines = new Set((await run('orders', 'export', ...words)).split('\n'));
  const [whole, partly] = content.erased;
  for (const { path, body } of content.acknowledged) {
    const [, id, , version] = path.split('/');
    const isErased = id === whole || (id === partly && version === '1');
    if (!isErased && body !== '') assert.ok(lines.has(body), path);
  }
}

async function requireWhole(upgraded: Upgraded): Promise<void> {
  start(upgraded.data);
  assert.equal(isOfEarlierVersion(openDataFolder(upgraded.data)), false);
  await requireVerified(upgraded);
  await requireExported(upgraded);
}

for (const version of PAST_VERSIONS) {
  const fixture = fixtureOf(version, 'folder');
  const upgradedAt = (path: string, data: string, content: VersionContent): Upgraded => ({
    path,
    data,
    words: ['--data', data],
    content,
  });

  it(`of version ${version.version}, killed anywhere, is done anew and loses nothing`, async (context) => {
    const { path, data, expected } = unpackFiles<VersionContent>(context, fixture);
    const copies = statesOf(data, (at) => join(path, `killed-${at}`));
    assert.ok(copies.length > 1, `${copies.length} states`);
    const upgraded = copies.map((copy) => upgradedAt(path, copy, expected));
    for (const each of upgraded) await requireWhole(each);
    for (const each of [upgraded[0], upgraded.at(-1)]) if (each) await requireUsable(context, each);
  });

  it(`of version ${version.version}, whose disk is full for a command, is done anew`, async (context) => {
    const { path, data, expected } = unpackFiles<VersionContent>(context, fixture);
    let at = 0;
    for (let hasFailed = true; hasFailed; ) {
      at += 1;
      const copy = join(path, `failed-${at}`);
      cpSync(data, copy, { recursive: true });
      hasFailed = startFailing(copy, at);
      await requireWhole(upgradedAt(path, copy, expected));
      rmSync(copy, { recursive: true });
    }
    assert.ok(at > 10, `${at} commands`);
  });
}
