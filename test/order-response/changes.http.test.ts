/** Histories of the type and of the service, and the feed for clients that follow. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { BASE, type OrderServer, startOrders } from './order-server.ts';
import { FORMATS, resourceIn } from './wire-formats.ts';

interface Page {
  readonly ids: readonly string[];
  readonly links: Readonly<Record<string, string>>;
}

const START_MS = Date.UTC(2026, 10, 21, 9, 30);

async function setUp(context: TestContext, settings = {}) {
  let nowMs = START_MS;
  const server: OrderServer = await startOrders(settings, () => new Date(nowMs));
  context.after(() => server.close());
  return {
    server,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

/** The versions of a page as `id/version`, and its links below the base. */
async function pageAt(server: OrderServer, path: string, accept: string): Promise<Page> {
  const answer = await server.send('GET', path, { accept });
  assert.equal(answer.status, 200, answer.text);
  const bundle = resourceIn(answer);
  assert.equal(bundle.type, 'history');
  const entries: readonly { resource?: { id: string; meta: { versionId: string } } }[] =
    bundle.entry ?? [];
  return {
    ids: entries.map(({ resource }) => `${resource?.id}/${resource?.meta.versionId}`),
    links: Object.fromEntries(
      bundle.link.map(({ relation, url }: { relation: string; url: string }) => [
        relation,
        url.slice(BASE.length + 1),
      ]),
    ),
  };
}

for (const [format, { type }] of Object.entries(FORMATS)) {
  for (const path of ['OrderResponse/_history', '_history']) {
    describe(`${path} in ${format}`, () => {
      it('leads through all versions, newest first, and back', async (context) => {
        const { server } = await setUp(context);
        const ids = [];
        for (let at = 0; at < 5; at++) ids.push(`${await server.create()}/1`);
        const [e, d, c, b, a] = ids;
        const first = await pageAt(server, `${path}?_count=2`, type);
        assert.deepEqual(first.ids, [a, b]);
        assert.deepEqual(Object.keys(first.links), ['self', 'next', 'follow']);
        await server.create();
        const second = await pageAt(server, first.links.next ?? '', type);
        assert.deepEqual(second.ids, [c, d], 'a new version does not shift the pages');
        const third = await pageAt(server, second.links.next ?? '', type);
        assert.deepEqual(third.ids, [e]);
        assert.deepEqual(Object.keys(third.links), ['self', 'previous']);
        const back = await pageAt(server, third.links.previous ?? '', type);
        assert.deepEqual(back.ids, [c, d]);
        const front = await pageAt(server, back.links.previous ?? '', type);
        assert.deepEqual(front.ids, [a, b]);
      });

      it('is followed from a position, oldest first, without a gap or a repeat', async (context) => {
        const { server } = await setUp(context);
        const before = `${await server.create()}/1`;
        const start = await pageAt(server, `${path}?_count=2`, type);
        assert.deepEqual(start.ids, [before]);
        let follow = start.links.follow ?? '';
        const written = [];
        const seen: string[] = [];
        for (let round = 0; round < 6; round++) {
          for (let at = 0; at < round; at++) written.push(`${await server.create()}/1`);
          let page = await pageAt(server, follow, type);
          for (;;) {
            seen.push(...page.ids);
            const { next } = page.links;
            if (next === undefined) break;
            page = await pageAt(server, next, type);
          }
          follow = page.links.follow ?? '';
        }
        assert.deepEqual(seen, written);
        const all = await pageAt(server, `${path}?_after=0&_count=100`, type);
        assert.deepEqual(all.ids, [before, ...written]);
      });
    });
  }

  it(`polling costs a 304 until something is written, in ${format}`, async (context) => {
    const { server } = await setUp(context);
    await server.create();
    const { links } = await pageAt(server, 'OrderResponse/_history', type);
    const follow = links.follow ?? '';
    const poll = (etag = '') =>
      server.send('GET', follow, { accept: type, ...(etag && { 'if-none-match': etag }) });
    const first = await poll();
    const etag = first.headers.get('etag') ?? '';
    assert.equal((await poll(etag)).status, 304);
    await server.create();
    const second = await poll(etag);
    assert.equal(second.status, 200);
    assert.ok(second.headers.get('last-modified'));
    assert.equal(resourceIn(second).entry.length, 1);
  });

  it(`refuses parameters that are not valid, in ${format}`, async (context) => {
    const { server } = await setUp(context);
    await server.create();
    for (const [query, status, location] of [
      ['_count=0', 400, '_count'],
      ['_count=1&_count=2', 400, '_count'],
      ['_since=yesterday', 400, '_since'],
      ['_after=', 400, '_after'],
      ['_after=a%20b', 400, '_after'],
      ['_after=1&_before=1', 400, '_before'],
      ['_summary=count', 400, '_summary'],
      ['_after=4711', 410, undefined],
      ['_after=abc', 400, '_after'],
      ['_before=1-xyz', 400, '_before'],
      ['_before=4711-0123abcd', 410, undefined],
    ] as const) {
      const answer = await server.send('GET', `OrderResponse/_history?${query}`, { accept: type });
      assert.equal(answer.status, status, query);
      const [issue] = resourceIn(answer).issue;
      assert.deepEqual(issue.location, location && [`http.${location}`]);
    }
  });
}

describe('a history of the type', () => {
  it('begins at a time', async (context) => {
    const { server, pass } = await setUp(context);
    await server.create();
    pass(60_000);
    const young = `${await server.create()}/1`;
    const since = '_since=2026-11-21T09:30:30Z';
    const { ids, links } = await pageAt(
      server,
      `OrderResponse/_history?${since}`,
      'application/json',
    );
    assert.deepEqual(ids, [young]);
    assert.match(links.self ?? '', /_since=2026-11-21T09%3A30%3A30Z/);
    const followed = await pageAt(server, `_history?${since}&_after=0`, 'application/json');
    assert.deepEqual(followed.ids, [young]);
  });

  it('shows a delete, and is there with nothing in it', async (context) => {
    const { server } = await setUp(context, { allowDelete: true });
    const { ids, links } = await pageAt(server, 'OrderResponse/_history', 'application/json');
    assert.deepEqual([ids, Object.keys(links)], [[], ['self', 'follow']]);
    const id = await server.create();
    await server.send('DELETE', `OrderResponse/${id}`);
    const answer = await server.send('GET', links.follow ?? '', { accept: 'application/json' });
    const requests = resourceIn(answer).entry.map(({ request }: { request: object }) => request);
    assert.deepEqual(requests, [
      { method: 'POST', url: 'OrderResponse' },
      { method: 'DELETE', url: `OrderResponse/${id}` },
    ]);
  });

  it('needs the scope to read, and each access is recorded', async (context) => {
    const { server } = await setUp(context);
    for (const path of ['OrderResponse/_history', '_history']) {
      for (const [authorization, status] of [
        ['', 401],
        ['Bearer writer', 403],
        ['Bearer reader', 200],
      ] as const) {
        const answer = await server.send('GET', path, { authorization });
        assert.equal(answer.status, status, path);
      }
    }
    assert.equal((await server.send('GET', '_history?_count=none')).status, 400);
    assert.deepEqual(
      server.store.journal.map(({ entry }) => entry),
      [
        'history-type unauthenticated',
        'history-type forbidden',
        'history-type changes',
        'history-system unauthenticated',
        'history-system forbidden',
        'history-system changes',
        'history-system invalid',
      ],
    );
    const [, , read] = server.store.journal;
    assert.equal(read?.access.identity?.subject, 'subject of reader');
  });
});
