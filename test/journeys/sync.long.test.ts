/** A directory that follows another one: a second server, changes there, removals, interruptions. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { it } from 'node:test';
import { generateRelease } from '../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../scripts/release/organisations.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { serveOnLoopback } from '../loopback.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Ended, serve, start } from './program.ts';

const OPTIONS = { ...releaseDefaults, records: 200, seed: 7 };

/** A release without the organisations that the wish says, its count put right. */
function releaseWithout(wish: (index: number) => boolean): Buffer {
  const xml = [...generateRelease(OPTIONS)].join('');
  let index = 0;
  let left = 0;
  const fewer = xml.replace(/<Organisation [\s\S]*?<\/Organisation>\s*/g, (organisation) => {
    index += 1;
    if (!wish(index - 1)) return organisation;
    left += 1;
    return '';
  });
  const records = fewer.replace(
    /(<RecordCount value=")(\d+)/,
    (_, before, count) => `${before}${Number(count) - left}`,
  );
  return Buffer.from(records);
}

async function importRelease(data: string, release: Buffer): Promise<number> {
  const file = join(data, 'release.xml');
  writeFileSync(file, release);
  const ended = await runInProcess(['import', file, '--data', data]);
  assert.equal(ended.code, 0, ended.stderr);
  return (await editions(data)).at(-1)?.records ?? 0;
}

interface Edition {
  readonly number: number;
  readonly source: string;
  readonly records: number;
  readonly removed: number;
}

async function editions(data: string): Promise<Edition[]> {
  const { stdout } = await runInProcess(['editions', '--json', '--data', data]);
  return JSON.parse(stdout);
}

function sync(url: string, data: string, ...words: string[]): Promise<Ended> {
  return runInProcess(['sync', url, '--data', data, ...words]);
}

/** The entity tag of what was fetched last. */
function etagOf(data: string): string {
  return JSON.parse(readFileSync(join(data, 'sync', 'state.json'), 'utf8')).inStep.etag;
}

/** The whole of a directory, as it exports it: with its relationships, if it knows them. */
async function content(data: string): Promise<string> {
  const words = ['export', '--format', 'release-xml', '--data', data];
  const { stdout, stderr } = await runInProcess(words);
  assert.equal(stderr, '');
  return stdout;
}

it('a directory follows a second Gazetteer', async (context) => {
  const there = temporaryFolder(context);
  const here = join(temporaryFolder(context), 'data');
  const records = await importRelease(
    there,
    releaseWithout(() => false),
  );
  const server = await serve(context, ['--data', there, '--threads', '1']);
  const url = `${server.origin}/STU3`;
  const requests = () =>
    server.log.filter(({ msg }) => msg === 'request').map(({ path, status }) => [path, status]);

  const first = await sync(url, here);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, new RegExp(`^Edition 1, .* is now current: ${records} added,`, 'm'));
  assert.equal(await content(here), await content(there));

  const second = await sync(url, here);
  assert.equal(second.code, 0, second.stderr);
  assert.equal(second.stdout, `Nothing has changed at ${url}. Edition 1 stays current.\n`);

  await importRelease(
    there,
    releaseWithout((index) => index % 20 === 10),
  );
  const unchanged = { headers: { 'If-None-Match': etagOf(here) } };
  while ((await fetch(`${server.origin}/editions/current.xml`, unchanged)).status === 304);
  const report = join(temporaryFolder(context), 'report.json');
  const third = await sync(url, here, '--report', report, '--quiet');
  assert.deepEqual([third.code, third.stdout, third.stderr], [0, '', '']);
  const { edition, fetched, requests: count } = JSON.parse(readFileSync(report, 'utf8'));
  assert.deepEqual([fetched, count, edition.number], ['everything', 1, 2]);
  assert.ok(edition.removed > 0);
  assert.equal(await content(here), await content(there));

  const full = await sync(url, here, '--full');
  assert.match(full.stdout, /^Read \d+ records\. Nothing has changed at /);
  assert.deepEqual(
    (await editions(here)).map(({ source }) => source),
    [url, url],
  );
  await server.stop();
  const paths = new Set(requests().map(([path, status]) => `${path} ${status}`));
  assert.deepEqual([...paths].sort(), ['/editions/current.xml 200', '/editions/current.xml 304']);
});

it('a sync that is killed or stopped changes nothing, and the next one works', async (context) => {
  const there = temporaryFolder(context);
  const here = temporaryFolder(context);
  await importRelease(
    there,
    releaseWithout((index) => index === 150),
  );
  const server = await serve(context, ['--data', there]);
  let onSilence = () => {};
  // In front of the server: the first two downloads end before their last byte.
  let silent = 2;
  const front = createServer(async ({ url = '' }, response) => {
    const answer = await fetch(server.origin + url);
    const body = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    response.writeHead(answer.status, { 'Content-Type': type });
    silent -= 1;
    if (silent < 0) response.end(body);
    else response.write(body.subarray(0, -1), () => onSilence());
  });
  const url = `http://127.0.0.1:${await serveOnLoopback(context, front)}/STU3`;
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const halfWay = new Promise<void>((resolve) => {
      onSilence = resolve;
    });
    const child = start(['sync', url, '--data', here]);
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    await halfWay;
    const other = await sync(url, here);
    assert.equal(other.code, 1);
    assert.match(other.stderr, /^gazetteer: .*: process \d+ is syncing; try again/);
    child.kill(signal);
    await once(child, 'close');
    if (signal === 'SIGTERM') {
      assert.match(stderr, /gazetteer: The sync was stopped\. The directory has not changed\.\n$/);
    }
    assert.deepEqual(await editions(here), []);
  }
  const last = await sync(url, here);
  assert.equal(last.code, 0, last.stderr);
  assert.equal(await content(here), await content(there));
});

it('what cannot be synced is refused in one line', async (context) => {
  const folder = temporaryFolder(context);
  const data = join(folder, 'data');
  mkdirSync(data);
  const token = join(folder, 'token');
  writeFileSync(token, 'two words\n');
  const cases: readonly (readonly [words: readonly string[], message: RegExp])[] = [
    [
      ['http://a.example/STU3', '--sync-token-file', token],
      /sync\.tokenFile needs an https address/,
    ],
    [['https://a.example/STU3', '--sync-token-file', token], /does not contain a bearer token/],
    [
      ['http://127.0.0.1:1/STU3', '--report', folder],
      /--report: .* is a folder\. Name a file in it/,
    ],
    [['http://127.0.0.1:1/STU3'], /\(bad port\): .* Check the address\.$/m],
  ];
  const all = cases.map(([words]) => runInProcess(['sync', ...words, '--data', data]));
  for (const [i, { code, stdout, stderr }] of (await Promise.all(all)).entries()) {
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, /^gazetteer: [^\n]+\n$/);
    assert.match(stderr, cases[i]?.[1] ?? /^$/);
  }
  for (const [words, message] of [
    [[], /missing required argument/],
    [['directory.example'], /<url>: "directory\.example" is not an address/],
    [['http://127.0.0.1:1/STU3?name=x'], /<url>: Give the FHIR base alone/],
    [['http://127.0.0.1:1/STU3/Organization'], /<url>: Give the FHIR base, without \/Organ/],
  ] as const) {
    const { code, stdout, stderr } = await runInProcess(['sync', ...words, '--data', data]);
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, message);
    assert.match(stderr, /^[^\n]+\n(Run "gazetteer sync --help" [^\n]+\n)?$/);
  }
});
