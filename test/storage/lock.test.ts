/** Locks on a data folder, between real processes. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { acquireLock, type LockName } from '../../src/storage/files/lock.ts';

const PROGRAM = join(import.meta.dirname, 'lock-program.ts');

describe('a lock on a data folder', () => {
  let folder: string;
  let children: ChildProcessWithoutNullStreams[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gazetteer-lock-'));
    children = [];
  });
  afterEach(async () => {
    for (const child of children) {
      await end(child, 'SIGKILL');
    }
    rmSync(folder, { recursive: true });
  });

  /** Starts a process that takes the lock; returns it and the line it says. */
  const start = async (name: LockName) => {
    const child = spawn(process.execPath, [PROGRAM, folder, name]);
    children.push(child);
    const [data] = await once(child.stdout, 'data');
    return { child, line: String(data) };
  };

  const messages: readonly [LockName, (pid: number | undefined) => string][] = [
    ['serve', (pid) => `in use by process ${pid}; stop it first, or choose another data folder`],
    ['import', (pid) => `process ${pid} is importing or rolling back; try again when it has ended`],
  ];
  for (const [name, message] of messages) {
    it(`for ${name} is refused to a second process, which names the first`, async () => {
      const first = await start(name);
      assert.equal(first.line, 'held\n');
      const refusal = `${folder}: ${message(first.child.pid)}`;
      assert.equal((await start(name)).line, `${refusal}\n`);
      assert.throws(() => acquireLock(folder, name), { kind: 'locked', message: refusal });
    });
  }

  it('is refused a second time in the same process, and is still held then', async () => {
    const lock = acquireLock(folder, 'serve');
    assert.throws(() => acquireLock(folder, 'serve'), {
      message: new RegExp(`in use by process ${process.pid}`),
    });
    assert.match((await start('serve')).line, new RegExp(`in use by process ${process.pid}`));
    lock.release();
  });

  it('is free after release, for any holder', async () => {
    const { child } = await start('serve');
    child.stdin.end();
    await ended(child);
    const lock = acquireLock(folder, 'serve');
    lock.release();
    lock.release();
    const next = acquireLock(folder, 'serve');
    lock.release();
    assert.throws(() => acquireLock(folder, 'serve'), { kind: 'locked' });
    next.release();
    assert.deepEqual(readdirSync(folder), ['serve.lock']);
  });

  it('is free after kill -9', async () => {
    const { child } = await start('serve');
    await end(child, 'SIGKILL');
    assert.deepEqual(readdirSync(folder), ['serve.lock', 'serve.pid']);
    acquireLock(folder, 'serve').release();
  });

  it('does not name a process that has ended', async () => {
    const { child } = await start('import');
    await end(child, 'SIGKILL');
    const lock = acquireLock(folder, 'serve');
    for (const text of [`${child.pid}\n`, '', 'x']) {
      writeFileSync(join(folder, 'serve.pid'), text);
      assert.throws(() => acquireLock(folder, 'serve'), { message: /in use by another process;/ });
    }
    lock.release();
  });

  it('for serving leaves importing free, and the other way round', async () => {
    const serving = acquireLock(folder, 'serve');
    assert.equal((await start('import')).line, 'held\n');
    serving.release();
    acquireLock(folder, 'serve').release();
  });

  it('leaves files that only their user may read', () => {
    const lock = acquireLock(folder, 'serve');
    for (const name of readdirSync(folder)) {
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
    }
    lock.release();
  });

  it('cannot be taken in a folder that is not there', () => {
    const missing = join(folder, 'missing');
    assert.throws(() => acquireLock(missing, 'serve'), { name: 'StorageError', kind: 'unusable' });
  });
});

async function end(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await ended(child);
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'exit');
  }
}
