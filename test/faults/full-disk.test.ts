/**
 * A real disk that fills up, grows, or is full or read-only at a start: what the server reports,
 * serves and keeps.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { gazetteer, SAMPLE, type Server, serve } from '../journeys/program.ts';
import { tokenFor } from '../journeys/token.ts';
import { fill } from './fill.ts';
import { mount, remount } from './mount.ts';
import { until } from './until.ts';
import { createWriteLoad, type WriteLoad } from './write-load.ts';

const SIZE_BYTES = 24 * 1024 * 1024;
const GROWN_BYTES = 128 * 1024 * 1024;
const CLIENTS = 8;
const ANSWERS = 20;

it('a full disk is reported and overcome, and the directory is served from it', async (context) => {
  const disk = mkdtempSync(join(tmpdir(), 'gazetteer-disk-'));
  const reason = mount(context, disk, SIZE_BYTES);
  if (reason !== undefined) {
    context.skip(`a separate file system cannot be mounted: ${reason}`);
    return;
  }
  const data = join(disk, 'data');
  const token = await tokenFor(data);
  assert.equal((await gazetteer(['import', SAMPLE, '--data', data, '--quiet'])).code, 0);
  const words = ['--data', data, '--threads', '2', '--log-requests', 'false'];
  const load = createWriteLoad(token);
  const server = await serve(context, words);
  const { writesAreStored, writesAreRefused } = watchWrites(server, load);
  const filler = join(disk, 'filler');

  const stop = load.start(server.origin, CLIENTS);
  await context.test('full', async () => {
    fill(disk, filler);
    await writesAreRefused(/no space left/);
    const { code, stderr } = await gazetteer([
      'import',
      SAMPLE,
      '--again',
      '--data',
      data,
      '--quiet',
    ]);
    assert.equal(code, 1);
    assert.match(stderr, /no space left|no room left/);
  });
  await context.test('larger again', async () => {
    remount(disk, `size=${GROWN_BYTES}`);
    await writesAreStored();
    const { code, stderr } = await gazetteer([
      'import',
      SAMPLE,
      '--again',
      '--data',
      data,
      '--quiet',
    ]);
    assert.equal(code, 0, stderr);
  });
  await stop();
  await server.stop();
  await context.test('full at the start, the directory is served', async (test) => {
    remount(disk, `size=${SIZE_BYTES}`);
    fill(disk, filler);
    test.after(() => rmSync(filler, { force: true }));
    await requireDirectory(test, words, token, /^There is no space left on the disk/);
  });
  await context.test('read-only at the start, the directory is served', async (test) => {
    remount(disk, 'ro');
    test.after(() => remount(disk, 'rw'));
    await requireDirectory(test, words, token, /^The disk that keeps order .* is read-only/);
  });
  const faults = await load.faults(data);
  context.diagnostic(
    `figures: 3 faults, ${load.acknowledged} acknowledged writes, ` +
      `${faults.length} lost or told wrongly`,
  );
  assert.deepEqual(faults.slice(0, 5), []);
});

/** Waits until the server stores writes, or refuses them and still serves the directory. */
function watchWrites(server: Server, load: WriteLoad) {
  const count = (status: number) => load.statuses.get(status) ?? 0;
  const probe = async (path: string) => (await fetch(server.operation + path)).status;
  const isReady = async () => (await probe('/readyz/orders')) === 200;
  return {
    writesAreStored: async () => {
      await until('readiness', isReady);
      load.startCounting();
      await until('writes', () => count(201) >= ANSWERS);
    },
    writesAreRefused: async (reason: RegExp) => {
      await until('the probe that fails', async () => !(await isReady()));
      load.startCounting();
      await until('refusals', () => count(503) >= ANSWERS);
      assert.deepEqual(
        [...load.refusals].filter((text) => !reason.test(text)),
        [],
      );
      assert.equal(await probe('/readyz/directory'), 200);
      assert.equal((await fetch(`${server.origin}/STU3/Organization/RTG`)).status, 200);
    },
  };
}

/**
 * Starts a second server, which must serve the directory, and answer each request for order responses
 * with the reason why it cannot.
 */
async function requireDirectory(
  test: TestContext,
  words: readonly string[],
  token: string,
  reason: RegExp,
): Promise<void> {
  const second = await serve(test, words);
  const { status } = await fetch(`${second.origin}/STU3/Organization/RTG`);
  assert.equal(status, 200);
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json+fhir' };
  const path = `${second.origin}/OrderResponse`;
  for (const url of [`${path}/a`, `${path}/a/_history/1`, path, `${path}/_history`]) {
    const answer = await fetch(url, { headers });
    const { issue } = (await answer.json()) as { issue: { diagnostics: string }[] };
    assert.equal(answer.status, 503, url);
    assert.match(String(issue[0]?.diagnostics), reason, url);
    assert.doesNotMatch(String(issue[0]?.diagnostics), /Nothing was stored/, url);
  }
  await second.stop('SIGKILL');
}
