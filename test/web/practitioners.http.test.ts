/** The pages of practitioners, and the ways to them. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { editionOf } from '../directory/directory-server.ts';
import { recordOf } from '../directory/index/record-of.ts';
import {
  openBytes,
  practitionerBytes,
  rowWith,
  writeFiles,
} from '../directory/practitioners/practitioner-files.ts';
import { ownerOfSuite } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startWeb, type WebServer } from './web-server.ts';

const RECORDS = [
  recordOf({ code: 'A81001', name: 'The <Example> Surgery', roles: ['177'] }),
  recordOf({ code: 'A81003', name: 'Another Surgery', roles: ['177'] }),
];

describe('the pages of practitioners', () => {
  const owner = ownerOfSuite();
  let server: WebServer;
  before(async () => {
    const bytes = await practitionerBytes(writeFiles(temporaryFolder(owner)));
    const edition = { ...editionOf(RECORDS), practitioners: openBytes(bytes) };
    server = await startWeb({ editions: { current: () => edition, byNumber: () => edition } });
    owner.after(() => server.close());
  });

  it('a code or a number in the search box leads to the person', async () => {
    for (const [text, code] of [
      ['G1234567', 'G1234567'],
      [' g1234567 ', 'G1234567'],
      ['c9000002', 'C9000002'],
      ['9000002', 'C9000002'],
    ] as const) {
      const path = `/?q=${encodeURIComponent(text)}`;
      const { status, headers } = await server.get(path, { redirect: 'manual' });
      assert.deepEqual([status, headers.get('location')], [303, `/practitioners/${code}`], text);
    }
    assert.equal((await server.get('/?q=testperson', { redirect: 'manual' })).status, 200);
  });

  it('a person is shown with all codes and memberships, and not to search engines', async () => {
    const { status, headers, text } = await server.get('/practitioners/G1234567');
    assert.deepEqual([status, headers.get('x-robots-tag')], [200, 'noindex']);
    assert.ok(text.indexOf('>G1234567<') < text.indexOf('>C9000001<'));
    for (const part of [
      '<meta name="robots" content="noindex">',
      'Registered as <bdi>Anyone Testperson</bdi>',
      'Principal general practitioner (PGP1)',
      'href="/organizations/A81001"',
      'The &lt;Example&gt; Surgery',
      'from 1 April 2001',
    ]) {
      assert.ok(text.includes(part), part);
    }
  });

  it('an organisation leads to those who work there on a day', async () => {
    const link = 'href="/organizations/A81001/practitioners" rel="nofollow"';
    const practice = await server.get('/organizations/A81001');
    assert.ok(practice.text.includes(link));
    assert.doesNotMatch(practice.text, /TESTPERSON/);
    assert.doesNotMatch((await server.get('/organizations/A81003')).text, /Practitioners/);
    const names = async (query: string) => {
      const { status, headers, text } = await server.get(
        `/organizations/A81001/practitioners${query}`,
      );
      assert.deepEqual([status, headers.get('x-robots-tag')], [200, 'noindex']);
      return [...text.matchAll(/<a href="\/practitioners\/(\w+)">/g)].map(([, code]) => code);
    };
    assert.deepEqual(await names('?on=2024-03-31'), ['01A2345E', 'G1111111', 'G1234567']);
    assert.deepEqual(await names('?on=2000-01-01'), ['G1111111']);
    assert.deepEqual(await names('?on=1980-01-01'), []);
  });

  it('a large organisation has several pages, and everyone is on one of them', async (context) => {
    const codes = Array.from({ length: 1_001 }, (_, at) => `C${1_000_000 + at}`);
    const econcur = codes.map((code, at) =>
      rowWith(13, { 1: String(at + 1), 2: code, 3: 'TESTPERSON A', 6: '120', 8: 'A81001' }),
    );
    const bytes = await practitionerBytes(writeFiles(temporaryFolder(context), { econcur }));
    const edition = { ...editionOf(RECORDS), practitioners: openBytes(bytes) };
    const editions = { current: () => edition, byNumber: () => edition };
    const large = await startWeb({ editions });
    context.after(() => large.close());
    const found: (string | undefined)[] = [];
    const counts: number[] = [];
    let path: string | undefined = '/organizations/A81001/practitioners?on=2026-04-01';
    while (path !== undefined) {
      const { text } = await large.get(path);
      const shown = [...text.matchAll(/<a href="\/practitioners\/(\w+)">/g)];
      counts.push(shown.length);
      found.push(...shown.map(([, code]) => code));
      path = /<a href="([^"]+)">Continue</.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    assert.deepEqual(counts, [500, 500, 1]);
    assert.deepEqual(found, codes);
  });

  it('what is not found is explained', async () => {
    const cases: readonly (readonly [path: string, status: number, text: string])[] = [
      ['/practitioners/G0000000', 404, 'No practitioner has the code or number &quot;G0000000'],
      ['/organizations/A81001/practitioners?on=yesterday', 400, 'on must be a date'],
    ];
    for (const [path, status, part] of cases) {
      const answer = await server.get(path);
      assert.equal(answer.status, status);
      assert.ok(answer.text.includes(part), answer.text);
      assert.equal(answer.headers.get('x-robots-tag'), 'noindex');
    }
    const { status, headers } = await server.get('/organizations/NONE/practitioners', {
      redirect: 'manual',
    });
    assert.deepEqual([status, headers.get('location')], [303, '/organizations/NONE']);
  });
});

it('without practitioners a page says how to import them', async (context) => {
  const edition = editionOf(RECORDS);
  const server = await startWeb({ editions: { current: () => edition, byNumber: () => edition } });
  context.after(() => server.close());
  const { status, text } = await server.get('/practitioners/G1234567');
  assert.equal(status, 404);
  assert.match(text, /gazetteer import-practitioners FILE/);
});
