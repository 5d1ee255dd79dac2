/** Releases from TRUD: what is downloaded, what is refused, and what no message shows. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { FetchReport } from '../../../src/sources/fetch/fetch-options.ts';
import { fetchRelease } from '../../../src/sources/fetch/fetch-release.ts';
import { trudWording } from '../../../src/sources/fetch/fetch-wording.ts';
import type { HttpClientOptions } from '../../../src/sources/http/http-options.ts';
import { createSourceRun, type SourceRun } from '../source-run.ts';
import {
  CUT_BYTES,
  KEY,
  publishedRelease,
  sendCut,
  sendFile,
  startTrud,
  type TrudServer,
} from './trud-server.ts';

interface TrudRun extends SourceRun {
  readonly trud: TrudServer;
  fetch(
    options?: Partial<HttpClientOptions> & { readonly key?: string; readonly isAgain?: boolean },
  ): Promise<FetchReport>;
  /** The names of files that a download left. */
  files(): string[];
}

async function createTrudRun(context: TestContext): Promise<TrudRun> {
  const run = createSourceRun(context);
  const trud = await startTrud(context, await publishedRelease());
  const folder = join(run.data.fetch, 'trud');
  return Object.assign(run, {
    trud,
    fetch: ({ key = KEY, isAgain = false, ...client } = {}) =>
      fetchRelease({
        ...run.options,
        trud: { url: trud.url, key },
        client: run.createClient({ wording: trudWording, secret: key, ...client }),
        folder,
        includeArchive: false,
        isAgain,
      }),
    files: () => readdirSync(folder).filter((name) => name !== 'state.json'),
  } satisfies Omit<TrudRun, keyof SourceRun>);
}

describe('a release from TRUD', () => {
  it('becomes an edition, and is not fetched again', async (context) => {
    const run = await createTrudRun(context);
    const { report, isPublished } = await run.fetch();
    assert.equal(isPublished, true);
    assert.deepEqual(
      [report.edition.number, report.edition.source, report.edition.publicationDate],
      [1, run.trud.release.name, '2026-09-25'],
    );
    assert.deepEqual(run.files(), []);
    const second = await run.fetch();
    assert.deepEqual([second.fetched, second.isPublished], ['nothing', false]);
    assert.deepEqual(run.trud.requests, ['list', 'download', 'list']);
  });

  it('is fetched again on request', async (context) => {
    const run = await createTrudRun(context);
    await run.fetch();
    const again = await run.fetch({ isAgain: true });
    assert.deepEqual([again.fetched, again.isPublished], ['everything', false]);
    assert.deepEqual(run.trud.requests, ['list', 'download', 'list', 'download']);
  });

  it('is followed by the next one, and a replaced file of the same name', async (context) => {
    const run = await createTrudRun(context);
    await run.fetch();
    run.trud.release = await publishedRelease('2026-10-30', { records: 62 });
    const { report } = await run.fetch();
    assert.deepEqual([report.edition.number, report.edition.publicationDate], [2, '2026-10-30']);
    run.trud.release = { ...(await publishedRelease('2026-10-30', { records: 63 })) };
    assert.equal((await run.fetch()).report.edition.number, 3);
  });

  it('is refused if it is older than the release of the directory, but not on request', async (context) => {
    const run = await createTrudRun(context);
    await run.fetch();
    run.trud.release = await publishedRelease('2020-01-31', { records: 62 });
    await assert.rejects(
      run.fetch(),
      /_20200131000001\.zip was published on 2020-01-31\. .* of 2026-09-25, .* with --again\.$/,
    );
    assert.equal((await run.store.current())?.number, 1);
    const { report, isPublished } = await run.fetch({ isAgain: true });
    assert.equal(isPublished, true);
    assert.deepEqual(report.older, { date: '2020-01-31', dateBefore: '2026-09-25' });
  });

  it('continues after each cut', async (context) => {
    const run = await createTrudRun(context);
    answerDownloads(run.trud, [sendCut, sendCut]);
    await run.fetch();
    assert.deepEqual(run.trud.requests, [
      'list',
      'download',
      `download bytes=${CUT_BYTES}-`,
      `download bytes=${2 * CUT_BYTES}-`,
    ]);
    assert.deepEqual(run.lines.filter((line) => / Trying again in 1 s\.$/.test(line)).length, 2);
  });

  it('continues in a later fetch', async (context) => {
    const run = await createTrudRun(context);
    answerDownloads(run.trud, [sendCut, ...Array.from({ length: 6 }, () => status(503))]);
    await assert.rejects(
      run.fetch(),
      /answers 503; the fetch tried 7 times\. Fetch again later: it continues from here\.$/,
    );
    assert.equal(await run.store.current(), undefined);
    assert.match(run.files().join(), /^[0-9a-f]{64}\.part$/);
    await run.fetch();
    assert.equal(run.trud.requests.at(-1), `download bytes=${CUT_BYTES}-`);
    assert.equal((await run.store.current())?.number, 1);
  });

  it('begins again if another release has replaced it', async (context) => {
    const run = await createTrudRun(context);
    answerDownloads(run.trud, [sendCut, status(500)]);
    await assert.rejects(run.fetch(), /answers 500\. Fetch again later\.$/);
    run.trud.release = await publishedRelease('2026-10-30');
    await run.fetch();
    assert.equal(run.trud.requests.at(-1), 'download');
  });

  for (const [name, answer] of [
    ['ignores the range', (bytes, _, response) => sendFile(bytes, undefined, response)],
    ['no longer has the part', status(416)],
    ['sends another part', (bytes, _, response) => sendFile(bytes, 'bytes=1-', response)],
  ] as const satisfies readonly (readonly [string, Download])[]) {
    it(`begins again if the server ${name}`, async (context) => {
      const run = await createTrudRun(context);
      answerDownloads(run.trud, [sendCut, answer]);
      assert.equal((await run.fetch()).report.edition.number, 1);
    });
  }
});

describe('a fetch from TRUD that fails', () => {
  const page = '<!DOCTYPE html><title>Sign in</title>';
  const sendPage: Download = (_, __, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
  const redirect: Download = (_, __, response) =>
    response.writeHead(302, { Location: `https://elsewhere.example/${KEY}/x.zip` }).end();
  const cases: readonly (readonly [string, (trud: TrudServer) => void, RegExp])[] = [
    [
      'a page in place of the list',
      (trud) => answerLists(trud, sendPage),
      /did not answer with a list of releases, but with text\/html; charset=utf-8: the body is not such a list\. Check trud\.url/,
    ],
    [
      'a redirect of the list to another host',
      (trud) => answerLists(trud, redirect),
      /redirects to https:\/\/elsewhere\.example\. The fetch does not follow redirects\./,
    ],
    [
      'a list without a release',
      (trud) =>
        answerLists(trud, (_, __, response) => response.end('{"releases":[],"httpStatus":200}')),
      /has no release of item 341\./,
    ],
    [
      'a release without a checksum',
      (trud) => (trud.change = ({ archiveFileSha256: _, ...entry }) => entry),
      /releases\.0\.archiveFileSha256 is missing or not valid/,
    ],
    [
      'a name that is a path',
      (trud) => (trud.change = (entry) => ({ ...entry, archiveFileName: '../../x.zip' })),
      /releases\.0\.archiveFileName is not the name of a file/,
    ],
    [
      'a download at another host that would receive the key',
      (trud) =>
        (trud.change = (entry) => ({
          ...entry,
          archiveFileUrl: `https://elsewhere.example/keys/${KEY}/x.zip`,
        })),
      /names a download at https:\/\/elsewhere\.example, which would receive the key\./,
    ],
    [
      'a limit with a long pause',
      (trud) =>
        answerLists(trud, (_, __, response) =>
          response.writeHead(429, { 'Retry-After': '7200' }).end(),
        ),
      /answers 429; it requests a pause of 120 minutes\. Fetch again later\.$/,
    ],
    [
      'a page in place of the file',
      (trud) => answerDownloads(trud, [sendPage]),
      /000001\.zip is a web page, not a zip file\./,
    ],
    [
      'a page that claims to be a zip',
      (trud) =>
        answerDownloads(trud, [
          (_, __, response) =>
            response.writeHead(200, { 'Content-Type': 'application/zip' }).end(page),
        ]),
      /000001\.zip is a web page, not a zip file\./,
    ],
    [
      'a redirect of the file to another host',
      (trud) => answerDownloads(trud, [redirect]),
      /^The download of hscorg[\w.]+zip redirects to https:\/\/elsewhere\.example\. /,
    ],
    [
      'a wrong checksum',
      (trud) => (trud.sha256 = 'ab'.repeat(32)),
      /has the checksum [0-9a-f]{64} instead of (ab){32}: the file is damaged, and is removed\./,
    ],
    [
      'a file that is longer than the list says',
      (trud) => (trud.change = (entry) => ({ ...entry, archiveFileSizeBytes: 1000 })),
      /is longer than the 1000 bytes that TRUD states\./,
    ],
    [
      'a zip that is not a release',
      (trud) => (trud.release = { ...trud.release, bytes: Buffer.from('PK no zip') }),
      /\.zip /,
    ],
  ];
  for (const [name, prepare, message] of cases) {
    it(`because of ${name}: one line without the key, and nothing changes`, async (context) => {
      const run = await createTrudRun(context);
      prepare(run.trud);
      await assertRefused(run, message);
    });
  }

  it('because the key is wrong names the remedy, and not the key that the answer repeats', async (context) => {
    const run = await createTrudRun(context);
    await assertRefused(run, /^TRUD \(http:[^ ]+\) answers 400 \(".*\*\*\*.*"\)\. Check the key/, {
      key: 'wrong-key-of-an-account',
    });
  });

  it('with a limit waits as long as the server requests', async (context) => {
    const run = await createTrudRun(context);
    let lists = 0;
    answerLists(run.trud, (_, __, response) => {
      lists += 1;
      if (lists > 1) return false;
      return response.writeHead(429, { 'Retry-After': '30' }).end();
    });
    await run.fetch();
    assert.deepEqual(run.pauses.slice(0, 1), [30_000]);
  });

  it('because it is silent ends after its attempts', async (context) => {
    const run = await createTrudRun(context);
    answerDownloads(
      run.trud,
      Array.from({ length: 7 }, (): Download => () => true),
    );
    await assertRefused(run, /cannot be read \(no data arrived in time\); the fetch tried 7/, {
      timeoutMs: 50,
    });
  });
});

type Download = (
  bytes: Buffer,
  range: string | undefined,
  response: ServerResponse,
  // `false`: the server answers as always.
) => unknown;

/** Answers the first downloads with these, one after the other. */
function answerDownloads(trud: TrudServer, downloads: readonly Download[]): void {
  const left = [...downloads];
  trud.answer = (kind, { headers }, response) => {
    const answer = kind === 'download' ? left.shift() : undefined;
    if (answer === undefined) return false;
    return answer(trud.release.bytes, headers.range, response) !== false;
  };
}

function answerLists(trud: TrudServer, answer: Download): void {
  trud.answer = (kind, _, response) =>
    kind === 'list' && answer(Buffer.alloc(0), undefined, response) !== false;
}

function status(code: number): Download {
  return (_, __, response) => response.writeHead(code).end();
}

async function assertRefused(
  run: TrudRun,
  message: RegExp,
  options: Parameters<TrudRun['fetch']>[0] = {},
): Promise<void> {
  await assert.rejects(run.fetch(options), ({ name, message: line }: Error) => {
    assert.equal(name, 'SourceError');
    assert.match(line, message);
    assert.doesNotMatch(line, /\n/);
    const key = options.key ?? KEY;
    for (const shown of [line, ...run.lines]) assert.ok(!shown.includes(key), shown);
    return true;
  });
  assert.equal(await run.store.current(), undefined);
}
