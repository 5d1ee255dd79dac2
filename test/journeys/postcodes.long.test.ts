/** Postcodes as an operator meets them: imported while a server runs, and imports that are killed. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { repetitions } from '../campaign.ts';
import { importedSample } from '../imported-sample.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { gazetteer, SAMPLE, serve, start } from './program.ts';

const SAMPLE_POSTCODES = join(dirname(SAMPLE), 'postcodes.zip');

it('a server answers with postcodes as soon as they are imported, and replaced', async (context) => {
  const data = await importedSample(context);
  const server = await serve(context, ['--data', data, '--threads', '2']);
  const get = async (path: string, headers = {}) => {
    const signal = AbortSignal.timeout(20_000);
    const answer = await fetch(server.origin + path, { signal, headers });
    const [etag, date] = ['etag', 'last-modified'].map((name) => answer.headers.get(name));
    return { status: answer.status, text: await answer.text(), etag, date };
  };
  const none = await get('/postcodes/LS14AP');
  assert.equal(none.status, 400);
  assert.match(none.text, /gazetteer import-postcodes FILE/);
  const csvBefore = await get('/results.csv?q=leeds');

  const imported = await gazetteer([
    'import-postcodes',
    SAMPLE_POSTCODES,
    '--data',
    data,
    '--json',
  ]);
  assert.equal(imported.code, 0, imported.stderr);
  const result = JSON.parse(imported.stdout);
  assert.equal(result.form, 'onspd');
  assert.equal(result.source, 'postcodes.zip');
  await server.logged(/^serving postcodes$/);
  // Every thread has them from the message on; one may handle it a moment later.
  const until = async (
    path: string,
    isDone: (answer: Awaited<ReturnType<typeof get>>) => boolean,
    headers = {},
  ) => {
    let streak = 0;
    for (let tries = 0; streak < 8; tries++) {
      assert.ok(tries < 20_000, path);
      streak = isDone(await get(path, headers)) ? streak + 1 : 0;
    }
  };
  await until('/postcodes/LS14AP', ({ status }) => status === 200);
  const csv = await get('/results.csv?q=leeds');
  assert.notEqual(csv.etag, csvBefore.etag);
  assert.match(csv.text, /,\d\d\.\d+,-\d\.\d+,\d{6},\d{6},/);

  const other = join(temporaryFolder(context), 'other.csv');
  writeFileSync(other, 'pcds,doterm,lat,long\nLS1 4AP,202001,53.5,-1.5\n');
  const refused = await gazetteer(['import-postcodes', other, '--data', data]);
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /^gazetteer: other\.csv has 1 postcodes, and the version before has \d+\. If this is correct, import it with --allow-shrink\.\n$/,
  );
  const search = '/STU3/Organization?near=LS1+4AP%7C20';
  const before = (await get(search)).date ?? '';
  // Dates of HTTP have whole seconds, and the next import must not end in the same one.
  while (Date.now() < Date.parse(before) + 1000) await get(search);
  const words = ['import-postcodes', other, '--allow-shrink', '--data', data];
  assert.equal((await gazetteer(words)).code, 0);
  await until('/postcodes/LS14AP', ({ text }) => JSON.parse(text).terminated === '2020-01');
  await until('/postcodes/LS27UE', ({ status }) => status === 404);
  // Answers have changed with the postcodes, so they are not the same as before the import.
  const since = { 'if-modified-since': before };
  await until(search, ({ status, date }) => status === 200 && date !== before, since);
  await server.stop();

  const asked = await gazetteer(['postcodes', '--data', data], {
    input: Buffer.from('postcode\nls1 4ap\n'),
  });
  assert.match(asked.stdout, /\r?\nls1 4ap,terminated,53\.5,-1\.5,/);
});

it('an import that is killed at any moment leaves the old postcodes or the new ones', async (context) => {
  const folder = temporaryFolder(context);
  const data = join(folder, 'data');
  const lines = (latitude: number) =>
    Array.from({ length: 60_000 }, (_, i) => {
      const inward = `${i % 10}${String.fromCharCode(65 + (Math.floor(i / 10) % 26))}A`;
      return `LS${1 + Math.floor(i / 260)} ${inward},,${latitude},-1.5`;
    }).slice(0, 25_000);
  const files = [51, 52].map((latitude) => {
    const path = join(folder, `${latitude}.csv`);
    writeFileSync(path, ['pcds,doterm,lat,long', ...lines(latitude), ''].join('\n'));
    return path;
  });
  const startMs = performance.now();
  assert.equal((await gazetteer(['import-postcodes', files[0]!, '--data', data])).code, 0);
  const wholeMs = performance.now() - startMs;
  for (let round = 0; round < repetitions(12, 60); round++) {
    const child = start(['import-postcodes', files[round % 2]!, '--data', data, '--quiet']);
    const ended = once(child, 'exit');
    const timer = setTimeout(() => child.kill('SIGKILL'), wholeMs * (0.3 + (0.7 * round) / 12));
    await ended;
    clearTimeout(timer);
    const verified = await gazetteer(['verify', '--data', data]);
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
    assert.match(verified.stdout, /postcodes: sound, 25,000 of 5[12]\.csv/);
  }
});
