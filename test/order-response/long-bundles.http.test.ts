/** Bundles of long resources: no page keeps a thread for long, and each search has its turn. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type AnswerBudget, AnswerRoom } from '../../src/fhir/bundle/answer-room.ts';
import { CollectedCalls } from '../../src/fhir/bundle/collected-calls.ts';
import type { SentEntry } from '../../src/fhir/bundle/sent-bundle.ts';
import { createMemoryRepository } from '../storage/memory-repository.ts';
import { EXAMPLE, startOrders, startOrdersOf } from './order-server.ts';
import { entriesIn, FORMATS, resourceIn } from './wire-formats.ts';

const ACCESS = { interaction: 'read', address: '192.0.2.1', requestId: 'a' } as const;

/** More than 320 KiB together, and less than 4 MiB. */
const COUNT = 20;
const LONG = { ...EXAMPLE, description: 'x'.repeat(50_000) };

async function withLongResources(
  context: TestContext,
  store = createMemoryRepository(),
  budget?: AnswerBudget,
) {
  const server = await startOrdersOf(store, {}, budget);
  context.after(() => server.close());
  for (let at = 0; at < COUNT; at++) await server.create(LONG);
  return server;
}

it('a page ends after 320 KiB if its resources are encoded again, and the next one continues', async (context) => {
  const server = await withLongResources(context);
  for (const path of ['OrderResponse?', 'OrderResponse/_history?', '_history?_after=0&']) {
    for (const [query, isWhole] of [
      ['_format=json', true],
      ['_format=json&_pretty=true', false],
      ['_format=xml', false],
    ] as const) {
      const counts: number[] = [];
      let url: string | undefined = `${path}_count=100&${query}`;
      while (url !== undefined) {
        const { entry, link }: { entry: object[]; link: { relation: string; url: string }[] } =
          resourceIn(await server.send('GET', url));
        counts.push(entry.length);
        url = link.find(({ relation }) => relation === 'next')?.url.split('/base/')[1];
      }
      assert.deepEqual(counts, isWhole ? [COUNT] : [6, 6, 6, 2], `${path}${query}`);
    }
  }
});

it('the links of pages that end early lead back over every match', async (context) => {
  const server = await withLongResources(context);
  const walk = async (url: string | undefined, relation: string): Promise<string[][]> => {
    if (url === undefined) return [];
    const { entry, link } = resourceIn(await server.send('GET', url.split('/base/').at(-1) ?? ''));
    const ids = entry.map(({ resource }: { resource: { id: string } }) => resource.id);
    return [ids, ...(await walk(linkOf(link, relation), relation))];
  };
  const search = 'OrderResponse?_count=10&_pretty=true';
  const forwards = (await walk(search, 'next')).flat();
  assert.equal(new Set(forwards).size, COUNT);
  const last = linkOf(resourceIn(await server.send('GET', search)).link, 'last');
  const backwards = await walk(last, 'previous');
  assert.deepEqual(
    backwards.map(({ length }) => length),
    [6, 6, 6, 2],
  );
  assert.deepEqual(backwards.toReversed().flat(), forwards);
});

function linkOf(
  links: readonly { readonly relation: string; readonly url: string }[],
  relation: string,
): string | undefined {
  return links.find((link) => link.relation === relation)?.url;
}

it('a batch runs its reads and searches one after the other', async (context) => {
  const store = createMemoryRepository();
  let running = 0;
  let most = 0;
  const counted =
    <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      running += 1;
      most = Math.max(most, running);
      await setImmediate();
      running -= 1;
      return call(...args);
    };
  const server = await withLongResources(context, {
    ...store,
    search: counted(store.search),
    read: counted(store.read),
  });
  const { type, encode } = FORMATS.xml;
  const search = { request: { method: 'GET', url: 'OrderResponse?_count=100' } };
  const read = { request: { method: 'GET', url: `OrderResponse/${await server.create()}` } };
  const entry = [...Array.from({ length: 5 }, () => search), read, read];
  const bundle = encode({ resourceType: 'Bundle', type: 'batch', entry });
  const answer = await server.send('POST', '', { 'content-type': type }, bundle);
  const totals = resourceIn(answer).entry.map(
    ({ resource }: { resource: { entry?: object[] } }) => resource.entry?.length,
  );
  assert.deepEqual(totals, [7, 7, 7, 7, 7, undefined, undefined]);
  assert.equal(most, 1);
});

it('the answer to a long batch is sent in pieces, and is the same Bundle', async (context) => {
  const server = await withLongResources(context);
  const request = { method: 'GET', url: 'OrderResponse?_count=1' };
  const nothing = { request: { method: 'GET', url: 'Nothing/1' } };
  for (const { type, encode } of Object.values(FORMATS)) {
    for (const query of ['', '?_pretty=true']) {
      const send = async (entry: object[]) => {
        const bundle = encode({ resourceType: 'Bundle', type: 'batch', entry });
        const answer = await server.send('POST', query, { 'content-type': type }, bundle);
        return { resource: resourceIn(answer), isInPieces: !answer.headers.has('content-length') };
      };
      const short = await send([{ request }, nothing]);
      const long = await send([{ request }, { request }, nothing]);
      assert.deepEqual([short.isInPieces, long.isInPieces], [false, true]);
      const seen = ({ id, entry, ...head }: (typeof long)['resource']) => ({
        ...head,
        entry: entry.map(({ response, resource }: { response: object; resource: object }) => [
          response,
          Object.keys(resource),
        ]),
      });
      const { entry, ...head } = seen(short.resource);
      assert.deepEqual(seen(long.resource), { ...head, entry: [entry[0], ...entry] });
    }
  }
});

it('a transaction gives each entry its answer in a separate turn', async () => {
  const entries = [0, 1].map((at): SentEntry => ({ at, method: 'GET', url: 'a', request: {} }));
  const collected = new CollectedCalls(
    createMemoryRepository(),
    entries,
    new AnswerRoom({ lengthMax: ROOM, length: 0 }),
  );
  let turn = 0;
  let hasEnded = false;
  const count = async () => {
    for (; !hasEnded; turn++) await setImmediate();
  };
  const counting = count();
  const turns: number[] = [];
  const reads = entries.map(async (entry) => {
    const { read } = collected.repositoryFor(entry, () => {});
    await read({ type: 'OrderResponse', id: 'a' }, ACCESS);
    turns.push(turn);
  });
  await collected.commit(entries.map(() => ({ kind: 'read', value: undefined })));
  await Promise.all(reads);
  hasEnded = true;
  await counting;
  assert.equal(new Set(turns).size, entries.length);
});

it('indents the answer to a batch, with each resource on one line', async (context) => {
  const server = await startOrders();
  context.after(() => server.close());
  const url = `OrderResponse/${await server.create()}`;
  const entry = [
    { request: { method: 'GET', url } },
    { request: { method: 'GET', url: 'Nothing/1' } },
  ];
  for (const { type, encode } of Object.values(FORMATS)) {
    const bundle = encode({ resourceType: 'Bundle', type: 'batch', entry });
    const answer = await server.send('POST', '?_pretty=true', { 'content-type': type }, bundle);
    assert.ok(answer.text.split('\n').length > 10);
    const types = entriesIn(resourceIn(answer)).map(({ resource }) => resource?.resourceType);
    assert.deepEqual(types, ['OrderResponse', 'OperationOutcome']);
  }
});

const SEARCH = { request: { method: 'GET', url: 'OrderResponse?_count=100' } };
/** Two answers to a search leave room for a third one. */
const ROOM = 2.5 * COUNT * LONG.description.length;

const bundleOf = (type: string, entry: object[]) =>
  FORMATS.json.encode({ resourceType: 'Bundle', type, entry });
const JSON_BODY = { 'content-type': FORMATS.json.type };

/** Fails only by the time limit of its test. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}

for (const type of ['batch', 'transaction']) {
  it(`each ${type} above the room of all together is 503, and the room comes back`, async (context) => {
    const store = createMemoryRepository();
    const budget = { lengthMax: ROOM, length: 0 };
    const all = Promise.withResolvers<void>();
    const at = 10;
    let waiting = 0;
    const search: typeof store.search = async (...args) => {
      waiting += 1;
      if (waiting === at) all.resolve();
      await all.promise;
      return store.search(...args);
    };
    const server = await withLongResources(context, { ...store, search }, budget);
    const send = () => server.send('POST', '', JSON_BODY, bundleOf(type, [SEARCH]));
    const answers = await Promise.all(Array.from({ length: at }, send));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
      200,
      200,
      200,
      ...Array(at - 3).fill(503),
    ]);
    for (const { status, headers, text } of answers) {
      if (status === 200) continue;
      assert.equal(headers.get('retry-after'), '5');
      assert.match(text, /"transient".*too many long answers to Bundles.*Try again/);
    }
    await until(() => budget.length === 0);
    assert.equal((await send()).status, 200);
  });

  it(`a ${type} that has written is answered, also if the room is full by then`, async (context) => {
    const store = createMemoryRepository();
    const budget = { lengthMax: ROOM, length: 0 };
    const fillAfter = async <T>(written: Promise<T>): Promise<T> => {
      const result = await written;
      budget.length += ROOM;
      return result;
    };
    const server = await withLongResources(context, store, budget);
    const { create, transact } = store;
    Object.assign(store, {
      create: (...args: Parameters<typeof create>) => fillAfter(create(...args)),
      transact: (...args: Parameters<typeof transact>) => fillAfter(transact(...args)),
    });
    const write = { resource: EXAMPLE, request: { method: 'POST', url: 'OrderResponse' } };
    const send = () => {
      const headers = { ...JSON_BODY, prefer: 'return=representation' };
      return server.send('POST', '', headers, bundleOf(type, [write, SEARCH]));
    };
    const stored = store.journal.length;
    const { status, text } = await send();
    assert.equal(status, 200);
    const [created, searched] = JSON.parse(text).entry;
    assert.deepEqual([created.response.status, created.resource], ['201 Created', undefined]);
    assert.equal(searched.response.status, '503 Service Unavailable');
    assert.match(JSON.stringify(searched.resource), /too many long answers to Bundles/);
    assert.equal(store.journal.length, stored + 1);
    const refused = await send();
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5']);
    assert.ok(store.journal.every(({ entry }, index) => index <= stored || !/create$/.test(entry)));
    await until(() => budget.length === ROOM);
  });
}

it('a batch of reads is refused when the room is full by then, also with an entry that is no request', async (context) => {
  const store = createMemoryRepository();
  const budget = { lengthMax: ROOM, length: 0 };
  const search: typeof store.search = async (...args) => {
    budget.length += ROOM;
    return store.search(...args);
  };
  const server = await withLongResources(context, { ...store, search }, budget);
  const bundle = bundleOf('batch', [SEARCH, { request: {} }]);
  const { status, text } = await server.send('POST', '', JSON_BODY, bundle);
  assert.equal(status, 503, text);
});

it('the reads of a transaction take room too', async (context) => {
  const budget = { lengthMax: 2 * LONG.description.length, length: 0 };
  const server = await withLongResources(context, undefined, budget);
  const read = { request: { method: 'GET', url: `OrderResponse/${await server.create(LONG)}` } };
  const statusOf = async (count: number) => {
    await until(() => budget.length === 0);
    const bundle = bundleOf('transaction', Array(count).fill(read));
    return (await server.send('POST', '', JSON_BODY, bundle)).status;
  };
  assert.deepEqual([await statusOf(2), await statusOf(3), await statusOf(2)], [200, 503, 200]);
});

it('a client that disconnects gives back the room of its Bundle', async (context) => {
  const budget = { lengthMax: Number.POSITIVE_INFINITY, length: 0 };
  const server = await withLongResources(context, undefined, budget);
  const body = bundleOf('batch', Array(8).fill(SEARCH));
  const socket = connect(server.port, '127.0.0.1').pause();
  socket.write(
    `POST /base HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer all\r\n` +
      `Content-Type: ${FORMATS.json.type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await until(() => budget.length > 0);
  socket.destroy();
  await until(() => budget.length === 0);
});
