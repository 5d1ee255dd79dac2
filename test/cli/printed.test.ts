/** What commands print: for people on a terminal, for programs elsewhere and with `--json`. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { SAMPLE } from '../journeys/program.ts';
import { createOperation, openStore } from '../storage/repository-place.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess, runOnTerminal } from './run-in-process.ts';

/** A folder with an order response `a` on hold. */
async function heldIn(context: TestContext): Promise<string[]> {
  const data = join(temporaryFolder(context), 'data');
  const store = openStore(openDataFolder(data), { now: () => new Date('2026-11-21T09:00:00Z') });
  store.runBatch([createOperation('a')]);
  store.close();
  const words = ['--data', data];
  const held = await runInProcess(['orders', 'hold', 'a', '--reason', 'Inquiry-7', ...words]);
  assert.equal(held.code, 0, held.stderr);
  return words;
}

describe('output', () => {
  it('of audit is columns on a terminal, and NDJSON elsewhere and with --json', async (context) => {
    const data = await heldIn(context);
    const { stdout } = await runOnTerminal(['audit', ...data]);
    const [heading, first, second] = stdout.split('\n');
    assert.match(heading ?? '', /^time +outcome +interaction +resource +user +request id$/);
    assert.match(first ?? '', /^2026-11-21 09:00:00 +stored +create +OrderResponse\/a +/);
    assert.match(second ?? '', /^\d.* done +hold +OrderResponse\/a +\S+/);
    const piped = await runInProcess(['audit', ...data]);
    assert.equal(JSON.parse(piped.stdout.split('\n')[0] ?? '').resourceType, 'AuditEvent');
    for (const words of [['--json'], ['--format', 'ndjson']]) {
      assert.equal((await runOnTerminal(['audit', ...words, ...data])).stdout, piped.stdout);
    }
  });

  it('of holds is a table on a terminal, and NDJSON elsewhere and with --json', async (context) => {
    const data = await heldIn(context);
    const { stdout } = await runOnTerminal(['orders', 'holds', ...data]);
    assert.match(stdout, /^on hold since +resource +reason\n\S+ +OrderResponse\/a +Inquiry-7\n$/);
    const piped = await runInProcess(['orders', 'holds', ...data]);
    assert.equal(JSON.parse(piped.stdout).reason, 'Inquiry-7');
    const json = await runOnTerminal(['orders', 'holds', '--json', ...data]);
    assert.equal(json.stdout, piped.stdout);
  });

  it('of verify, backup and import is one JSON document with --json', async (context) => {
    const data = await heldIn(context);
    const documentOf = async (...words: string[]) => {
      const { code, stdout, stderr } = await runInProcess([...words, '--json', ...data]);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout);
    };
    const parts: { name: string; findings: string[]; head?: string }[] = await documentOf('verify');
    assert.deepEqual(
      parts.flatMap(({ findings }) => findings),
      [],
    );
    const { head = '' } = parts.find((part) => part.head !== undefined) ?? {};
    assert.equal((await runInProcess(['verify', '--head', head, ...data])).code, 0);
    const file = join(temporaryFolder(context), 'orders.backup');
    const { orderResponses, subscriptions, versions, ...made } = await documentOf('backup', file);
    assert.deepEqual(made, { file, isEncrypted: false });
    assert.ok(orderResponses > 0);
    assert.equal(subscriptions, 0);
    assert.ok(versions > 0);
    assert.equal((await documentOf('import', SAMPLE)).edition.number, 1);
  });

  it('on a terminal has no control character of the data', async (context) => {
    const data = await heldIn(context);
    const words = ['orders', 'hold', 'a', '--reason', 'a\u{1b}[2Jb', ...data];
    assert.equal((await runInProcess(['orders', 'release', 'a', ...data])).code, 0);
    assert.equal((await runInProcess(words)).code, 0);
    const { stdout } = await runOnTerminal(['orders', 'holds', ...data]);
    assert.match(stdout, /a\u{FFFD}\[2Jb\n$/u);
  });
});
