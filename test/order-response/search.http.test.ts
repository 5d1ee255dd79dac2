/** Searches of order responses over HTTP: each parameter, what an answer has, its pages, and refusals. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BASE, EXAMPLE, type OrderServer, startOrders } from './order-server.ts';
import { REFUSED_SEARCHES, SEARCH_CASES, SEARCHED } from './search-cases.ts';
import { FORMATS, requirePrivate, resourceIn } from './wire-formats.ts';

const FORM = 'application/x-www-form-urlencoded';
const NOW = Date.parse('2026-11-21T09:30:00.123Z');

// biome-ignore lint/suspicious/noExplicitAny: a Bundle in an answer, whose content the tests check
type Bundle = any;

const idsIn = (bundle: Bundle): string[] =>
  (bundle.entry ?? []).map(({ resource }: Bundle) => resource.id);
const linkOf = (bundle: Bundle, wanted: string): string | undefined =>
  bundle.link.find(({ relation }: Bundle) => relation === wanted)?.url;

async function started(settings = {}) {
  let nowMs = NOW;
  const server = await startOrders(settings, () => new Date(nowMs));
  return { server, pass: (ms: number) => (nowMs += ms) };
}

for (const [format, { type }] of Object.entries(FORMATS)) {
  const searchOn = async (server: OrderServer, query: string, headers = {}) => {
    const path = query.startsWith(BASE) ? query.slice(BASE.length + 1) : `OrderResponse?${query}`;
    return server.send('GET', path, { accept: type, ...headers });
  };
  const bundleOn = async (server: OrderServer, query: string, headers = {}): Promise<Bundle> => {
    const answer = await searchOn(server, query, headers);
    assert.equal(answer.status, 200, `${query}: ${answer.text}`);
    assert.equal(answer.headers.get('content-type'), `${type}; charset=utf-8`);
    requirePrivate(answer);
    return resourceIn(answer);
  };

  describe(`a search parameter of order responses in ${format}`, () => {
    let server: OrderServer;
    let id: string;
    before(async () => {
      ({ server } = await started());
      id = await server.create(SEARCHED);
    });
    after(() => server.close());

    for (const [name, { matching, others }] of Object.entries(SEARCH_CASES)) {
      it(`finds by ${name}`, async () => {
        const totalOf = async (value: string): Promise<number> => {
          const query = `${name}=${value.replaceAll('{id}', id).replaceAll('{base}', BASE)}`;
          return (await bundleOn(server, query)).total;
        };
        for (const value of matching) assert.equal(await totalOf(value), 1, value);
        for (const value of others) assert.equal(await totalOf(value), 0, value);
      });
    }

    for (const [query, problem] of REFUSED_SEARCHES) {
      it(`is refused for ${query}`, async () => {
        const answer = await searchOn(server, query);
        assert.equal(answer.status, 400, answer.text);
        const [issue] = resourceIn(answer).issue;
        assert.match(issue.diagnostics, problem);
        assert.match(issue.location?.[0] ?? 'http.', /^http\./);
      });
    }
  });

  describe(`the answer to a search of order responses in ${format}`, () => {
    let server: OrderServer;
    let pass: (ms: number) => number;
    const ids: string[] = [];
    before(async () => {
      ({ server, pass } = await started({ searchMatchesMax: 6 }));
      for (let day = 1; day <= 5; day++) {
        const date = `2017-06-${day < 4 ? '01' : `0${day}`}`;
        ids.unshift(await server.create({ ...EXAMPLE, date, description: `day ${day}` }));
        pass(1000);
      }
    });
    after(() => server.close());

    it('is a Bundle with the current versions, the newest resource first', async () => {
      const bundle = await bundleOn(server, 'code=completed&_count=3');
      assert.deepEqual([bundle.type, bundle.total], ['searchset', 5]);
      assert.ok(bundle.id && bundle.meta.lastUpdated);
      assert.deepEqual(idsIn(bundle), ids.slice(0, 3));
      for (const { fullUrl, search, resource } of bundle.entry) {
        assert.equal(fullUrl, `${BASE}/OrderResponse/${resource.id}`);
        assert.deepEqual(search, { mode: 'match' });
        const read = await server.send('GET', `OrderResponse/${resource.id}`, { accept: type });
        assert.deepEqual(resource, resourceIn(read));
      }
    });

    it('has at most 100 matches, and says so', async () => {
      for (const sent of ['1000', '101', '100', '99999999999999999999']) {
        const bundle = await bundleOn(server, `code=completed&_count=${sent}&date=2017`);
        assert.equal(
          linkOf(bundle, 'self'),
          `${BASE}/OrderResponse?code=completed&_count=100&date=2017`,
        );
        assert.equal(bundle.total, 5);
      }
    });

    it('is the same by POST, with the parameters of the URL and of the form', async () => {
      const headers = { accept: type, 'content-type': FORM };
      const path = 'OrderResponse/_search?code=completed';
      const answer = await server.send('POST', path, headers, 'date=2017-06-04&_count=2');
      assert.equal(answer.status, 200, answer.text);
      const bundle = resourceIn(answer);
      assert.deepEqual(idsIn(bundle), ids.slice(1, 2));
      assert.equal(
        linkOf(bundle, 'self'),
        `${BASE}/OrderResponse?code=completed&date=2017-06-04&_count=2`,
      );
    });

    it('has the + of a time zone in its links, however it was sent', async () => {
      const zoned = '2017-06-04T23:59:59';
      for (const plus of ['+', '%20', '%2B', '%2b']) {
        const query = `date=lt${zoned}${plus}01:00,gt${zoned}.5${plus}02:00&_count=2`;
        const bundle = await bundleOn(server, query);
        assert.ok(bundle.total > 0);
        assert.match(linkOf(bundle, 'self') ?? '', /59%2B01%3A00%2Cgt.*\.5%2B02%3A00/);
        assert.doesNotMatch(linkOf(bundle, 'next') ?? '', /%20/);
      }
    });

    it('needs no body if all parameters are in the URL', async () => {
      for (const headers of [{ accept: type }, { accept: type, 'content-type': 'text/plain' }]) {
        const answer = await server.send('POST', 'OrderResponse/_search?date=2017-06-04', headers);
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(idsIn(resourceIn(answer)), ids.slice(1, 2));
      }
    });

    it('lists in its self link what was used, and ignores unknown parameters if asked to', async () => {
      const query = 'status=x&code:not=accepted,rejected&date=ge2017';
      assert.equal((await searchOn(server, query)).status, 400);
      const answer = await searchOn(server, query, { prefer: 'handling=lenient' });
      assert.equal(answer.headers.get('preference-applied'), 'handling=lenient');
      const bundle = resourceIn(answer);
      assert.equal(bundle.total, 5);
      assert.equal(
        linkOf(bundle, 'self'),
        `${BASE}/OrderResponse?code:not=accepted%2Crejected&date=ge2017`,
      );
      const all = await bundleOn(server, '');
      assert.equal(linkOf(all, 'self'), `${BASE}/OrderResponse`);
      const strict = await bundleOn(server, 'code=completed', { prefer: 'handling=lenient' });
      assert.equal(strict.total, 5);
      const invalid = await searchOn(server, 'date=x', { prefer: 'handling=lenient' });
      assert.equal(invalid.status, 400);
    });

    it('is sorted by each key in turn', async () => {
      const places = async (sort: string) =>
        idsIn(await bundleOn(server, sort)).map((id) => ids.indexOf(id));
      assert.deepEqual(await places('_sort=date'), [2, 3, 4, 1, 0]);
      assert.deepEqual(await places('_sort:asc=date'), [2, 3, 4, 1, 0]);
      assert.deepEqual(await places('_sort:desc=date'), [0, 1, 2, 3, 4]);
      assert.deepEqual(await places('_sort=date&_sort=_lastUpdated'), [4, 3, 2, 1, 0]);
      assert.deepEqual(await places('_sort:desc=code&_sort=_lastUpdated'), [4, 3, 2, 1, 0]);
      const byId = idsIn(await bundleOn(server, '_sort=_id'));
      assert.deepEqual(byId, ids.toSorted());
    });

    it('has only the parts that the client wants', async () => {
      const first = async (query: string) => (await bundleOn(server, query)).entry[0].resource;
      const elements = await first('_elements=description');
      assert.equal(elements.description, 'day 5');
      assert.ok(elements.request && elements.orderStatus && !elements.date && !elements.who);
      assert.deepEqual(elements.meta.tag[0].code, 'SUBSETTED');
      const summary = await first('_summary=true');
      assert.ok(summary.who && summary.description && summary.meta.tag);
      const text = await first('_summary=text');
      assert.ok(text.request && !text.description);
      assert.ok((await first('_summary=data')).meta.tag);
      assert.equal((await first('_summary=false')).meta.tag, undefined);
      for (const query of ['_summary=count', '_count=0']) {
        const count = await bundleOn(server, query);
        assert.deepEqual([count.total, count.entry, count.link.length], [5, undefined, 1]);
      }
    });

    it('is not sent again to a client that has it', async () => {
      const answer = await searchOn(server, 'code=completed');
      const etag = answer.headers.get('etag') ?? '';
      const again = await searchOn(server, 'code=completed', { 'if-none-match': etag });
      assert.equal(again.status, 304);
      const other = await searchOn(server, 'code=completed&_count=2', { 'if-none-match': etag });
      assert.equal(other.status, 200);
    });

    it('needs the scope to read, and is recorded', async () => {
      const headers = { authorization: 'Bearer writer' };
      assert.equal((await searchOn(server, 'code=completed', headers)).status, 403);
      const reader = { authorization: 'Bearer reader' };
      assert.equal((await searchOn(server, 'code=completed', reader)).status, 200);
      const journal = server.store.journal.map(({ entry }) => entry).slice(-2);
      assert.deepEqual(journal, ['search-type forbidden', 'search-type search']);
      assert.equal((await searchOn(server, 'code=x&code:up=1')).status, 400);
      assert.equal(server.store.journal.at(-1)?.entry, 'search-type invalid');
    });

    it('refuses a search that would look at too many resources', async () => {
      const extra = [await server.create(), await server.create()];
      const answer = await searchOn(server, 'code=completed');
      assert.equal(answer.status, 400);
      const [issue] = resourceIn(answer).issue;
      assert.equal(issue.code, 'too-costly');
      assert.match(issue.diagnostics, /More than 6 resources match each parameter/);
      assert.equal((await bundleOn(server, `code=completed&_id=${extra[0]}`)).total, 1);
    });
  });

  describe(`the pages of a search of order responses in ${format}`, () => {
    let server: OrderServer;
    let pass: (ms: number) => number;
    before(async () => {
      ({ server, pass } = await started({ searchLinkMinutes: 10, allowDelete: true }));
    });
    after(() => server.close());

    it('have the matches of the first page, whatever is written meanwhile', async () => {
      const ids: string[] = [];
      for (let at = 0; at < 5; at++) ids.unshift(await server.create());
      const page = await bundleOn(server, 'code=completed&_count=2');
      assert.deepEqual(idsIn(page), ids.slice(0, 2));
      assert.equal(linkOf(page, 'previous'), undefined);
      await server.create();
      const gone = await server.send('DELETE', `OrderResponse/${ids[2]}`);
      assert.equal(gone.status, 204, gone.text);
      const second = await bundleOn(server, linkOf(page, 'next') ?? '');
      assert.deepEqual([idsIn(second), second.total], [[ids[3]], 5]);
      const last = await bundleOn(server, linkOf(second, 'next') ?? '');
      assert.deepEqual([idsIn(last), linkOf(last, 'next')], [[ids[4]], undefined]);
      assert.equal(linkOf(last, 'self'), linkOf(second, 'next'));
      const back = await bundleOn(server, linkOf(last, 'previous') ?? '');
      assert.deepEqual(idsIn(back), [ids[3]]);
      assert.deepEqual(idsIn(await bundleOn(server, linkOf(last, 'first') ?? '')), ids.slice(0, 2));
      assert.deepEqual(idsIn(await bundleOn(server, linkOf(page, 'last') ?? '')), [ids[4]]);
    });

    it('do not name the parameters of the search, but repeat the form of the answer', async () => {
      const page = await bundleOn(server, 'who.identifier=123455&_count=2&_elements=date');
      const next = linkOf(page, 'next') ?? '';
      assert.match(next, /OrderResponse\?_result=[0-9a-f-]{36}&_offset=2&_count=2&_elements=date$/);
      const second = await bundleOn(server, next);
      assert.equal(second.entry[0].resource.meta.tag[0].code, 'SUBSETTED');
    });

    it('are refused when their links are changed or too old', async () => {
      const page = await bundleOn(server, '_count=1');
      const next = linkOf(page, 'next') ?? '';
      for (const [query, problem] of [
        [`${next}&code=completed`, /_result is part of the links/],
        [`${next}&_sort=date`, /_result is part of the links/],
        ['_offset=1', /_offset is part of the links/],
      ] as const) {
        const answer = await searchOn(server, query);
        assert.equal(answer.status, 400, query);
        assert.match(resourceIn(answer).issue[0].diagnostics, problem);
      }
      const unknown = await searchOn(server, '_result=00000000-0000-4000-8000-000000000000');
      assert.equal(unknown.status, 410);
      assert.equal((await searchOn(server, next)).status, 200);
      pass(10 * 60_000);
      const old = await searchOn(server, next);
      assert.equal(old.status, 410);
      assert.match(resourceIn(old).issue[0].diagnostics, /have expired\. Search again/);
    });
  });
}
