/** Updates of the order response that a search matches, and creates if none does. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { EXAMPLE, type OrderServer, startOrders } from './order-server.ts';
import { FORMATS, resourceIn } from './wire-formats.ts';

let server: OrderServer;
before(async () => {
  server = await startOrders();
});
after(() => server.close());

for (const [format, { type, encode }] of Object.entries(FORMATS)) {
  describe(`a conditional update in ${format}`, () => {
    const system = `http://${format}.example`;
    const bodyOf = (value: string, id?: string) => {
      const { resourceType, contained, ...rest } = EXAMPLE;
      const identifier = [{ system, value }];
      return { resourceType, ...(id && { id }), contained, identifier, ...rest };
    };
    const put = (query: string, body: object, headers = {}) =>
      server.send(
        'PUT',
        `OrderResponse?${query}`,
        { 'content-type': type, accept: type, ...headers },
        encode(body),
      );
    const idIn = (headers: Headers) => headers.get('content-location')?.split('/').at(-3) ?? '';

    it('creates if nothing matches, and then updates what matches', async () => {
      const query = `identifier=${system}|one`;
      const created = await put(query, bodyOf('one'));
      assert.equal(created.status, 201, created.text);
      assert.equal(created.headers.get('location'), created.headers.get('content-location'));
      const id = idIn(created.headers);
      const updated = await put(`${query}&code=completed&_format=${format}`, bodyOf('one', id));
      assert.equal(updated.status, 200, updated.text);
      assert.equal(idIn(updated.headers), id);
      assert.equal(updated.headers.get('location'), updated.headers.get('content-location'));
      assert.equal(updated.headers.get('etag'), 'W/"2"');
      const read = resourceIn(await server.send('GET', `OrderResponse/${id}`, { accept: type }));
      assert.deepEqual([read.id, read.meta.versionId], [id, '2']);
    });

    it('is decided by the current version', async () => {
      const query = `identifier=${system}|moved`;
      const first = await put(query, bodyOf('moved'));
      const id = idIn(first.headers);
      const headers = { 'content-type': type };
      const body = encode(bodyOf('elsewhere', id));
      assert.equal((await server.send('PUT', `OrderResponse/${id}`, headers, body)).status, 200);
      const second = await put(query, bodyOf('moved'));
      assert.deepEqual([first.status, second.status], [201, 201]);
      assert.notEqual(idIn(second.headers), id);
    });

    it('evaluates preconditions for what matches', async () => {
      const query = `identifier=${system}|conditions`;
      const absent = await put(query, bodyOf('conditions'), { 'if-match': 'W/"1"' });
      assert.equal(absent.status, 412);
      assert.match(resourceIn(absent).issue[0].diagnostics, /No resource matches/);
      const { headers } = await put(query, bodyOf('conditions'));
      const conflict = await put(query, bodyOf('conditions'), { 'if-match': 'W/"7"' });
      assert.equal(conflict.status, 409);
      assert.match(resourceIn(conflict).issue[0].diagnostics, new RegExp(idIn(headers)));
      assert.equal((await put(query, bodyOf('conditions'), { 'if-match': 'W/"1"' })).status, 200);
      const never = await put(query, bodyOf('conditions'), { 'if-none-match': '*' });
      assert.equal(never.status, 412);
    });

    it('is refused with 412 if several match, and with 400 for another id', async () => {
      await server.create(bodyOf('many'));
      await server.create(bodyOf('many'));
      const several = await put(`identifier=${system}|many`, bodyOf('many'));
      assert.equal(several.status, 412);
      assert.match(resourceIn(several).issue[0].diagnostics, /^2 resources match/);
      const id = await server.create(bodyOf('named'));
      for (const [value, problem] of [
        ['named', new RegExp(`OrderResponse/${id} matches`)],
        ['nobody', /no resource matches/],
      ] as const) {
        const answer = await put(`identifier=${system}|${value}`, bodyOf(value, 'another'));
        assert.equal(answer.status, 400);
        const [issue] = resourceIn(answer).issue;
        assert.match(issue.diagnostics, problem);
        assert.deepEqual(issue.location, ['/f:OrderResponse/f:id']);
      }
    });

    it('is refused with 400 without a search that it understands', async () => {
      for (const query of ['', '_format=json', 'status=x', 'identifier=a|b|c', 'date=x']) {
        const answer = await put(query, bodyOf('none'), { prefer: 'handling=lenient' });
        assert.equal(answer.status, 400, query);
      }
    });

    it('shows a client that may only write whether an identifier exists, and nothing else', async () => {
      const known = `identifier=${system}|secret`;
      const id = await server.create(bodyOf('secret'));
      const writer = { authorization: 'Bearer writer', 'if-match': 'W/"7"' };
      const guesses = [
        'request.patient.identifier=https://fhir.nhs.uk/Id/nhs-number|9434765919',
        `${known}&code=completed`,
        'identifier=secret',
        `identifier=${system}|`,
        `identifier=${system}|a,${system}|secret`,
        `identifier:not=${system}|secret`,
      ];
      for (const query of guesses) {
        const update = await put(query, bodyOf('secret'), writer);
        const create = await server.send(
          'POST',
          'OrderResponse',
          { 'content-type': type, accept: type, ...writer, 'if-none-exist': query },
          encode(bodyOf('secret')),
        );
        for (const answer of [update, create]) {
          assert.equal(answer.status, 403, query);
          assert.match(resourceIn(answer).issue[0].diagnostics, /identifier=\{system\}\|\{value\}/);
          assert.match(answer.headers.get('www-authenticate') ?? '', /insufficient_scope/);
        }
      }
      const body = bodyOf('secret');
      const stale = await put(known, body, writer);
      const other = await put(known, bodyOf('secret', 'another'), {
        authorization: 'Bearer writer',
      });
      await server.create(body);
      const several = await put(known, body, { authorization: 'Bearer writer' });
      const [first, ...others] = [stale, other, several].map((answer) => {
        assert.equal(answer.status, 412);
        return resourceIn(answer).issue[0].diagnostics;
      });
      assert.deepEqual(others, [first, first]);
      assert.ok(!first.includes(id));
      assert.equal(
        (
          await put(`identifier=${system}|its-own`, bodyOf('its-own'), {
            authorization: 'Bearer writer',
          })
        ).status,
        201,
      );
    });

    it('is one atomic step for many clients', async () => {
      const query = `identifier=${system}|race`;
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => put(query, bodyOf('race'))),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [...Array(9).fill(200), 201]);
    });
  });
}

it('a conditional update of a match needs If-Match if the server requires it', async () => {
  const strict = await startOrders({ requireIfMatch: true });
  try {
    const { resourceType, contained, ...rest } = EXAMPLE;
    const [system, value] = ['http://strict.example', 'one'];
    const identifier = [{ system, value }];
    const body = FORMATS.json.encode({ resourceType, contained, identifier, ...rest });
    const put = (headers: Record<string, string> = {}) =>
      strict.send(
        'PUT',
        `OrderResponse?identifier=${system}|${value}`,
        { 'content-type': FORMATS.json.type, ...headers },
        body,
      );
    const created = await put();
    assert.equal(created.status, 201, created.text);
    const refused = await put();
    assert.equal(refused.status, 412);
    assert.match(refused.text, /requires If-Match/);
    const none = await put({ 'if-none-match': '*' });
    assert.equal(none.status, 412);
    assert.match(none.text, /If-None-Match/);
    const updated = await put({ 'if-match': created.headers.get('etag') ?? '' });
    assert.equal(updated.status, 200, updated.text);
  } finally {
    await strict.close();
  }
});
