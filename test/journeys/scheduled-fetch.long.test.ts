/** A server that fetches its directory itself: at its start, again after a failure, after a restart. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { runInProcess } from '../cli/run-in-process.ts';
import { KEY, publishedRelease, startTrud } from '../sources/trud/trud-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Server, serve } from './program.ts';

const WORDS = ['--threads', '1', '--directory-source', 'trud'];

async function metricsOf({ operation }: Server): Promise<string> {
  return await (await fetch(`${operation}/metrics`)).text();
}

async function editionsPage({ origin }: Server): Promise<string> {
  return await (await fetch(`${origin}/editions`)).text();
}

it('a server without an edition fetches one at once, and the next one at its time', async (context) => {
  const trud = await startTrud(context, await publishedRelease());
  const data = temporaryFolder(context);
  const environment = { GAZETTEER_TRUD_KEY: KEY, GAZETTEER_TRUD_URL: trud.url };
  const server = await serve(context, ['--data', data, ...WORDS], { environment });
  await server.logged(/^serving edition$/);
  const planned = await server.logged(/^the next fetch is planned$/);
  assert.deepEqual(planned.sources, ['trud']);
  const nextAt = String(planned.nextAt);
  assert.ok(Date.parse(nextAt) > Date.now());
  const metrics = await metricsOf(server);
  assert.match(metrics, /^gazetteer_fetch_outcome\{source="trud",outcome="published"\} 1$/m);
  assert.match(metrics, /^gazetteer_fetch_failures\{source="trud"\} 0$/m);
  assert.match(metrics, /^gazetteer_fetch_timestamp_seconds\{source="trud"\} \d/m);
  assert.match(metrics, /^gazetteer_fetch_success_timestamp_seconds\{source="trud"\} \d/m);
  const next = /^gazetteer_fetch_next_timestamp_seconds (\S+)$/m.exec(metrics)?.[1];
  assert.equal(Number(next), Date.parse(nextAt) / 1000);
  const page = await editionsPage(server);
  for (const shown of ['Last fetch', 'TRUD', 'A new edition', 'The next fetch is on']) {
    assert.ok(page.includes(shown), shown);
  }
  assert.equal(await server.stop(), 0);
  assert.ok(!JSON.stringify(server.log).includes(KEY));

  const again = await serve(context, ['--data', data, ...WORDS], { environment });
  assert.match(
    await metricsOf(again),
    new RegExp(`^gazetteer_fetch_next_timestamp_seconds ${next}$`, 'm'),
  );
  assert.equal(await again.stop(), 0);
  assert.deepEqual(trud.requests, ['list', 'download']);
});

it('a fetch that fails is shown, and repeated soon', async (context) => {
  const trud = await startTrud(context, await publishedRelease());
  const data = temporaryFolder(context);
  const environment = { GAZETTEER_TRUD_KEY: 'not-the-right-key', GAZETTEER_TRUD_URL: trud.url };
  const server = await serve(context, ['--data', data, ...WORDS], { environment });
  const { problem } = await server.logged(/^a fetch failed$/);
  assert.match(String(problem), /^gazetteer: TRUD .* answers 400 .*\. Check the key/);
  const { nextAt } = await server.logged(/^the next fetch is planned$/);
  const minutes = (Date.parse(String(nextAt)) - Date.now()) / 60_000;
  assert.ok(minutes < 19, String(nextAt));
  const metrics = await metricsOf(server);
  assert.match(metrics, /^gazetteer_fetch_outcome\{source="trud",outcome="failed"\} 1$/m);
  assert.match(metrics, /^gazetteer_fetch_failures\{source="trud"\} 1$/m);
  assert.doesNotMatch(metrics, /^gazetteer_fetch_success_timestamp_seconds\{/m);
  const page = await editionsPage(server);
  assert.ok(page.includes('Failed'));
  assert.ok(!page.includes('answers 400'));
  assert.equal(await server.stop(), 0);
  assert.ok(!JSON.stringify(server.log).includes('not-the-right-key'));
});

it('a server that was not running at the time of a fetch fetches when it starts', async (context) => {
  const trud = await startTrud(context, await publishedRelease());
  const data = temporaryFolder(context);
  const environment = { GAZETTEER_TRUD_KEY: KEY, GAZETTEER_TRUD_URL: trud.url };
  assert.equal((await runInProcess(['fetch', '--data', data], environment)).code, 0);
  trud.release = await publishedRelease('2026-10-30', { records: 62 });
  const planned = { nextAt: '2026-11-01T03:00:00.000Z', settings: '03:00 trud' };
  writeFileSync(join(data, 'fetch', 'planned.json'), JSON.stringify(planned));
  const server = await serve(context, ['--data', data, ...WORDS], { environment });
  await server.logged(/^fetched$/);
  await server.logged(/^the next fetch is planned$/);
  const sources = JSON.parse(readFileSync(join(data, 'fetch', 'sources.json'), 'utf8'));
  assert.equal(sources.trud.outcome, 'published');
  assert.equal(await server.stop(), 0);
});

it('a server that stops ends its fetch, which changes nothing', async (context) => {
  const trud = await startTrud(context, await publishedRelease());
  const downloading = Promise.withResolvers<void>();
  trud.answer = (kind) => {
    if (kind === 'download') downloading.resolve();
    return kind === 'download';
  };
  const data = temporaryFolder(context);
  const environment = { GAZETTEER_TRUD_KEY: KEY, GAZETTEER_TRUD_URL: trud.url };
  const server = await serve(context, ['--data', data, ...WORDS], { environment });
  await downloading.promise;
  assert.equal(await server.stop(), 0);
  assert.ok(!existsSync(join(data, 'sync.pid')));
  const fetched = await runInProcess(['editions', '--json', '--data', data]);
  assert.deepEqual(JSON.parse(fetched.stdout), []);
});

it('a server without the key of its source does not start', async (context) => {
  const words = ['serve', '--data', temporaryFolder(context), '--log-format', 'text', ...WORDS];
  const ended = await runInProcess(words);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /^gazetteer: TRUD needs the key of an account\./);
});
