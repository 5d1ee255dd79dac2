/** Commands on the order responses of a data folder: each does its work once. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { createOperation, openStore, updateOperation } from '../storage/repository-place.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

/** A folder with two order responses, and commands that work in it. */
function placeOf(context: TestContext) {
  const folder = temporaryFolder(context);
  const data = join(folder, 'data');
  const store = openStore(openDataFolder(data));
  store.runBatch([createOperation('a', 'one'), updateOperation('a'), createOperation('b')]);
  store.close();
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runInProcess([...words, '--data', data]);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  };
  const fail = async (...words: string[]) => {
    const { code, stderr } = await runInProcess([...words, '--data', data]);
    assert.equal(code, 1);
    return stderr;
  };
  return { folder, run, fail };
}

/** What every access of a test has. */
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

it('orders export writes all versions to a new file, and audit lists the accesses', async (context) => {
  const { folder, run, fail } = placeOf(context);
  const output = join(folder, 'orders.ndjson');
  await run('orders', 'export', '--output', output);
  const ids = linesOf(readFileSync(output, 'utf8')).map(({ id }) => id);
  assert.deepEqual(ids, ['a', 'a', 'b']);
  const events = linesOf(await run('audit'));
  assert.deepEqual(
    events.map(({ resourceType, event }) => [resourceType, event.action]),
    ['C', 'U', 'C', 'R'].map((action) => ['AuditEvent', action]),
  );
  const [newest] = linesOf(await run('audit', '--resource', 'OrderResponse/a', '--limit', '1'));
  assert.equal(newest.event.action, 'U');
  assert.match(await fail('orders', 'export', '--output', output), /orders\.ndjson/);
});

it('orders erase waits for the end of a hold', async (context) => {
  const { run, fail } = placeOf(context);
  const hold = ['orders', 'hold', 'OrderResponse/a', '--reason', 'inquest'];
  assert.equal(await run(...hold), 'OrderResponse/a is on hold.\n');
  const [held] = linesOf(await run('orders', 'holds'));
  assert.deepEqual([held.id, held.reason], ['a', 'inquest']);
  const erase = ['orders', 'erase', 'a', '--reason', 'Request-42'];
  assert.match(await fail(...erase), /on hold \(inquest\)/);
  assert.equal(await run('orders', 'release', 'a'), 'OrderResponse/a is no longer on hold.\n');
  const erased = /^Erased the content of OrderResponse\/a \(2 versions\)\.\nBackups made before/;
  assert.match(await run(...erase), erased);
  assert.match(await run(...erase), /^The content of OrderResponse\/a was already erased\.\n/);
  const rewritten = 'The database of order responses was rewritten.\n';
  assert.equal(await run('orders', 'rewrite'), rewritten);
});

it('backup and restore keep a version erased, and verify finds the end of the log', async (context) => {
  const { folder, run } = placeOf(context);
  const erased = await run('orders', 'erase', 'a', '--version', '1', '--reason', 'Request-42');
  assert.match(erased, /^Erased the content of version 1 of OrderResponse\/a \(1 version\)\.\n/);
  const [backup, restored] = [join(folder, 'orders.backup'), join(folder, 'restored')];
  await run('backup', backup);
  const verified = await run('verify');
  assert.match(
    verified,
    /^orders\.db: sound, 2 order responses, 3 versions\naudit head \d+:\w+\n$/,
  );
  const head = /^audit head (.*)$/m.exec(verified)?.[1] ?? '';
  const there = (...words: string[]) => runInProcess([...words, '--data', restored]);
  const { code, stderr } = await there('restore', backup);
  assert.equal(code, 0, stderr);
  assert.equal(existsSync(restored), true);
  assert.match((await there('verify')).stdout, /^orders\.db: sound, 2 order responses, 3 versions/);
  assert.match((await there('verify', '--head', head)).stdout, /its end was cut off/);
  const versions = linesOf((await there('orders', 'export')).stdout);
  assert.deepEqual(
    versions.map(({ resourceType }) => resourceType),
    ['Bundle', 'OrderResponse', 'OrderResponse'],
  );
});
