/** Updates of order responses that say what must hold of the current version (RFC 9110, section 13). */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { EXAMPLE, type OrderServer, startOrders } from './order-server.ts';
import { FORMATS, resourceIn } from './wire-formats.ts';

const START_MS = Date.UTC(2026, 10, 21, 9, 30, 0, 400);
const IMF = 'Sat, 21 Nov 2026 09:30:00 GMT';

/** A server with a clock that the test sets, and an order response of the first version. */
async function setUp(context: TestContext, type: string, encode: (resource: object) => string) {
  let nowMs = START_MS;
  const server: OrderServer = await startOrders({}, () => new Date(nowMs));
  context.after(() => server.close());
  const id = await server.create();
  const { resourceType, ...rest } = EXAMPLE;
  const body = encode({ resourceType, id, ...rest });
  const send = (method: string, path: string, sent: string, headers: Record<string, string>) =>
    server.send(method, path, { 'content-type': type, accept: type, ...headers }, sent);
  return {
    server,
    put: (headers: Record<string, string>) => send('PUT', `OrderResponse/${id}`, body, headers),
    post: (headers: Record<string, string>) =>
      send('POST', 'OrderResponse', encode(EXAMPLE), headers),
    currentVersion: async () =>
      (await server.send('GET', `OrderResponse/${id}`)).headers.get('etag'),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

for (const [format, { type, encode }] of Object.entries(FORMATS)) {
  describe(`an update with preconditions in ${format}`, () => {
    const broken: readonly (readonly [
      headers: Record<string, string>,
      status: number,
      named: string | undefined,
    ])[] = [
      [{ 'if-none-match': '*' }, 412, 'If-None-Match'],
      [{ 'if-none-match': 'W/"1"' }, 412, 'If-None-Match'],
      [{ 'if-none-match': '"7", "1"' }, 412, 'If-None-Match'],
      [{ 'if-none-match': '*', 'if-match': 'W/"1"' }, 412, 'If-None-Match'],
      [{ 'if-none-match': '*', 'if-match': 'W/"7"' }, 409, undefined],
      [{ 'if-none-match': '1' }, 400, 'If-None-Match'],
      [{ 'if-none-match': '' }, 400, 'If-None-Match'],
      [{ 'if-unmodified-since': 'Sat, 21 Nov 2026 09:29:59 GMT' }, 412, 'If-Unmodified-Since'],
      [{ 'if-unmodified-since': 'Saturday, 21-Nov-26 09:29:59 GMT' }, 412, 'If-Unmodified-Since'],
      [{ 'if-unmodified-since': 'Sat Nov 21 09:29:59 2026' }, 412, 'If-Unmodified-Since'],
      [{ 'if-unmodified-since': 'Sunday, 06-Nov-94 08:49:37 GMT' }, 412, 'If-Unmodified-Since'],
      [
        { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT', 'if-match': 'W/"7"' },
        409,
        undefined,
      ],
    ];
    for (const [headers, status, named] of broken) {
      it(`is ${status} for ${JSON.stringify(headers)}, and stores nothing`, async (context) => {
        const { put, currentVersion } = await setUp(context, type, encode);
        const answer = await put(headers);
        assert.equal(answer.status, status, answer.text);
        const [issue] = resourceIn(answer).issue;
        assert.deepEqual(issue.location, named && [`http.${named}`]);
        if (status !== 400) {
          assert.equal(issue.code, 'conflict');
          assert.match(issue.diagnostics, /_history\/1\b.*If-Match: W\/"1"/);
        }
        assert.equal(await currentVersion(), 'W/"1"');
      });
    }

    const holding: readonly Record<string, string>[] = [
      { 'if-none-match': 'W/"2", "3"' },
      { 'if-unmodified-since': IMF },
      { 'if-unmodified-since': 'Sat, 21 Nov 2026 09:30:01 GMT' },
      { 'if-unmodified-since': 'Saturday, 21-Nov-26 09:30:00 GMT' },
      { 'if-unmodified-since': 'Sat Nov 21 09:30:00 2026' },
      { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT', 'if-match': 'W/"1"' },
      // No dates of HTTP.
      { 'if-unmodified-since': '2000-01-01T00:00:00Z' },
      { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 +0100' },
      { 'if-unmodified-since': 'Wed, 30 Feb 2000 00:00:00 GMT' },
      { 'if-unmodified-since': 'Sat, 01 Jan 2000 24:00:00 GMT' },
      { 'if-unmodified-since': 'yesterday' },
      { 'if-unmodified-since': '' },
    ];
    for (const headers of holding) {
      it(`succeeds for ${JSON.stringify(headers)}`, async (context) => {
        const { put } = await setUp(context, type, encode);
        const answer = await put(headers);
        assert.equal(answer.status, 200, answer.text);
      });
    }

    it('of the second of two versions needs a tag where one second has both', async (context) => {
      const { put, pass } = await setUp(context, type, encode);
      pass(300);
      const second = await put({});
      const date = second.headers.get('last-modified') ?? '';
      assert.equal(date, IMF);
      assert.equal((await put({ 'if-unmodified-since': date })).status, 412);
      pass(10_000);
      assert.equal((await put({ 'if-match': 'W/"2"' })).status, 200);
      const third = 'Sat, 21 Nov 2026 09:30:10 GMT';
      assert.equal((await put({ 'if-unmodified-since': third })).status, 200);
    });

    it('that are not those of a create changes nothing there', async (context) => {
      const { post } = await setUp(context, type, encode);
      const headers = {
        'if-match': 'W/"7"',
        'if-none-match': '*',
        'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT',
      };
      assert.equal((await post(headers)).status, 201);
    });

    it('has findings about them before those of the rules of the service', async (context) => {
      const { server } = await setUp(context, type, encode);
      const strict = await startOrders({ requireIfMatch: true });
      context.after(() => strict.close());
      const cases: readonly (readonly [OrderServer, Record<string, string>, status: number])[] = [
        [server, {}, 422],
        [server, { 'if-match': 'W/"1"', 'if-none-match': 'W/"2"' }, 422],
        [server, { 'if-match': 'W/"7"', 'if-none-match': '*' }, 409],
        [server, { 'if-none-match': '*' }, 412],
        [server, { 'if-unmodified-since': 'Sat, 21 Nov 2026 09:29:59 GMT' }, 412],
        [server, { 'if-unmodified-since': IMF }, 422],
        [strict, {}, 412],
        [strict, { 'if-match': '*' }, 422],
      ];
      for (const [each, headers, status] of cases) {
        const id = await each.create();
        const request = { reference: 'https://orders.example/Order/1' };
        const body = { resourceType: 'OrderResponse', id, request, orderStatus: 'completed' };
        const sent = { 'content-type': type, ...headers };
        const answer = await each.send('PUT', `OrderResponse/${id}`, sent, encode(body));
        assert.equal(answer.status, status, answer.text);
      }
    });

    it('is 405 for an id that is not there, and 400 for a body that is refused', async (context) => {
      const { server } = await setUp(context, type, encode);
      const sent = { 'content-type': type, 'if-none-match': '*' };
      const { resourceType, contained: _, ...rest } = EXAMPLE;
      const put = (id: string, body: object) =>
        server.send('PUT', `OrderResponse/${id}`, sent, encode({ resourceType, id, ...body }));
      const { contained } = EXAMPLE;
      assert.equal((await put('nobody', { contained, ...rest })).status, 405);
      const outside = { request: { reference: 'https://orders.example/Order/1' } };
      assert.equal((await put('nobody', { ...outside, orderStatus: 'completed' })).status, 405);
      const id = await server.create();
      assert.equal((await put(id, { orderStatus: 'completed' })).status, 400);
    });
  });
}
