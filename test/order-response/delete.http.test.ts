/** Deletes of order responses, which a setting allows. https://hl7.org/fhir/DSTU2/http.html#delete */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { EXAMPLE, startOrders } from './order-server.ts';
import { FORMATS, resourceIn } from './wire-formats.ts';

async function setUp(context: TestContext, settings = {}) {
  const server = await startOrders({ allowDelete: true, ...settings });
  context.after(() => server.close());
  const id = await server.create();
  const path = `OrderResponse/${id}`;
  return { server, id, path };
}

describe('a delete', () => {
  for (const [format, { type, encode }] of Object.entries(FORMATS)) {
    it(`makes the resource gone, and an update brings it back, in ${format}`, async (context) => {
      const { server, id, path } = await setUp(context);
      const accept = { accept: type };
      const answer = await server.send('DELETE', path, accept);
      assert.deepEqual([answer.status, answer.text], [204, '']);
      assert.equal(answer.headers.get('etag'), 'W/"2"');
      assert.ok(answer.headers.get('last-modified'));
      assert.equal(answer.headers.get('content-type'), null);

      for (const gone of [path, `${path}/_history/2`]) {
        const read = await server.send('GET', gone, accept);
        assert.equal(read.status, 410);
        assert.equal(read.headers.get('etag'), 'W/"2"');
        const [issue] = resourceIn(read).issue;
        assert.match(issue.diagnostics, /was deleted: version 2 has no content.*_history/);
      }
      assert.equal((await server.send('HEAD', path, accept)).status, 410);
      assert.equal((await server.send('GET', `${path}/_history/1`, accept)).status, 200);

      const history = resourceIn(await server.send('GET', `${path}/_history`, accept));
      assert.equal(Number(history.total), 2);
      const [deletion, creation] = history.entry;
      assert.deepEqual(deletion.request, { method: 'DELETE', url: path });
      assert.equal(deletion.resource, undefined);
      assert.equal(creation.request.method, 'POST');

      const { resourceType, ...rest } = EXAMPLE;
      const body = encode({ resourceType, id, ...rest });
      const sent = { ...accept, 'content-type': type, 'if-none-match': '*' };
      const restored = await server.send('PUT', path, sent, body);
      assert.equal(restored.status, 201, restored.text);
      assert.equal(restored.headers.get('etag'), 'W/"3"');
      assert.match(restored.headers.get('location') ?? '', /\/_history\/3$/);
      assert.match(restored.text, /Successfully restored resource/);
      assert.equal((await server.send('GET', path, accept)).status, 200);
    });
  }

  it('of a deleted or an unknown resource changes nothing', async (context) => {
    const { server, path } = await setUp(context);
    await server.send('DELETE', path);
    const again = await server.send('DELETE', path);
    assert.deepEqual([again.status, again.headers.get('etag')], [204, 'W/"2"']);
    const unknown = await server.send('DELETE', 'OrderResponse/0000');
    assert.deepEqual([unknown.status, unknown.headers.get('etag')], [204, null]);
    assert.equal((await server.send('GET', 'OrderResponse/0000')).status, 404);
  });

  it('happens only if its preconditions are true', async (context) => {
    const { server, path } = await setUp(context);
    const cases: readonly (readonly [Record<string, string>, status: number])[] = [
      [{ 'if-match': 'W/"7"' }, 409],
      [{ 'if-match': 'seven' }, 400],
      [{ 'if-none-match': '*' }, 412],
      [{ 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' }, 412],
      [{ 'if-match': 'W/"1"' }, 204],
      [{ 'if-match': '*' }, 409],
    ];
    for (const [headers, status] of cases) {
      const answer = await server.send('DELETE', path, headers);
      assert.equal(answer.status, status, JSON.stringify(headers));
    }
    const unknown = await server.send('DELETE', 'OrderResponse/0000', { 'if-match': '*' });
    assert.equal(unknown.status, 412);
  });

  it('needs If-Match if the setting requires it', async (context) => {
    const { server, path } = await setUp(context, { requireIfMatch: true });
    const refused = await server.send('DELETE', path);
    assert.equal(refused.status, 412);
    assert.match(refused.text, /requires If-Match for an update or a delete/);
    assert.equal((await server.send('DELETE', path, { 'if-match': 'W/"1"' })).status, 204);
  });

  it('needs the scope to write, and is recorded', async (context) => {
    const { server, path } = await setUp(context);
    const reader = await server.send('DELETE', path, { authorization: 'Bearer reader' });
    assert.equal(reader.status, 403);
    await server.send('DELETE', path);
    const entries = server.store.journal.map(({ entry }) => entry);
    assert.deepEqual(entries.slice(-2), ['delete forbidden', 'delete delete']);
  });

  it('frees its own identifier, and not that of another resource', async (context) => {
    const { server, path } = await setUp(context);
    const identifier = [{ system: 'https://ids.example', value: '4711' }];
    const condition = { 'if-none-exist': 'identifier=https%3A%2F%2Fids.example%7C4711' };
    const create = () =>
      server.send(
        'POST',
        'OrderResponse',
        { 'content-type': FORMATS.json.type, ...condition },
        FORMATS.json.encode({ ...EXAMPLE, identifier }),
      );
    const first = await create();
    assert.equal(first.status, 201, first.text);
    await server.send('DELETE', path);
    assert.equal((await create()).status, 200);
    const own = /OrderResponse\/[^/]+/.exec(first.headers.get('location') ?? '')?.[0] ?? '';
    await server.send('DELETE', own);
    assert.equal((await create()).status, 201);
  });

  it('is not allowed by default, and the server says so', async (context) => {
    const { server, path } = await setUp(context, { allowDelete: false });
    const answer = await server.send('DELETE', path);
    assert.equal(answer.status, 405);
    assert.doesNotMatch(answer.headers.get('allow') ?? '', /DELETE/);
    const interactions = async (each: typeof server) => {
      const answered = await each.send('GET', 'metadata', { accept: FORMATS.json.type });
      const [rest] = resourceIn(answered).rest;
      return rest.resource[0].interaction.map(({ code }: { code: string }) => code);
    };
    assert.ok(!(await interactions(server)).includes('delete'));
    const open = await setUp(context);
    assert.ok((await interactions(open.server)).includes('delete'));
  });
});
