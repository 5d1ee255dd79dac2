/** The history of an order response over HTTP: what is in a page, which page comes next, what is refused. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BASE, EXAMPLE, JSON_TYPE, type OrderServer, startOrders } from './order-server.ts';
import { FORMATS, requirePrivate, resourceIn } from './wire-formats.ts';

/** The first version is of 10:00:01.500, each further one of a minute later. */
const FIRST = Date.parse('2026-11-21T10:00:01.500Z');
const VERSIONS = 25;

let server: OrderServer;
let id: string;
let writes = 0;
before(async () => {
  server = await startOrders({}, () => new Date(FIRST + 60_000 * writes++));
  id = await server.create();
  for (let version = 2; version <= VERSIONS; version += 1) await put();
});
after(() => server.close());

function put() {
  const headers = { 'content-type': JSON_TYPE };
  return server.send(
    'PUT',
    `OrderResponse/${id}`,
    headers,
    JSON.stringify({ ...EXAMPLE, id, description: `version ${writes + 1}` }),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: a Bundle in an answer, whose content the tests check
type Bundle = any;

const versionsOf = (bundle: Bundle): number[] =>
  (bundle.entry ?? []).map(({ resource }: Bundle) => Number(resource.meta.versionId));
const linkOf = (bundle: Bundle, wanted: string): string | undefined =>
  bundle.link.find(({ relation }: Bundle) => relation === wanted)?.url;
const down = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, place) => from - place);

for (const { type } of Object.values(FORMATS)) {
  const ask = (query: string) =>
    server.send('GET', `OrderResponse/${id}/_history${query}`, { accept: type });
  const page = async (query: string): Promise<Bundle> => {
    const answer = await ask(query);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('content-type'), `${type}; charset=utf-8`);
    requirePrivate(answer);
    return resourceIn(answer);
  };

  describe(`a history as ${type}`, () => {
    it('has 20 versions in a page, newest first, each as it was written', async () => {
      const bundle = await page('');
      assert.equal(bundle.resourceType, 'Bundle');
      assert.equal(bundle.type, 'history');
      assert.equal(bundle.total, VERSIONS);
      assert.deepEqual(versionsOf(bundle), down(25, 6));
      assert.equal(bundle.meta.lastUpdated, bundle.entry[0].resource.meta.lastUpdated);
      for (const { fullUrl, request, resource, search, response } of bundle.entry) {
        assert.equal(fullUrl, `${BASE}/OrderResponse/${id}`);
        assert.deepEqual(request, { method: 'PUT', url: `OrderResponse/${id}` });
        assert.equal(resource.id, id);
        assert.equal(resource.description, `version ${resource.meta.versionId}`);
        assert.equal(search, undefined);
        assert.equal(response, undefined);
      }
    });

    it('reaches every version once through its links', async () => {
      for (const count of [1, 7, 24, 25, 100]) {
        const found: number[] = [];
        let next: string | undefined = `${BASE}/OrderResponse/${id}/_history?_count=${count}`;
        while (next !== undefined) {
          const bundle = await page(next.slice(next.indexOf('?')));
          assert.equal(linkOf(bundle, 'self'), next);
          assert.equal(bundle.total, VERSIONS);
          assert.ok(bundle.entry.length <= count);
          found.push(...versionsOf(bundle));
          next = linkOf(bundle, 'next');
        }
        assert.deepEqual(found, down(25, 1));
      }
    });

    it('has the versions at or after _since, in any time zone', async () => {
      const cases: readonly (readonly [since: string, oldest: number])[] = [
        ['2026-11-21T10:00:01.500Z', 1],
        ['2026-11-21T10:00:01.501Z', 2],
        ['2026-11-21T10:01:01.5Z', 2],
        ['2026-11-21T10:01:02Z', 3],
        ['2026-11-21T11:01:02%2B01:00', 3],
        ['2026-11-21T11:01:02+01:00', 3],
        ['2026-11-21T06:31:02-03:30', 3],
        ['2000-01-01T00:00:00Z', 1],
      ];
      for (const [since, oldest] of cases) {
        const bundle = await page(`?_count=100&_since=${since}`);
        assert.deepEqual(versionsOf(bundle), down(25, oldest), since);
        assert.equal(bundle.total, 25 - oldest + 1);
      }
    });

    it('keeps _since, _format and _pretty in the link to the next page', async () => {
      const since = '2026-11-21T10:10:00%2B00:00';
      const bundle = await page(
        `?_since=${since}&_count=10&_format=${encodeURIComponent(type)}&_pretty=true`,
      );
      const next = new URL(linkOf(bundle, 'next') ?? '');
      assert.deepEqual(Object.fromEntries(next.searchParams), {
        _since: '2026-11-21T10:10:00+00:00',
        _format: type,
        _pretty: 'true',
        _count: '10',
        _before: '16',
      });
      const second = await page(next.search);
      assert.deepEqual(versionsOf(second), down(15, 11));
      assert.equal(second.total, 15);
      assert.equal(linkOf(second, 'next'), undefined);
    });

    it('without a version since then has a total of 0 and no entry', async () => {
      const zoned = await page('?_since=2999-01-01T00:00:00+01:00&_count=1');
      assert.match(zoned.link[0].url, /_since=2999-01-01T00%3A00%3A00%2B01%3A00/);
      const bundle = await page('?_since=2999-01-01T00:00:00Z');
      assert.equal(bundle.total, 0);
      assert.equal('entry' in bundle, false);
    });

    it('refuses the parameters of a search, each by its name', async () => {
      const answer = await ask('?_sort=a&code=completed&foo=%zz&_summary=count&foo=b&_after=0');
      assert.equal(answer.status, 400);
      const { issue } = resourceIn(answer);
      const names = ['_sort', 'code', 'foo', '_summary', '_after'];
      assert.deepEqual(
        issue.map(({ location }: Bundle) => location),
        names.map((name) => [`http.${name}`]),
      );
      for (const [at, name] of names.entries()) {
        assert.equal(issue[at].details.coding[0].code, 'INVALID_PARAMETER');
        assert.ok(issue[at].diagnostics.startsWith(`Unknown parameter "${name}" of a history. `));
      }
    });

    it('has at most 100 versions in a page, and says so', async () => {
      for (const path of [`OrderResponse/${id}/_history`, 'OrderResponse/_history', '_history']) {
        const answer = await server.send('GET', `${path}?_count=1000`, { accept: type });
        assert.equal(answer.status, 200, answer.text);
        assert.equal(linkOf(resourceIn(answer), 'self'), `${BASE}/${path}?_count=100`);
      }
    });

    it('reports all parameters that are not valid together', async () => {
      const wrong = [
        ...['0', '-1', '1.5', '', 'a', '01', '1e1'].map((value) => `_count=${value}`),
        ...['2026', '2026-11-21', '2026-11-21T10:00:00', '2026-13-01T00:00:00Z', 'a', ''].map(
          (value) => `_since=${value}`,
        ),
        '_since=2026-02-30T00:00:00Z',
        '_since=2026-06-30T23:59:60Z',
        '_since=2026-11-21T24:00:00Z',
        '_since=2026-11-21T10:00:00%2B15:00',
        ...['0', '-1', 'a', '', '1.5'].map((value) => `_before=${value}`),
        '_count=1&_count=2',
      ];
      for (const query of wrong) {
        const answer = await ask(`?${query}`);
        assert.equal(answer.status, 400, query);
        const [issue, ...more] = resourceIn(answer).issue;
        assert.deepEqual(more, []);
        assert.deepEqual(issue.location, [`http.${query.split('=')[0]}`]);
        assert.equal(issue.details.coding[0].code, 'INVALID_VALUE');
        assert.match(issue.diagnostics, query.includes('&') ? /more than once/ : /cannot be "/);
      }
      const all = await ask('?_count=0&_since=a&_before=b');
      assert.equal(resourceIn(all).issue.length, 3);
    });
  });
}

it('a history keeps the decimals of each version, and its first version is a POST', async () => {
  const extension = '"extension":[{"url":"urn:a","valueDecimal":1.0500}]';
  const text = JSON.stringify(EXAMPLE).replace('"request"', `${extension},"request"`);
  const headers = { 'content-type': JSON_TYPE };
  const created = await server.send('POST', 'OrderResponse', headers, text);
  const its = created.headers.get('location')?.split('/').at(-3);
  for (const { type } of Object.values(FORMATS)) {
    const answer = await server.send('GET', `OrderResponse/${its}/_history`, { accept: type });
    assert.match(answer.text, /1\.0500/);
    assert.deepEqual(resourceIn(answer).entry[0].request, { method: 'POST', url: 'OrderResponse' });
  }
});

it('a page of a history has fewer versions than requested if they are long, and a next link', async () => {
  const long = { ...EXAMPLE, description: 'x'.repeat(60_000) };
  const its = await server.create(long);
  const headers = { 'content-type': JSON_TYPE };
  const body = JSON.stringify({ ...long, id: its });
  for (let version = 2; version <= 90; version += 1) {
    assert.equal((await server.send('PUT', `OrderResponse/${its}`, headers, body)).status, 200);
  }
  const found: number[] = [];
  let pages = 0;
  let next: string | undefined = `${BASE}/OrderResponse/${its}/_history?_count=100`;
  while (next !== undefined) {
    const answer = await server.send('GET', next.slice(BASE.length + 1), { accept: JSON_TYPE });
    assert.ok(answer.text.length < 4.5 * 1024 ** 2, `${answer.text.length}`);
    const bundle = resourceIn(answer);
    assert.equal(bundle.total, 90);
    found.push(...versionsOf(bundle));
    next = linkOf(bundle, 'next');
    pages += 1;
  }
  assert.deepEqual(found, down(90, 1));
  assert.equal(pages, 2);
});
