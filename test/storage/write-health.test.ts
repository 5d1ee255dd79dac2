/** The health of the store of order responses: what a failed batch and the probes after it say. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { probeDisk } from '../../src/storage/files/probe-disk.ts';
import { StorageError } from '../../src/storage/files/storage-error.ts';
import { createWriteHealth, PROBE_MS } from '../../src/storage/threads/write-health.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { withSteps } from './steps.ts';

function healthOf() {
  const told: (string | undefined)[] = [];
  const broken: { disk?: StorageError | undefined; database?: StorageError | undefined } = {};
  let nowMs = 0;
  let probes = 0;
  const health = createWriteHealth({
    probeDisk: () => {
      probes++;
      if (broken.disk) throw broken.disk;
    },
    probeDatabase: () => {
      if (broken.database) throw broken.database;
    },
    onChange: (problem) => told.push(problem),
    nowMs: () => nowMs,
  });
  const look = () => {
    nowMs += PROBE_MS;
    health.look();
  };
  return { health, told, broken, look, probes: () => probes };
}

const QUOTA = new StorageError('full', 'no space left');
const WRITE_FAILED = new StorageError('disk', 'cannot be written');

it('after a failed batch nothing can be stored until disk and database were written', () => {
  const { health, told, broken, look } = healthOf();
  look();
  assert.deepEqual(told, []);
  broken.disk = QUOTA;
  broken.database = WRITE_FAILED;
  health.failed(QUOTA);
  look();
  assert.deepEqual(told, ['no space left']);
  broken.disk = undefined;
  look();
  look();
  assert.deepEqual(told, ['no space left', 'cannot be written']);
  broken.database = undefined;
  look();
  look();
  assert.deepEqual(told.slice(2), [undefined]);
});

it('the disk says what SQLite does not, but not whether a failed sync has stored something', () => {
  const { health, broken } = healthOf();
  broken.disk = QUOTA;
  assert.equal(health.failed(WRITE_FAILED), QUOTA);
  for (const kind of ['unsynced', 'damaged', 'locked'] as const) {
    const error = new StorageError(kind, kind);
    assert.equal(health.failed(error), error);
  }
});

it('the disk is not asked for every batch that fails', () => {
  const { health, look, probes } = healthOf();
  for (let at = 0; at < 100; at++) health.failed(WRITE_FAILED);
  health.look();
  assert.equal(probes(), 1);
  look();
  assert.equal(probes(), 2);
});

/** As Node throws it: it has no name for EDQUOT. */
function faultOf(code: keyof typeof constants.errno): Error {
  const errno = -constants.errno[code];
  return Object.assign(new Error(code), { code: code === 'EDQUOT' ? 'UNKNOWN' : code, errno });
}

const REASONS = [
  ['EDQUOT', 'full', /no space left \(disk, quota or file size limit\); free some space/],
  ['ENOSPC', 'full', /no space left/],
  ['EROFS', 'read-only', /the file system is read-only; mount it for writing/],
  ['EIO', 'disk', /the disk reports an error; check it/],
  ['EACCES', 'denied', /this user may not write here/],
] as const;
for (const [code, kind, message] of REASONS) {
  it(`a probe of the disk that fails with ${code} says so, and leaves nothing behind`, (context) => {
    const folder = temporaryFolder(context);
    const fail = (name: string) => {
      if (name === 'fsyncSync') throw faultOf(code);
    };
    const path = join(folder, 'orders.db');
    assert.throws(() => withSteps(fail, () => probeDisk(path)), { kind, message });
    assert.deepEqual(readdirSync(folder), []);
    probeDisk(path);
    assert.deepEqual(readdirSync(folder), []);
  });
}

it('the disk is asked anew when a batch fails soon after another fault is over', () => {
  const { health, broken, look } = healthOf();
  assert.equal(health.failed(WRITE_FAILED), WRITE_FAILED);
  look();
  broken.disk = QUOTA;
  assert.equal(health.failed(WRITE_FAILED), QUOTA);
});
