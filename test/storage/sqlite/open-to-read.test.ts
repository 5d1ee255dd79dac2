/** Opening a database to read where SQLite cannot make the files that it needs. */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { storageError } from '../../../src/storage/files/storage-error.ts';
import {
  openToRead,
  openWithoutWriting,
} from '../../../src/storage/sqlite/database/open-to-read.ts';
import { mount, remount } from '../../faults/mount.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const SIZE_BYTES = 4 * 1024 * 1024;

/** So many files and folders fit. */
const FILES = 20;

/** What a power loss in the first write leaves of a log: no whole frame. */
const TORN_BYTES = 2_000;

const LOGS = [
  { name: 'a log without a commit', bytes: TORN_BYTES },
  { name: 'no log', bytes: 0 },
];

describe('in a folder that can be written, on a disk without room for another file', () => {
  for (const { name, bytes } of LOGS) {
    it(`no connection without locks is opened with ${name}`, (context) => {
      const path = databaseOn(context, bytes);
      if (path === undefined) return;
      const before = readdirSync(join(path, '..'));
      assert.throws(
        () => openToRead(path),
        (fault) => {
          assert.match(String(storageError(fault, path)), /there is no space left/);
          return true;
        },
      );
      assert.deepEqual(readdirSync(join(path, '..')), before);
    });
  }

  it('a log without a commit stays, also if only the way without a new file is tried', (context) => {
    const path = databaseOn(context, TORN_BYTES);
    if (path === undefined) return;
    assert.throws(() => openWithoutWriting(path), { code: 'ERR_SQLITE_ERROR' });
    assert.ok(existsSync(`${path}-wal`));
  });
});

/** A database whose log has so many bytes, on a disk without free inodes. Undefined: skipped. */
function databaseOn(context: TestContext, logBytes: number): string | undefined {
  const disk = mkdtempSync(join(tmpdir(), 'gazetteer-disk-'));
  const reason = mount(context, disk, SIZE_BYTES);
  if (reason !== undefined) {
    context.skip(`a separate file system cannot be mounted: ${reason}`);
    return undefined;
  }
  const path = join(disk, 'a.db');
  makeDatabase(path).close();
  if (logBytes > 0) {
    const other = join(temporaryFolder(context), 'b.db');
    using _other = makeDatabase(other);
    writeFileSync(`${path}-wal`, readFileSync(`${other}-wal`).subarray(0, logBytes));
  }
  assert.equal(remount(disk, `nr_inodes=${FILES}`), undefined);
  useUpInodes(disk);
  return path;
}

function makeDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)');
  return database;
}

function useUpInodes(disk: string): void {
  for (let left = statfsSync(disk).ffree; left > 0; left--)
    writeFileSync(join(disk, `f${left}`), '');
}
