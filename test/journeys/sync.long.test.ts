/** A directory that follows another one: a second server, changes there, removals, interruptions. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
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
    if (!wish(index++)) return organisation;
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
  const rate = ['--sync-requests-per-second', '1000'];
  return runInProcess(['sync', url, '--data', data, ...rate, ...words]);
}

/** The entity tag of what was fetched last. */
function etagOf(data: string): string {
  return JSON.parse(readFileSync(join(data, 'sync', 'state.json'), 'utf8')).inStep.etag;
}

/** The whole of a directory, as it exports it: with its relationships, if it knows them. */
async function content(data: string, format = 'release-xml'): Promise<string> {
  const { stdout, stderr } = await runInProcess(['export', '--format', format, '--data', data]);
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
  assert.deepEqual([...paths].sort(), [
    '/STU3/metadata 200',
    '/editions/current.xml 200',
    '/editions/current.xml 304',
  ]);
});

/** In front of a server so that it looks like one of another make; counts, and may hold pages. */
async function startDisguise(context: TestContext) {
  const disguise = {
    url: '',
    target: '',
    pages: [] as string[],
    /** Pages from this number on are not answered. */
    silentFrom: Number.POSITIVE_INFINITY,
    onSilence: () => {},
  };
  const server: HttpServer = createServer(async (request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/STU3/Organization')) {
      disguise.pages.push(url);
      if (Number(/_page=(\d+)/.exec(url)?.[1]) >= disguise.silentFrom) {
        disguise.onSilence();
        return;
      }
    } else if (url !== '/STU3/metadata') {
      response.writeHead(404).end();
      return;
    }
    const answer = await fetch(disguise.target + url);
    const text = await answer.text();
    const body = url === '/STU3/metadata' ? text.replaceAll('Gazetteer', 'Another') : text;
    response.writeHead(answer.status, { 'Content-Type': 'application/fhir+json' }).end(body);
  });
  const port = await serveOnLoopback(context, server);
  disguise.url = `http://127.0.0.1:${port}`;
  return disguise;
}

it('a directory follows one of another make page by page, also over kill -9', async (context) => {
  const there = temporaryFolder(context);
  const here = temporaryFolder(context);
  const records = await importRelease(
    there,
    releaseWithout((index) => index === 150),
  );
  const disguise = await startDisguise(context);
  const words = ['--data', there, '--base-url', disguise.url, '--directory-json', 'legacy'];
  const server = await serve(context, words);
  disguise.target = server.origin;
  const url = `${disguise.url}/STU3`;
  const pages = Math.ceil(records / 20);

  for (const silentFrom of [3, 6]) {
    disguise.silentFrom = silentFrom;
    const silent = new Promise<void>((resolve) => {
      disguise.onSilence = resolve;
    });
    const child = start(['sync', url, '--data', here, '--sync-requests-per-second', '1000']);
    await silent;
    const other = await sync(url, here);
    assert.equal(other.code, 1);
    assert.match(other.stderr, /^gazetteer: .*: process \d+ is syncing; try again/);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.deepEqual(await editions(here), []);
  }
  disguise.silentFrom = Number.POSITIVE_INFINITY;
  const first = await sync(url, here);
  assert.equal(first.code, 0, first.stderr);
  assert.equal(await content(here, 'ndjson'), await content(there, 'ndjson'));
  // Two pages were asked for twice: those that were not answered.
  assert.equal(disguise.pages.length, pages + 2);

  disguise.pages = [];
  const second = await sync(url, here);
  assert.match(
    second.stdout,
    /Nothing has changed at .*\. Edition 1 stays current\.\n$/,
    second.stderr,
  );
  assert.match(disguise.pages[0] ?? '', /\?_lastUpdated=gt\d{4}-\d\d-\d\d$/);
  assert.ok(disguise.pages.length < pages);

  disguise.silentFrom = 2;
  const stopping = start(['sync', url, '--data', here, '--full']);
  let stderr = '';
  stopping.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  await new Promise<void>((resolve) => {
    disguise.onSilence = resolve;
  });
  stopping.kill('SIGTERM');
  const [code] = await once(stopping, 'close');
  assert.equal(code, 1);
  assert.match(stderr, /gazetteer: The sync was stopped\. The directory has not changed\./);
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
    [['http://127.0.0.1:1/STU3', '--report', folder], /--report .* cannot be written/],
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
