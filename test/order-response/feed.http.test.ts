/** The feed of changes with criteria, and with a wait, as clients use it. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { storedSearchOf } from '../../src/orders/order-response/search-parameters.ts';
import { BASE, EXAMPLE, type OrderServer, revokeToken, startOrders } from './order-server.ts';

async function setUp(context: TestContext, settings = {}): Promise<OrderServer> {
  const server = await startOrders(settings);
  context.after(() => server.close());
  return server;
}

const JSON_FORMAT = { accept: 'application/json' };

const orderWith = (value: string) => ({
  ...EXAMPLE,
  identifier: [{ system: 'https://example.org/ids', value }],
});

async function feed(server: OrderServer, path: string) {
  const { status, text } = await server.send('GET', path, JSON_FORMAT);
  assert.equal(status, 200, text);
  const { entry = [], link } = JSON.parse(text);
  const linked: { relation: string; url: string }[] = link;
  return {
    names: entry.map(
      ({ fullUrl, request }: { fullUrl: string; request: { method: string } }) =>
        `${request.method} ${fullUrl.split('/').at(-1)}`,
    ),
    links: Object.fromEntries(
      linked.map(({ relation, url }) => [relation, url.slice(BASE.length + 1)]),
    ),
  };
}

async function problemsOf(server: OrderServer, path: string) {
  const { status, text } = await server.send('GET', path, JSON_FORMAT);
  const issues: { location?: string[]; diagnostics: string }[] = JSON.parse(text).issue;
  return { status, locations: issues.flatMap(({ location = [] }) => location), text };
}

const NAMES = storedSearchOf('OrderResponse').parameters.map(({ name }) => name);
const TYPE_FEED = 'OrderResponse/_history';

describe('the feed with criteria', () => {
  it('shows what matches, and the versions by which a resource no longer does', async (context) => {
    const server = await setUp(context, { allowDelete: true });
    const a = await server.create(orderWith('1'));
    await server.create(orderWith('2'));
    await server.send('DELETE', `OrderResponse/${a}`);
    const path = `${TYPE_FEED}?_after=0&identifier=https://example.org/ids|1`;
    const page = await feed(server, path);
    assert.deepEqual(page.names, [`POST ${a}`, `DELETE ${a}`]);
    const { follow = '' } = page.links;
    assert.match(follow, /identifier=https.*1&.*_after=3/);
    assert.deepEqual((await feed(server, follow)).names, []);
    await server.create(orderWith('2'));
    const later = await feed(server, follow);
    assert.deepEqual(later.names, []);
    assert.match(later.links.follow ?? '', /_after=4/, 'moves on over what does not match');
    const ofAll = await feed(server, `_history?_after=0&_id=${a}&_count=1`);
    assert.deepEqual(ofAll.names, [`POST ${a}`]);
    const next = await feed(server, ofAll.links.next ?? '');
    assert.deepEqual(next.names, [`DELETE ${a}`]);
  });

  it('takes every search parameter of the type, with its modifiers', async (context) => {
    const server = await setUp(context);
    const id = await server.create();
    for (const name of NAMES) {
      const { names } = await feed(server, `${TYPE_FEED}?_after=0&${name}:missing=false`);
      const absent = await feed(server, `${TYPE_FEED}?_after=0&${name}:missing=true`);
      assert.deepEqual([...names, ...absent.names], [`POST ${id}`], name);
    }
  });

  it('refuses what it cannot do, and names all of it', async (context) => {
    const server = await setUp(context);
    for (const [query, ...locations] of [
      ['_after=0&_sort=date', '_sort'],
      ['_after=0&_include=OrderResponse:request', '_include'],
      ['_after=0&_summary=true&_elements=id', '_summary', '_elements'],
      ['_after=0&nonsense=1&_count=x', '_count', 'nonsense'],
      ['_after=0&date=yesterday', 'date'],
      ['_after=0&identifier:nonsense=1', 'identifier:nonsense'],
      ['_after=0&_result=1&_offset=1', '_result', '_offset'],
      ['identifier=1', 'identifier'],
      ['_before=1&identifier=1', 'identifier'],
      ['_wait=1', '_wait'],
      ['_after=0&_wait=', '_wait'],
      ['_after=0&_wait=61', '_wait'],
      ['_after=0&_wait=1.5', '_wait'],
      ['_after=0&_wait=-1', '_wait'],
      ['_after=0&_wait=1&_wait=1', '_wait'],
    ] as const) {
      const problems = await problemsOf(server, `${TYPE_FEED}?${query}`);
      assert.equal(problems.status, 400, query);
      const expected = locations.map((name) => `http.${name}`);
      assert.deepEqual(problems.locations, expected, query);
    }
    for (const name of ['_sort', '_sort:asc', '_summary', '_elements', '_result', '_offset']) {
      const { text } = await problemsOf(server, `${TYPE_FEED}?_after=0&${name}=date`);
      assert.match(text, /The parameter _[a-z]+ is not possible here: it shapes the answer/, name);
    }
    const malformed = await problemsOf(server, `${TYPE_FEED}?_after=0&identifier=%zz`);
    assert.match(malformed.text, /not percent-encoded/);
    const ofAll = await problemsOf(server, '_history?_after=0&identifier=1');
    assert.deepEqual([ofAll.status, ofAll.locations], [400, ['http.identifier']]);
    assert.match(
      ofAll.text,
      /Unknown search parameter .{1,4}identifier.{1,4}\. See https?:\/\/[^ ]*\/metadata for/,
    );
    assert.ok(!ofAll.text.includes('[base]'));
  });
});

describe('the feed with a wait', () => {
  it('answers when something that matches is written', async (context) => {
    const server = await setUp(context);
    for (const path of [TYPE_FEED, '_history']) {
      const { links } = await feed(server, `${path}?_count=1`);
      const waiting = feed(server, `${links.follow}&_wait=60&_lastUpdated=gt2020`);
      const id = await server.create();
      const page = await waiting;
      assert.deepEqual(page.names, [`POST ${id}`]);
      assert.match(page.links.follow ?? '', /_wait=60/, 'the link waits again');
    }
  });

  it('ends without versions, and leads on', async (context) => {
    const server = await setUp(context);
    await server.create(orderWith('2'));
    const path = `${TYPE_FEED}?_after=0&identifier=1`;
    for (const wait of ['0', '1']) {
      const { names, links } = await feed(server, `${path}&_wait=${wait}`);
      assert.deepEqual([names, links.next], [[], undefined]);
      assert.match(links.follow ?? '', /_after=1/);
    }
  });

  it('shows nothing if the token was withdrawn meanwhile', async (context) => {
    const server = await setUp(context);
    const headers = { ...JSON_FORMAT, authorization: 'Bearer other' };
    const waiting = server.send('GET', `${TYPE_FEED}?_after=0&_wait=60`, headers);
    // The reader waits when the repository has its call.
    while (server.store.journal.length === 0) await new Promise(setImmediate);
    context.after(revokeToken('other'));
    await server.create();
    assert.equal((await waiting).status, 401);
  });
});
