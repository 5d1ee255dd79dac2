/** Conditional creates, updates and reads of order responses, and what a write is answered with. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BASE, EXAMPLE, JSON_TYPE, type OrderServer, startOrders } from './order-server.ts';
import { FORMATS, requirePrivate, resourceIn } from './wire-formats.ts';

let server: OrderServer;
before(async () => {
  server = await startOrders();
});
after(() => server.close());

const VERSION_URL = /^http:\/\/orders\.test\/base\/OrderResponse\/[0-9a-f-]{36}\/_history\/1$/;

/** The example with an identifier, its elements in the order of XML. */
function identified(system: string, value: string, id?: string) {
  const { resourceType, contained, ...rest } = EXAMPLE;
  const identifier = [{ system, value }];
  return { resourceType, ...(id && { id }), contained, identifier, ...rest };
}

for (const [format, { type, encode }] of Object.entries(FORMATS)) {
  const system = `http://${format}.example`;
  const send = (method: string, path: string, body: object, headers = {}) =>
    server.send(method, path, { 'content-type': type, accept: type, ...headers }, encode(body));
  const create = (value: string, header?: string, headers = {}) => {
    const condition = header === undefined ? {} : { 'if-none-exist': header };
    return send('POST', 'OrderResponse', identified(system, value), { ...condition, ...headers });
  };

  describe(`a create with If-None-Exist in ${format}`, () => {
    const values: readonly (readonly [what: string, value: string, sent: string])[] = [
      ['unchanged', 'plain-1', 'plain-1'],
      ['percent-encoded', 'a/b c+d&e=f', encodeURIComponent('a/b c+d&e=f')],
      ['with a pipe, escaped as in a search', 'a|b', 'a\\|b'],
      ['with a comma, escaped as in a search', 'Smith,1', 'Smith\\,1'],
      ['with a dollar and a backslash, escaped', 'a$b\\c', 'a\\$b\\\\c'],
      ['with a dollar, as it is', 'x$y', 'x$y'],
      ['with a percent-encoded, escaped comma', 'Jones,2', 'Jones%5C%2C2'],
      ['with letters beyond ASCII', 'Müller', encodeURIComponent('Müller')],
    ];
    for (const [what, value, sent] of values) {
      it(`finds an identifier ${what}`, async () => {
        const header = `identifier=${encodeURIComponent(system)}|${sent}`;
        const first = await create(value, header);
        assert.equal(first.status, 201, first.text);
        const second = await create(value, header);
        assert.equal(second.status, 200, second.text);
        assert.match(first.headers.get('location') ?? '', VERSION_URL);
        assert.equal(second.headers.get('location'), first.headers.get('location'));
        assert.equal(second.headers.get('content-location'), first.headers.get('location'));
        assert.equal(second.headers.get('etag'), 'W/"1"');
        const [issue] = resourceIn(second).issue;
        assert.equal(issue.severity, 'information');
        assert.match(issue.diagnostics, /^Nothing was created/);
      });
    }

    it('refuses parameters of answers, and says that they are not possible', async () => {
      for (const name of [
        '_count',
        '_sort',
        '_summary',
        '_elements',
        '_result',
        '_offset',
        '_before',
      ]) {
        const { status, text } = await create('shaped', `identifier=${system}|shaped&${name}=1`);
        assert.equal(status, 400, text);
        assert.match(text, new RegExp(`The parameter ${name} is not possible here: `));
      }
    });

    it('finds the report that the contained Order is about', async () => {
      const report = `${system}/DiagnosticReport/12345`;
      const [order, ...others] = EXAMPLE.contained;
      const contained = [{ ...order, detail: [{ reference: report }] }, ...others];
      const review = () =>
        send('POST', 'OrderResponse', { ...EXAMPLE, contained }, { 'if-none-exist': condition });
      const condition = `request.detail=${encodeURIComponent(report)}`;
      const [first, second] = [await review(), await review()];
      assert.deepEqual([first.status, second.status], [201, 200], second.text);
      assert.equal(second.headers.get('location'), first.headers.get('location'));
    });

    const addresses: readonly (readonly [what: string, address: string])[] = [
      ['a question mark', '?'],
      ['the type', 'OrderResponse?'],
      ['its path', '/base/OrderResponse?'],
      ['its public address', `${BASE}/OrderResponse?`],
      ['its public address with a port', 'HTTP://Orders.Test:80/base/OrderResponse?'],
    ];
    for (const [what, address] of addresses) {
      it(`accepts ${what} before the search`, async () => {
        const value = `after ${what}`;
        const search = `identifier=${encodeURIComponent(`${system}|${value}`)}`;
        const first = await create(value, search);
        const second = await create(value, `${address}${search}`);
        assert.equal(second.status, 200, second.text);
        assert.equal(second.headers.get('location'), first.headers.get('location'));
      });
    }

    it('accepts the address by which the client knows the server', async () => {
      const search = `identifier=${system}|by-host`;
      await create('by-host', search);
      for (const scheme of ['http', 'https']) {
        const { host } = new URL(server.url);
        const answer = await create('by-host', `${scheme}://${host}/base/OrderResponse?${search}`);
        assert.equal(answer.status, 200, answer.text);
      }
    });

    it('accepts a question mark in a bare value', async () => {
      assert.equal((await create('a?b', `identifier=${system}|a?b`)).status, 201);
      assert.equal((await create('a?b', `identifier=${system}|a?b`)).status, 200);
    });

    const elsewhere = [
      'http://other.example/base/OrderResponse?identifier=a|b',
      'http://orders.test:8080/base/OrderResponse?identifier=a|b',
      '//other.example/base/OrderResponse?identifier=a|b',
      'http://orders.test/OrderResponse?identifier=a|b',
      `${BASE}/Order?identifier=a|b`,
      `${BASE}?identifier=a|b`,
      'Patient?identifier=a|b',
      'OrderResponse/1?identifier=a|b',
      'http://?identifier=a|b',
    ];
    it('is 400 for a search of another server or type, and names the supported one', async () => {
      for (const header of elsewhere) {
        const answer = await create('elsewhere', header);
        assert.equal(answer.status, 400, `${header}: ${answer.text}`);
        const [issue] = resourceIn(answer).issue;
        assert.deepEqual(issue.location, ['http.If-None-Exist']);
        assert.match(issue.diagnostics, /is not a search of http:\/\/orders\.test\/base\/OrderRes/);
      }
    });

    it('compares only with current versions', async () => {
      const header = `identifier=${system}|moved`;
      const first = await create('moved', header);
      const id = first.headers.get('location')?.split('/').at(-3) ?? '';
      const moved = await send('PUT', `OrderResponse/${id}`, identified(system, 'away', id));
      assert.equal(moved.status, 200, moved.text);
      const second = await create('moved', header);
      assert.equal(second.status, 201);
      assert.notEqual(second.headers.get('location'), first.headers.get('location'));
      const away = await create('away', `identifier=${system}|away`);
      assert.equal(away.status, 200);
      assert.equal(away.headers.get('location'), moved.headers.get('content-location'));
    });

    it('accepts any search, all of whose parameters must match', async () => {
      const value = `any-${format}`;
      const id = `${system}|${value}`;
      await create(value);
      const cases = [
        [`identifier=${value}`, 200],
        [`identifier=${system}|none,${value}`, 200],
        [`identifier=${id}&code=completed&date=ge2017`, 200],
        [`identifier=${id}&request.patient.identifier=1234DEF&who.identifier=123455`, 200],
        [`identifier=${id}&code:not=accepted&request:missing=false`, 200],
        [`identifier=${id}&_lastUpdated=gt2020&_id:not=none`, 200],
        [`identifier=${system}|no-${value},${value}-too&date=ge2017`, 201],
      ] as const;
      for (const [header, status] of cases) {
        const answer = await create(status === 200 ? value : `${value}-too`, header);
        assert.equal(answer.status, status, `${header}: ${answer.text}`);
      }
    });

    it('is 412 if several resources have the identifier, and stores nothing', async () => {
      await create('many');
      await create('many');
      const { status, text } = await create('many', `identifier=${system}|many`);
      assert.equal(status, 412);
      assert.match(text, /conflict/);
      const again = await create('many', `identifier=${system}|many`);
      assert.match(again.text, /2 resources/);
    });

    const malformed = [
      '',
      'identifier',
      'identifier=',
      'identifier=|',
      'identifier=a|b|c',
      'identifier=a|b,',
      'identifier=a|b\\',
      'identifier=a|b\\c',
      'identifier=a|b&status=completed',
      'identifier=a|b&_sort=date',
      'identifier:exact=a|b',
      'Identifier=a|b',
      'identifier=a|%FF',
      'OrderResponse',
      'OrderResponse?',
      `${BASE}/OrderResponse`,
      'date=yesterday',
      '_count=1',
      '*',
    ];
    it('is 400 for a header that is not a search', async () => {
      for (const header of malformed) {
        const answer = await create('malformed', header);
        assert.equal(answer.status, 400, `${header}: ${answer.text}`);
        const [issue] = resourceIn(answer).issue;
        assert.equal(issue.code, 'invalid');
        assert.deepEqual(issue.location, ['http.If-None-Exist']);
      }
      assert.equal((await create('malformed', `identifier=${system}|malformed`)).status, 201);
    });

    it('shows existing resources only to clients that may read them', async () => {
      const header = `identifier=${system}|secret`;
      await create('secret');
      const answer = (token: string) =>
        create('secret', header, {
          authorization: `Bearer ${token}`,
          prefer: 'return=representation',
        });
      const writer = await answer('writer');
      assert.equal(writer.status, 200);
      assert.equal(resourceIn(writer).resourceType, 'OperationOutcome');
      assert.equal(writer.headers.get('preference-applied'), null);
      assert.equal(resourceIn(await answer('all')).resourceType, 'OrderResponse');
      const own = await send('POST', 'OrderResponse', EXAMPLE, {
        authorization: 'Bearer writer',
        prefer: 'return=representation',
      });
      assert.equal(resourceIn(own).resourceType, 'OrderResponse');
    });
  });

  describe(`an update in ${format}`, () => {
    const put = (id: string, headers = {}, body: object = identified(system, 'update', id)) =>
      send('PUT', `OrderResponse/${id}`, body, headers);

    it('accepts If-Match weak, strong, as a list and as *, and names the current version', async () => {
      const id = await server.create();
      const conditions: readonly (readonly [header: string, status: number])[] = [
        ['W/"1"', 200],
        ['"2"', 200],
        ['W/"9", W/"3"', 200],
        ['"4" ,"x"', 200],
        ['*', 200],
        [', "6",', 200],
        ['W/"1"', 409],
        ['"07"', 409],
        ['W/"2", "3"', 409],
        ['6', 400],
        ['W/6', 400],
        ['w/"6"', 400],
        ['"6', 400],
        ['*, "6"', 400],
        ['', 400],
      ];
      for (const [header, status] of conditions) {
        const answer = await put(id, { 'if-match': header });
        assert.equal(answer.status, status, `${header}: ${answer.text}`);
        requirePrivate(answer);
        const [issue] = resourceIn(answer).issue;
        if (status === 409) {
          assert.equal(issue.code, 'conflict');
          assert.match(issue.diagnostics, new RegExp(`OrderResponse/${id}/_history/7`));
        }
        if (status === 400) assert.deepEqual(issue.location, ['http.If-Match']);
      }
      const read = await server.send('GET', `OrderResponse/${id}`);
      assert.equal(read.headers.get('etag'), 'W/"7"');
    });

    it('of an id that does not exist is 405, and 412 with If-Match, and creates nothing', async () => {
      for (const [headers, status] of [
        [{}, 405],
        [{ 'if-match': 'W/"1"' }, 412],
        [{ 'if-match': '*' }, 412],
      ] as const) {
        const answer = await put('chosen-by-client', headers);
        assert.equal(answer.status, status, answer.text);
        assert.equal(
          resourceIn(answer).issue[0].code,
          status === 405 ? 'not-supported' : 'conflict',
        );
        // Nothing but a read makes sense there, and that is 404.
        assert.equal(answer.headers.get('allow'), status === 405 ? 'GET, HEAD, OPTIONS' : null);
      }
      assert.equal((await server.send('GET', 'OrderResponse/chosen-by-client')).status, 404);
    });

    it('with a missing or a different id is 400, and makes no version', async () => {
      const id = await server.create();
      for (const [body, says] of [
        [EXAMPLE, /^The id is missing/],
        [identified(system, 'a', 'other'), /^The id "other" differs/],
        [identified(system, 'a'), /^The id is missing/],
      ] as const) {
        const answer = await put(id, {}, body);
        assert.equal(answer.status, 400);
        const [issue] = resourceIn(answer).issue;
        assert.deepEqual(issue.location, ['/f:OrderResponse/f:id']);
        assert.match(issue.diagnostics, says);
      }
      const read = await server.send('GET', `OrderResponse/${id}`);
      assert.equal(read.headers.get('etag'), 'W/"1"');
    });

    it('accepts any status after any other, and ignores the version and date of the client', async () => {
      const id = await server.create();
      const meta = { versionId: '99', lastUpdated: '2001-01-01T00:00:00Z', profile: ['urn:p'] };
      for (const [place, status] of ['completed', 'pending', 'aborted', 'review'].entries()) {
        const { resourceType, id: _, ...rest } = identified(system, 'any', id);
        const body = { resourceType, id, meta, ...rest, orderStatus: status };
        const answer = await put(id, { prefer: 'return=representation' }, body);
        assert.equal(answer.status, 200, answer.text);
        const updated = resourceIn(answer);
        assert.equal(updated.orderStatus, status);
        assert.equal(updated.meta.versionId, String(place + 2));
        assert.notEqual(updated.meta.lastUpdated, meta.lastUpdated);
        assert.deepEqual(updated.meta.profile, meta.profile);
      }
    });
  });

  describe(`Prefer in ${format}`, () => {
    it('applies to creates and updates that succeed, and not to errors', async () => {
      const id = await server.create();
      for (const [method, path, body, broken] of [
        ['POST', 'OrderResponse', EXAMPLE, identified(system, '', 'mine')],
        ['PUT', `OrderResponse/${id}`, identified(system, 'p', id), EXAMPLE],
      ] as const) {
        const answered = (prefer: string, sent: object = body) =>
          send(method, path, sent, { prefer });
        const whole = await answered('return=representation');
        assert.equal(resourceIn(whole).resourceType, 'OrderResponse');
        assert.equal(whole.headers.get('preference-applied'), 'return=representation');
        const same = await server.send(
          'GET',
          whole.headers.get('content-location')?.slice(BASE.length + 1) ?? '',
          { accept: type },
        );
        assert.equal(same.text, whole.text);
        const minimal = await answered('return=minimal');
        assert.equal(minimal.text, '');
        assert.equal(minimal.headers.get('content-type'), null);
        assert.equal(minimal.headers.get('content-length'), '0');
        assert.ok(minimal.headers.get('content-location'));
        for (const unknown of ['return=OperationOutcome', 'return', 'return=all', 'wait=10']) {
          const answer = await answered(unknown);
          assert.equal(resourceIn(answer).resourceType, 'OperationOutcome', unknown);
          assert.equal(answer.headers.get('preference-applied'), null);
        }
        for (const prefer of ['return=minimal', 'return=representation']) {
          const refused = await answered(prefer, broken);
          assert.equal(refused.status, 400);
          assert.equal(resourceIn(refused).resourceType, 'OperationOutcome');
        }
      }
    });
  });

  describe(`a read in ${format}`, () => {
    it('is 304 for clients that have the version, by its tag or its date', async () => {
      const id = await server.create();
      const paths = [`OrderResponse/${id}`, `OrderResponse/${id}/_history/1`];
      for (const path of paths) {
        const { headers } = await server.send('GET', path, { accept: type });
        const date = headers.get('last-modified') ?? '';
        const cases: readonly (readonly [condition: Record<string, string>, status: number])[] = [
          [{ 'if-none-match': 'W/"1"' }, 304],
          [{ 'if-none-match': '"1"' }, 304],
          [{ 'if-none-match': '"7", W/"1"' }, 304],
          [{ 'if-none-match': '*' }, 304],
          [{ 'if-none-match': 'W/"2"' }, 200],
          [{ 'if-modified-since': date }, 304],
          [{ 'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' }, 200],
          [{ 'if-none-match': 'W/"2"', 'if-modified-since': date }, 200],
        ];
        for (const [condition, status] of cases) {
          for (const method of ['GET', 'HEAD']) {
            const answer = await server.send(method, path, { accept: type, ...condition });
            assert.equal(answer.status, status, JSON.stringify(condition));
            assert.equal(answer.headers.get('etag'), 'W/"1"');
            assert.equal(answer.headers.get('last-modified'), date);
            requirePrivate(answer);
            if (status === 304 || method === 'HEAD') assert.equal(answer.text, '');
          }
        }
      }
    });

    it('has meta.lastUpdated as Last-Modified, in whole seconds, the same as the write', async () => {
      const created = await send('POST', 'OrderResponse', EXAMPLE);
      const path = created.headers.get('location')?.slice(BASE.length + 1) ?? '';
      const item = path.replace(/\/_history.*/, '');
      for (const where of [path, item]) {
        const answer = await server.send('GET', where, { accept: type });
        const { meta } = resourceIn(answer);
        const lastModified = new Date(meta.lastUpdated).toUTCString();
        assert.match(meta.lastUpdated, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
        assert.equal(answer.headers.get('last-modified'), lastModified);
        assert.equal(created.headers.get('last-modified'), lastModified);
        assert.equal(answer.headers.get('content-location'), `${BASE}/${path}`);
      }
    });
  });
}

it('HEAD and a trailing slash are answered as GET without one', async () => {
  const id = await server.create();
  const paths = [
    `OrderResponse/${id}`,
    `OrderResponse/${id}/_history/1`,
    `OrderResponse/${id}/_history`,
    'metadata',
  ];
  for (const accept of Object.values(FORMATS).map(({ type }) => type)) {
    for (const path of paths) {
      const [get, slash, head] = await Promise.all([
        server.send('GET', path, { accept }),
        server.send('GET', `${path}/`, { accept }),
        server.send('HEAD', `${path}/`, { accept }),
      ]);
      assert.equal(get.status, 200);
      assert.equal(slash.status, 200);
      assert.equal(head.status, 200);
      assert.equal(head.text, '');
      const same = ['content-type', 'content-length', 'etag', 'last-modified', 'content-location'];
      for (const name of same) {
        assert.equal(head.headers.get(name), get.headers.get(name), `${path} ${name}`);
        assert.equal(slash.headers.get(name), get.headers.get(name), `${path} ${name}`);
      }
    }
  }
  const created = await server.send(
    'POST',
    'OrderResponse/',
    { 'content-type': JSON_TYPE },
    JSON.stringify(EXAMPLE),
  );
  assert.equal(created.status, 201);
});

it('metadata is 304 for its ETag, which differs between formats', async () => {
  const tags = new Set<string>();
  for (const { type } of Object.values(FORMATS)) {
    const { headers } = await server.send('GET', 'metadata', { accept: type });
    const etag = headers.get('etag') ?? '';
    assert.match(etag, /^W\/"[^"]+"$/);
    tags.add(etag);
    const again = await server.send('GET', 'metadata', { accept: type, 'if-none-match': etag });
    assert.equal(again.status, 304);
    const other = await server.send('GET', 'metadata', { accept: type, 'if-none-match': '"x"' });
    assert.equal(other.status, 200);
  }
  assert.equal(tags.size, 2);
});

it('every answer has a request id: the one of the client if it is valid, or else a new one', async () => {
  const id = await server.create();
  const cases: readonly (readonly [sent: string, isTaken: boolean])[] = [
    ['a', true],
    ['A-z_0.9', true],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['', false],
    ['a b', false],
    ['a, b', false],
    ['a/b', false],
    ['é', false],
    ['{"a":1}', false],
  ];
  for (const [sent, isTaken] of cases) {
    for (const [path, status] of [
      [`OrderResponse/${id}`, 200],
      ['OrderResponse/nobody', 404],
      ['Order', 404],
      ['Nothing/x', 404],
    ] as const) {
      const answer = await server.send('GET', path, { 'x-request-id': sent });
      assert.equal(answer.status, status);
      const answered = answer.headers.get('x-request-id') ?? '';
      assert.match(answered, /^[A-Za-z0-9._-]{1,64}$/);
      assert.equal(answered === sent, isTaken, `${sent}: ${answered}`);
    }
  }
  assert.ok(server.store.journal.some(({ access }) => access.requestId === 'A-z_0.9'));
});
