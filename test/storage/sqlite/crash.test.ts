/** Whatever ends an import, however and whenever: the edition before stays, whole and current. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openDataFolder } from '../../../src/storage/data-folder.ts';
import { openEditionStore } from '../../../src/storage/sqlite/edition-store.ts';
import { verifyEditions } from '../../../src/storage/sqlite/verify-editions.ts';
import { smallEdition } from '../edition-store.contract.ts';
import { withSteps } from '../steps.ts';

const PROGRAM = join(import.meta.dirname, 'import-program.ts');

describe('an import that does not end well', () => {
  let folder: string;
  let pristine: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gazetteer-crash-'));
    pristine = join(folder, 'pristine');
    const store = open(pristine);
    smallEdition(store, 1, 2);
    smallEdition(store, 2, 2);
    store.close();
  });
  after(() => rmSync(folder, { recursive: true }));

  const copyOf = (name: string) => {
    const path = join(folder, name);
    cpSync(pristine, path, { recursive: true });
    return path;
  };

  it('killed before any of its steps, leaves the edition before or the new one', () => {
    const path = join(folder, 'killed');
    const outcomes: number[] = [];
    for (let step = 1; ; step++) {
      cpSync(pristine, path, { recursive: true });
      const { status, signal } = spawnSync(process.execPath, [PROGRAM, path, 'kill', `${step}`]);
      const current = checkWhole(path);
      outcomes.push(current);
      checkNextImport(path);
      rmSync(path, { recursive: true });
      if (status === 0) {
        break;
      }
      assert.equal(signal, 'SIGKILL');
    }
    const published = outcomes.indexOf(3);
    assert.ok(published > 20, `${published} steps before publication`);
    assert.ok(outcomes.length - published > 2, 'steps after publication');
    assert.deepEqual(new Set(outcomes.slice(0, published)), new Set([2]));
    assert.deepEqual(new Set(outcomes.slice(published)), new Set([3]));
  });

  it('killed from outside at some moment, loses nothing that was published', async () => {
    const path = copyOf('random');
    let acknowledged = 2;
    for (let round = 0; round < 15; round++) {
      const child = spawn(process.execPath, [PROGRAM, path, 'endless']);
      const dots = 1 + ((round * 37) % 101);
      let output = '';
      for await (const data of child.stdout) {
        output += String(data);
        if (output.length >= dots) {
          child.kill('SIGKILL');
        }
      }
      if (child.exitCode === null && child.signalCode === null) {
        await once(child, 'exit');
      }
      assert.equal(child.signalCode, 'SIGKILL');
      for (const [, number] of output.matchAll(/(\d+)\n/g)) {
        acknowledged = Number(number);
      }
      const current = checkWhole(path);
      assert.ok(current >= acknowledged, `${current} is current, ${acknowledged} was published`);
    }
    assert.ok(acknowledged > 2);
    checkNextImport(path);
  });

  it('failing for want of space in any step, is taken back and says so', () => {
    const path = copyOf('full');
    const store = open(path);
    const failed: string[] = [];
    let published = 2;
    for (let failAt = 1; ; failAt++) {
      let failing: string | undefined;
      const fail = (name: string, step: number) => {
        if (step === failAt) {
          failing = name;
          throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
        }
      };
      try {
        withSteps(fail, () => smallEdition(store, published + 1, 2));
        published++;
      } catch (error) {
        assert.ok(error instanceof Error && 'kind' in error);
        assert.equal(error.kind, 'full');
        assert.match(
          error.message,
          /^\S+: there is no space left [^\n]*; free some space and try again$/,
        );
        failed.push(failing ?? '');
      }
      assert.equal(checkWhole(path), published);
      if (failing === undefined) {
        break;
      }
      const folders = readdirSync(join(path, 'editions'));
      const known = folders.every((name) => Number(name) <= published);
      assert.ok(known, `failed in ${failing}, which left ${folders}`);
    }
    store.close();
    for (const step of ['mkdirSync', 'writeSync', 'fsyncSync', 'renameSync', 'run', 'COMMIT']) {
      assert.ok(failed.includes(step), step);
    }
    checkNextImport(path);
  });

  it('leaves no half of a rollback, in whatever step that fails', () => {
    for (let failAt = 1, failed = true; failed; failAt++) {
      const path = copyOf(`rollback-${failAt}`);
      const store = open(path);
      failed = false;
      const fail = (_name: string, step: number) => {
        if (step !== failAt) return;
        failed = true;
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      };
      try {
        withSteps(fail, () => store.rollback(1));
      } catch (error) {
        assert.ok(failed, String(error));
      }
      store.close();
      const parts = [...verifyEditions(openDataFolder(path))];
      const findings = parts.flatMap((part) => part.findings);
      assert.deepEqual(findings, [], `after step ${failAt}`);
    }
  });

  it('has everything on the disk before the row that makes it current', () => {
    const store = open(copyOf('order'));
    const steps: string[] = [];
    withSteps(
      (name) => steps.push(name),
      () => smallEdition(store, 3, 2),
    );
    store.close();
    const telling = new Set(['writeSync', 'fsyncSync', 'renameSync', 'BEGIN IMMEDIATE', 'COMMIT']);
    const order = steps.slice(steps.indexOf('mkdirSync')).filter((name) => telling.has(name));
    assert.deepEqual(order, [
      ...['writeSync', 'fsyncSync'], // the array
      ...['writeSync', 'fsyncSync'], // the manifest
      'fsyncSync', // the names of both
      'BEGIN IMMEDIATE',
      ...['renameSync', 'fsyncSync'],
      'COMMIT',
    ]);
  });

  it('leaves the folder for a row that may be on the disk, or may not', () => {
    const path = copyOf('unknown');
    const store = open(path);
    const fail = (name: string) => {
      if (name === 'COMMIT') {
        throw Object.assign(new Error('disk I/O error'), { errcode: 1034 }); // IOERR_FSYNC
      }
    };
    assert.throws(() => withSteps(fail, () => smallEdition(store, 3, 3)), { kind: 'unsynced' });
    store.close();
    assert.equal(checkWhole(path), 2);
    assert.deepEqual(readdirSync(join(path, 'editions')), ['000001', '000002', '000003']);
    checkNextImport(path);
  });

  const limits: readonly [string, readonly string[]][] = [
    ['the data are too large for the disk', ['array', '8000000']],
    ['the list of differences is too large for the disk', ['difference', '60000']],
  ];
  for (const [what, args] of limits) {
    it(`says what is wrong when ${what}`, {
      skip: process.platform === 'win32' && 'Windows has no ulimit',
    }, () => {
      const path = copyOf(args[0]!);
      const command = ['-c', 'ulimit -f 1000; exec "$@"', 'sh', process.execPath, PROGRAM, path];
      const { status, stderr } = spawnSync('sh', [...command, ...args], { encoding: 'utf8' });
      assert.match(stderr, /^\/\S+: [^\n]*(there is no space left|its free space)[^\n]*\n$/);
      assert.equal(status, 1);
      assert.equal(checkWhole(path), 2);
      assert.deepEqual(readdirSync(join(path, 'editions')), ['000001', '000002']);
      checkNextImport(path);
    });
  }
});

function open(path: string) {
  return openEditionStore(openDataFolder(path));
}

/** Every edition that is said to be there is there; returns the current one's number. */
function checkWhole(path: string): number {
  const store = open(path);
  const editions = store.list();
  const current = store.current();
  assert.ok(current);
  assert.equal(editions.filter(({ isCurrent }) => isCurrent).length, 1);
  assert.equal(current.number, editions.length, 'the newest is current');
  for (const { number, isOnDisk, source } of editions) {
    assert.equal(source, `release-${number}.zip`);
    assert.equal(isOnDisk, number > current.number - 2, `edition ${number}`);
    if (isOnDisk) {
      assert.deepEqual({ ...store.load(number) }, { small: Uint32Array.of(number, 2 * number) });
    }
  }
  store.close();
  return current.number;
}

/** The lock is free, the next number is the next, and leftovers are gone. */
function checkNextImport(path: string): void {
  const store = open(path);
  const next = store.list().length + 1;
  assert.equal(smallEdition(store, next, 2).number, next);
  const folders = [next - 1, next].map((number) => String(number).padStart(6, '0'));
  assert.deepEqual(readdirSync(join(path, 'editions')).sort(), folders);
  store.close();
}
