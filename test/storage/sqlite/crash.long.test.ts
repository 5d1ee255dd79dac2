/** Whatever ends an import, however and whenever: the edition before stays, whole and current. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { openEditionStore } from '../../../src/storage/sqlite/editions/edition-store.ts';
import { repetitions } from '../../campaign.ts';
import { smallEdition } from '../edition-store.contract.ts';
import { withAsyncSteps } from '../steps.ts';

/** The steps between two kills: each kill takes a process. */
const STRIDE = repetitions(3, 1);
const ROUNDS = repetitions(5, 15);

const PROGRAM = join(import.meta.dirname, 'import-program.ts');

describe('an import that does not end well', () => {
  let folder: string;
  let pristine: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gazetteer-crash-'));
    pristine = join(folder, 'pristine');
    const store = open(pristine);
    await smallEdition(store, 1, 2);
    await smallEdition(store, 2, 2);
    await store.close();
  });
  after(() => rmSync(folder, { recursive: true }));

  const copyOf = (name: string) => {
    const path = join(folder, name);
    cpSync(pristine, path, { recursive: true });
    return path;
  };

  it('killed before any of its steps, leaves the edition before or the new one', async () => {
    const path = join(folder, 'killed');
    const outcomes: number[] = [];
    for (let step = 1; ; step += STRIDE) {
      cpSync(pristine, path, { recursive: true });
      const { status, signal } = spawnSync(process.execPath, [PROGRAM, path, 'kill', `${step}`]);
      const current = await checkWhole(path);
      outcomes.push(current);
      await checkNextImport(path);
      rmSync(path, { recursive: true });
      if (status === 0) {
        break;
      }
      assert.equal(signal, 'SIGKILL');
    }
    const published = outcomes.indexOf(3);
    assert.ok(published * STRIDE > 20, `${published} kills before publication`);
    assert.ok((outcomes.length - published) * STRIDE > 2, 'kills after publication');
    assert.deepEqual(new Set(outcomes.slice(0, published)), new Set([2]));
    assert.deepEqual(new Set(outcomes.slice(published)), new Set([3]));
  });

  it('killed from outside at some moment, loses nothing that was published', async () => {
    const path = copyOf('random');
    let acknowledged = 2;
    for (let round = 0; round < ROUNDS; round++) {
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
      const current = await checkWhole(path);
      assert.ok(current >= acknowledged, `${current} is current, ${acknowledged} was published`);
    }
    assert.ok(acknowledged > 2);
    await checkNextImport(path);
  });

  it('failing for want of space in any step, is taken back and says so', async () => {
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
        await withAsyncSteps(fail, () => smallEdition(store, published + 1, 2));
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
      assert.equal(await checkWhole(path), published);
      if (failing === undefined) {
        break;
      }
      const folders = readdirSync(join(path, 'editions'));
      const known = folders.every((name) => Number(name) <= published);
      assert.ok(known, `failed in ${failing}, which left ${folders}`);
    }
    await store.close();
    for (const step of [
      'mkdirSync',
      'writeSync',
      'fsync',
      'fsync ended',
      'renameSync',
      'run',
      'COMMIT',
    ]) {
      assert.ok(failed.includes(step), step);
    }
    await checkNextImport(path);
  });

  it('has everything on the disk before the row that makes it current', async () => {
    const store = open(copyOf('order'));
    const steps: string[] = [];
    await withAsyncSteps(
      (name) => steps.push(name),
      () => smallEdition(store, 3, 2),
    );
    await store.close();
    const telling = new Set([
      'writeSync',
      'fsync',
      'fsync ended',
      'fsyncSync',
      'renameSync',
      'BEGIN IMMEDIATE',
      'COMMIT',
    ]);
    const order = steps.slice(steps.indexOf('mkdirSync')).filter((name) => telling.has(name));
    assert.deepEqual(order, [
      'writeSync',
      'fsync',
      'fsync ended', // the array
      'writeSync',
      'fsync',
      'fsync ended', // the manifest
      'fsyncSync', // the names of both
      'BEGIN IMMEDIATE',
      'renameSync',
      'fsyncSync',
      'COMMIT',
    ]);
  });

  it('leaves the folder for a row that may be on the disk, or may not', async () => {
    const path = copyOf('unknown');
    const store = open(path);
    const fail = (name: string) => {
      if (name === 'COMMIT') {
        throw Object.assign(new Error('disk I/O error'), { errcode: 1034 }); // IOERR_FSYNC
      }
    };
    await assert.rejects(
      withAsyncSteps(fail, () => smallEdition(store, 3, 3)),
      { kind: 'unsynced' },
    );
    await store.close();
    assert.equal(await checkWhole(path), 2);
    assert.deepEqual(readdirSync(join(path, 'editions')), ['000001', '000002', '000003']);
    await checkNextImport(path);
  });

  const limits: readonly [string, readonly string[]][] = [
    ['the data are too large for the disk', ['array', '8000000']],
    ['the list of differences is too large for the disk', ['difference', '60000']],
  ];
  for (const [what, args] of limits) {
    it(`says what is wrong when ${what}`, {
      skip: process.platform === 'win32' && 'Windows has no ulimit',
    }, async () => {
      const path = copyOf(args[0]!);
      const command = ['-c', 'ulimit -f 1000; exec "$@"', 'sh', process.execPath, PROGRAM, path];
      const { status, stderr } = spawnSync('sh', [...command, ...args], { encoding: 'utf8' });
      assert.match(stderr, /^\/\S+: [^\n]*(there is no space left|its free space)[^\n]*\n$/);
      assert.equal(status, 1);
      assert.equal(await checkWhole(path), 2);
      assert.deepEqual(readdirSync(join(path, 'editions')), ['000001', '000002']);
      await checkNextImport(path);
    });
  }
});

function open(path: string) {
  return openEditionStore(openDataFolder(path));
}

/** Every edition that is said to be there is there; returns the current one's number. */
async function checkWhole(path: string): Promise<number> {
  const store = open(path);
  const editions = await store.list();
  const current = await store.current();
  assert.ok(current);
  assert.equal(editions.filter(({ isCurrent }) => isCurrent).length, 1);
  assert.equal(current.number, editions.length, 'the newest is current');
  for (const { number, isOnDisk, source } of editions) {
    assert.equal(source, `release-${number}.zip`);
    assert.equal(isOnDisk, number > current.number - 2, `edition ${number}`);
    if (isOnDisk) {
      assert.deepEqual(
        { ...(await store.load(number)) },
        { small: Uint32Array.of(number, 2 * number) },
      );
    }
  }
  await store.close();
  return current.number;
}

/** The lock is free, the next number is the next, and leftovers are gone. */
async function checkNextImport(path: string): Promise<void> {
  const store = open(path);
  const next = (await store.list()).length + 1;
  assert.equal((await smallEdition(store, next, 2)).number, next);
  const folders = [next - 1, next].map((number) => String(number).padStart(6, '0'));
  assert.deepEqual(readdirSync(join(path, 'editions')).sort(), folders);
  await store.close();
}
