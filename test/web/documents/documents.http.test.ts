/** The documents as pages of a server and as a static site. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { buildSite } from '../../../scripts/docs/build-site.ts';
import { SOFTWARE } from '../../../src/config/version.ts';
import { documentName, openDocuments } from '../../../src/web/documents/document-set.ts';
import { editionOf } from '../../directory/directory-server.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { HISTORY, PAGE_RECORDS } from '../records.ts';
import { startWeb, type WebServer } from '../web-server.ts';
import { deadLinks, linksIn } from './page-links.ts';

const SET = openDocuments();
const PAGES = [...SET.documents].map((path) => `/docs/${documentName(path)}`.replace(/\/$/, ''));

let server: WebServer;
before(async () => {
  const edition = editionOf(PAGE_RECORDS, 3);
  server = await startWeb({
    editions: { current: () => edition, byNumber: () => edition },
    history: HISTORY,
    hasOrders: true,
  });
});
after(() => server.close());

async function look(path: string): Promise<string | undefined> {
  const { status, text } = await server.get(path);
  return status === 200 || status === 303 ? text : undefined;
}

describe('the documents of a server', () => {
  it('are all pages, whose links lead to pages, files and chapters that are there', async () => {
    assert.ok(PAGES.length > 70);
    assert.deepEqual(await deadLinks(PAGES, look), []);
  });

  it('contain nothing that the policy of pages forbids', async () => {
    for (const path of PAGES) {
      const { text } = await server.get(path);
      assert.doesNotMatch(text, /<script(?![^>]* src=)| style="| on\w+="|<!-- generated/, path);
    }
  });

  it('are listed beside each of them, with the version', async () => {
    const { text } = await server.get('/docs/tutorial');
    const links = linksIn(text);
    const decisions = (path: string) => path.includes('/decisions/');
    assert.deepEqual(
      PAGES.filter((path) => !decisions(path) && !links.includes(path)),
      [],
    );
    assert.ok(text.includes(`</a> of Gazetteer ${SOFTWARE.version}`));
    assert.match(text, /<a href="\/docs\/tutorial" aria-current="page">Tutorial<\/a>/);
  });

  it('are found under the names of their files too', async () => {
    const answer = await server.get('/docs/how-to/upgrade.md');
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), '/docs/how-to/upgrade');
    const list = await server.get('/docs/README.md');
    assert.deepEqual([list.status, list.headers.get('location')], [303, '/docs']);
  });

  it('are found with a slash at the end, as every page', async () => {
    const { status, text } = await server.get('/docs/how-to/upgrade/');
    assert.equal(status, 200);
    assert.equal(text, (await server.get('/docs/how-to/upgrade')).text);
  });

  it('bring the files that they link to, and no others', async () => {
    const program = await server.get('/docs/examples/directory.py');
    assert.equal(program.headers.get('content-type'), 'text/plain; charset=utf-8');
    const picture = await server.get('/docs/images/look-up.png');
    assert.equal(picture.headers.get('content-type'), 'image/png');
    const tag = picture.headers.get('etag') ?? '';
    const again = await server.get('/docs/images/look-up.png', {
      headers: { 'if-none-match': tag },
    });
    assert.equal(again.status, 304);
    for (const path of ['package.json', '../package.json', '%2e%2e/package.json', 'docs', 'none']) {
      const { status, text } = await server.get(`/docs/${path}`);
      assert.equal(status, 404, path);
      if (path === 'none') assert.match(text, /Look for it in the <a href="\/docs">/);
    }
  });

  it('are below the path of the public address', async (context) => {
    const below = await startWeb({
      base: '/gazetteer',
      editions: { current: () => undefined, byNumber: () => undefined },
    });
    context.after(() => below.close());
    const { text } = await below.get('/gazetteer/docs/tutorial');
    const outside = linksIn(text).filter((link) => /^\/(?!gazetteer)/.test(link));
    assert.deepEqual(outside, []);
  });
});

describe('a search of the documents', () => {
  const cases: readonly (readonly [query: string, first: RegExp])[] = [
    ['', /Type words into the box/],
    [
      'back up order responses',
      /^[\s\S]*?<li><a href="\/docs\/how-to\/back-up-and-restore#back-up-/,
    ],
    // Words that are not all in one chapter, and a word with a mistake.
    ['postgresql zebra', /<li><a href="\/docs\/[^"]+">/],
    ['postgresqll', /<li><a href="\/docs\/[^"]+">/],
    ['GAZETTEER_PORT', /<li><a href="\/docs\/[^"]+">/],
    ['qqqqqqqqqqqq', /No document has “<bdi>qqqqqqqqqqqq<\/bdi>”/],
    ['<script>', /value="&lt;script&gt;"/],
    ['x'.repeat(5000), /No document has “<bdi>x{100}<\/bdi>”/],
  ];
  for (const [query, has] of cases) {
    it(`for “${query.slice(0, 30)}” answers`, async () => {
      const { status, text } = await server.get(`/docs/search?q=${encodeURIComponent(query)}`);
      assert.equal(status, 200);
      assert.match(text, has);
    });
  }

  it('finds only chapters that are there', async () => {
    assert.deepEqual(await deadLinks(['/docs/search?q=server'], look), []);
  });
});

it('every page of the server links to the documents, and those with forms to their chapter', async () => {
  const helped = [
    '/',
    '/organizations/RR8',
    '/changes',
    '/editions',
    '/editions/3',
    '/statistics',
    '/reports',
    '/api',
    '/try-order-response',
    '/postcode?postcode=YO1+1AA',
  ];
  for (const path of [...helped, '/accessibility', '/nothing']) {
    const { text } = await server.get(path, { headers: { accept: 'text/html' } });
    assert.match(text, /<a [^>]*href="\/docs">Documentation<\/a>/, path);
  }
  for (const path of helped) {
    const { text } = await server.get(path);
    const [, chapter = ''] = /href="([^"]+)">Help with this page</.exec(text) ?? [];
    const [page = '', anchor] = chapter.split('#');
    assert.match((await server.get(page)).text, new RegExp(` id="${anchor}"`), path);
  }
});

it('the template of each page in the menu names its chapter', () => {
  const folder = new URL('../../../src/web/templates/', import.meta.url);
  const templates = readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.njk'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const inMenu = templates.filter((text) => text.includes('{% set section = '));
  assert.ok(inMenu.length > 8);
  const silent = inMenu.filter((text) => !/\{% set help = "[\w/-]+#[\w-]+" %\}/.test(text));
  assert.deepEqual(silent, []);
});

describe('the static site', () => {
  it('has every document, and links that lead to what is there', async (context) => {
    const out = join(temporaryFolder(context), 'site');
    const { pages } = await buildSite(out);
    assert.equal(pages.length, SET.documents.size + 1);
    const inSite = async (path: string) => {
      const file = join(out, path);
      return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    };
    const paths = pages.map((page) => `/${page}`);
    assert.deepEqual(await deadLinks(paths, inSite), []);
    const absolute = pages.flatMap((page) =>
      linksIn(readFileSync(join(out, page), 'utf8')).filter((link) => link.startsWith('/')),
    );
    assert.deepEqual(absolute, []);
    // It can be built again in the same place.
    await buildSite(out);
  });

  it('does not replace a folder with other files', async (context) => {
    const out = temporaryFolder(context);
    writeFileSync(join(out, 'thesis.txt'), 'mine');
    await assert.rejects(buildSite(out), /has other files\. Name an empty folder with --out\./);
    assert.ok(existsSync(join(out, 'thesis.txt')));
  });
});
