/** What order responses have in common over HTTP: conditions, formats, CORS, audit, refusals. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DSTU2 } from '../../src/fhir/definitions/fhir-version.ts';
import { decodeJson } from '../../src/fhir/format/json.ts';
import { decodeXml } from '../../src/fhir/format/xml.ts';
import { RepositoryError } from '../../src/fhir/stored/repository-error.ts';
import {
  EXAMPLE,
  EXAMPLE_XML,
  JSON_TYPE,
  type OrderServer,
  startOrders,
  XML_TYPE,
} from './order-server.ts';
import { FORMATS, requirePrivate } from './wire-formats.ts';

let server: OrderServer;
before(async () => {
  server = await startOrders();
});
after(() => server.close());

describe('the OrderResponse service', () => {
  const conditions: readonly [header: string, status: number][] = [
    ['W/"2"', 200],
    ['"3"', 200],
    ['W/"9", W/"4"', 200],
    ['*', 200],
    ['W/"1"', 409],
    ['"05"', 409],
    ['W/2', 400],
    ['', 200],
  ];

  it('understands If-Match weak, strong, as a list and as *', async () => {
    const id = await server.create();
    await put(id);
    for (const [header, status] of conditions) {
      const answer = await put(id, header === '' ? {} : { 'if-match': header });
      assert.equal(answer.status, status, `${header}: ${answer.text}`);
      if (status === 409) {
        const current = JSON.parse((await get(id)).text).meta.versionId;
        assert.match(answer.text, new RegExp(`OrderResponse/${id}/_history/${current}`));
      }
    }
  });

  it('answers updates of an id that is not there: 405, and 412 with If-Match', async () => {
    const plain = await put('nobody');
    assert.equal(plain.status, 405);
    assert.match(plain.text, /clients do not choose ids/);
    assert.ok(plain.headers.get('allow'));
    assert.equal((await put('nobody', { 'if-match': 'W/"1"' })).status, 412);
  });

  it('refuses an update whose id is missing or another', async () => {
    const id = await server.create();
    for (const body of [EXAMPLE, { ...EXAMPLE, id: 'other' }]) {
      const answer = await server.send(
        'PUT',
        `OrderResponse/${id}`,
        { 'content-type': JSON_TYPE },
        JSON.stringify(body),
      );
      assert.equal(answer.status, 400);
      assert.match(answer.text, /\/f:OrderResponse\/f:id/);
    }
  });

  it('reports a conflict before its own rules', async () => {
    const id = await server.create();
    const body = JSON.stringify({
      resourceType: 'OrderResponse',
      id,
      request: { reference: 'https://elsewhere.example/Order/1' },
      orderStatus: 'completed',
    });
    const answer = (headers: Record<string, string>) =>
      server.send('PUT', `OrderResponse/${id}`, { 'content-type': JSON_TYPE, ...headers }, body);
    assert.equal((await answer({})).status, 422);
    assert.equal((await answer({ 'if-match': 'W/"7"' })).status, 409);
    assert.equal((await get(id)).headers.get('etag'), 'W/"1"');
  });

  it('answers 304 to those who have the version', async () => {
    const id = await server.create();
    const { headers } = await get(id);
    for (const condition of [
      { 'if-none-match': 'W/"1"' },
      { 'if-modified-since': headers.get('last-modified') ?? '' },
    ]) {
      const answer = await server.send('GET', `OrderResponse/${id}`, condition);
      assert.equal(answer.status, 304);
      assert.equal(answer.text, '');
    }
    const vread = `OrderResponse/${id}/_history/1`;
    assert.equal((await server.send('GET', vread, { 'if-none-match': 'W/"1"' })).status, 304);
  });

  it('does not take a version of the same second for the one that a client has', async () => {
    const id = await server.create();
    const date = (await get(id)).headers.get('last-modified') ?? '';
    await put(id);
    const now = (await get(id)).headers.get('last-modified') ?? '';
    for (const since of [date, now]) {
      const answer = await server.send('GET', `OrderResponse/${id}`, {
        'if-modified-since': since,
      });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('etag'), 'W/"2"');
    }
    const vread = `OrderResponse/${id}/_history/2`;
    assert.equal((await server.send('GET', vread, { 'if-modified-since': now })).status, 304);
  });

  it('compares versions as text: 01 is not 1', async () => {
    const id = await server.create();
    assert.equal((await server.send('GET', `OrderResponse/${id}/_history/1`)).status, 200);
    for (const version of ['01', '2', '1.0', 'a', '1e0']) {
      const { status } = await server.send('GET', `OrderResponse/${id}/_history/${version}`);
      assert.equal(status, 404, version);
    }
  });

  it('has only versions since an instant in a history that asks for it', async () => {
    const id = await server.create();
    const total = async (since: string) =>
      JSON.parse(
        (await server.send('GET', `OrderResponse/${id}/_history?_format=json&_since=${since}`))
          .text,
      ).total;
    assert.equal(await total('2000-01-01T00:00:00Z'), 1);
    assert.equal(await total('2999-01-01T00:00:00+01:00'), 0);
  });

  it('answers HEAD wherever it answers GET', async () => {
    const id = await server.create();
    for (const path of [`OrderResponse/${id}`, `OrderResponse/${id}/_history/1`, 'metadata']) {
      const answer = await server.send('HEAD', path);
      assert.equal(answer.status, 200);
      assert.equal(answer.text, '');
    }
  });

  it('describes itself in a Conformance, without a token', async () => {
    for (const accept of [JSON_TYPE, XML_TYPE]) {
      const answer = await server.send('GET', 'metadata', { accept, authorization: '' });
      assert.equal(answer.status, 200);
      requirePrivate(answer);
      const decode = accept === JSON_TYPE ? decodeJson : decodeXml;
      const { resource, findings } = decode(Buffer.from(answer.text), DSTU2.definitions);
      assert.deepEqual(findings, []);
      const { fhirVersion, rest } = JSON.parse(JSON.stringify(resource));
      assert.equal(fhirVersion, '1.0.2');
      const [offered] = rest[0].resource;
      assert.equal(offered.type, 'OrderResponse');
      assert.deepEqual(offered.interaction.map(({ code }: { code: string }) => code).sort(), [
        'create',
        'history-instance',
        'history-type',
        'read',
        'search-type',
        'update',
        'vread',
      ]);
      const parameters: { name: string; type: string; target?: string[]; modifier?: string[] }[] =
        offered.searchParam;
      const [request] = parameters.filter(({ name }) => name === 'request');
      assert.deepEqual(
        [request?.type, request?.target, request?.modifier],
        ['reference', ['Order'], ['missing', 'type']],
      );
      assert.ok(parameters.some(({ name }) => name === 'request.patient.identifier'));
      assert.equal(offered.conditionalCreate, true);
      assert.equal(offered.updateCreate, false);
      assert.equal(offered.versioning, 'versioned-update');
    }
  });

  it('answers in the format of the body where the client does not say', async () => {
    for (const [sent, answered] of [
      [JSON_TYPE, JSON_TYPE],
      ['application/fhir+json', JSON_TYPE],
      [XML_TYPE, XML_TYPE],
      ['text/xml', XML_TYPE],
    ] as const) {
      const body = sent.includes('json') ? JSON.stringify(EXAMPLE) : EXAMPLE_XML;
      const answer = await server.send('POST', 'OrderResponse', { 'content-type': sent }, body);
      assert.equal(answer.status, 201, answer.text);
      assert.equal(answer.headers.get('content-type'), `${answered}; charset=utf-8`);
    }
    const id = await server.create();
    assert.match((await server.send('GET', `OrderResponse/${id}`)).text, /^<\?xml|^<OrderResponse/);
  });

  it('allows no origin to read answers, unless a setting names it', async () => {
    const origin = 'https://app.example';
    const closed = await server.send('GET', 'metadata', { origin });
    assert.equal(closed.headers.get('access-control-allow-origin'), null);
    const open = await startOrders({ corsOrigins: [origin] });
    try {
      const allowed = await open.send('GET', 'metadata', { origin });
      assert.equal(allowed.headers.get('access-control-allow-origin'), origin);
      const other = await open.send('GET', 'metadata', { origin: 'https://other.example' });
      assert.equal(other.headers.get('access-control-allow-origin'), null);
      assert.match(other.headers.get('vary') ?? '', /Origin/);
      const preflight = await open.send('OPTIONS', 'OrderResponse', { origin });
      assert.equal(preflight.status, 204);
      assert.match(
        preflight.headers.get('access-control-allow-headers') ?? '',
        /Cache-Control.*If-Match.*Pragma.*traceparent.*X-Requested-With/,
      );
    } finally {
      await open.close();
    }
  });

  it('records every access with the identity of the client, refused accesses too', async () => {
    const entriesOf = async (act: () => Promise<unknown>) => {
      const before = server.store.journal.length;
      await act();
      return server.store.journal.slice(before);
    };
    const read = await entriesOf(() =>
      server.send('GET', 'OrderResponse/x', { authorization: 'bearer reader' }),
    );
    assert.deepEqual(
      read.map(({ entry }) => entry),
      ['read read'],
    );
    assert.equal(read[0]?.access.identity?.subject, 'subject of reader');
    assert.equal(read[0]?.access.address, '127.0.0.1');
    assert.ok(read[0]?.access.requestId);
    // Both are counted: who has no token that was checked cannot make the audit log grow.
    for (const authorization of ['', 'Bearer one too many']) {
      const anonymous = await entriesOf(() =>
        server.send('GET', 'OrderResponse/x', { authorization }),
      );
      assert.deepEqual(
        anonymous.map(({ entry }) => entry),
        ['read unauthenticated'],
      );
    }
    const forbidden = await entriesOf(() =>
      server.send('GET', 'OrderResponse/x', { authorization: 'Bearer writer' }),
    );
    assert.deepEqual(
      forbidden.map(({ entry }) => entry),
      ['read forbidden'],
    );
    const invalid = await entriesOf(() => server.send('GET', 'OrderResponse/x/_history?_count=0'));
    assert.deepEqual(
      invalid.map(({ entry }) => entry),
      ['history-instance invalid'],
    );
  });

  it('answers 503 to every request while the store cannot write', async () => {
    const id = await server.create();
    server.store.failure = new RepositoryError('The disk is full. Make room.');
    try {
      for (const send of [
        () => get(id),
        () => put(id),
        () => server.send('POST', 'OrderResponse', { 'content-type': XML_TYPE }, EXAMPLE_XML),
        () => server.send('GET', `OrderResponse/${id}/_history`),
        () => server.send('GET', `OrderResponse/${id}`, { authorization: 'Bearer writer' }),
      ]) {
        const answer = await send();
        assert.equal(answer.status, 503);
        assert.ok(Number(answer.headers.get('retry-after')) > 0);
        assert.match(answer.text, /The disk is full/);
      }
    } finally {
      server.store.failure = undefined;
    }
  });

  it('requires If-Match if a setting says so', async () => {
    const strict = await startOrders({ requireIfMatch: true });
    try {
      const { resourceType, ...rest } = EXAMPLE;
      for (const { type, encode } of Object.values(FORMATS)) {
        const id = await strict.create();
        const body = encode({ resourceType, id, ...rest });
        const update = (headers: Record<string, string>) =>
          strict.send('PUT', `OrderResponse/${id}`, { 'content-type': type, ...headers }, body);
        const refused = await update({});
        assert.equal(refused.status, 412);
        assert.match(refused.text, /http\.If-Match/);
        assert.equal((await update({ 'if-match': 'W/"1"' })).status, 200);
        assert.equal((await update({ 'if-match': '*' })).status, 200);
      }
    } finally {
      await strict.close();
    }
  });

  const get = (id: string) => server.send('GET', `OrderResponse/${id}`, { accept: JSON_TYPE });
  const put = (id: string, headers: Record<string, string> = {}) =>
    server.send(
      'PUT',
      `OrderResponse/${id}`,
      { 'content-type': JSON_TYPE, ...headers },
      JSON.stringify({ ...EXAMPLE, id }),
    );
});
