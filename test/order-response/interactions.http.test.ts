/** Create, read, vread, update and history of order responses over HTTP, in XML and JSON. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DSTU2 } from '../../src/fhir/definitions/fhir-version.ts';
import { decodeJson } from '../../src/fhir/format/json.ts';
import { decodeXml } from '../../src/fhir/format/xml.ts';
import {
  BASE,
  EXAMPLE,
  EXAMPLE_XML,
  JSON_TYPE,
  type OrderServer,
  startOrders,
} from './order-server.ts';
import { REFUSED_REQUESTS } from './request-cases.ts';
import { FORMATS, requirePrivate } from './wire-formats.ts';

const VERSION_URL =
  /^http:\/\/orders\.test\/base\/OrderResponse\/([0-9a-f-]{36})\/_history\/(\d+)$/;

let server: OrderServer;
before(async () => {
  server = await startOrders();
});
after(() => server.close());

for (const [format, { type, encode, decode }] of Object.entries(FORMATS)) {
  const send = (method: string, path: string, body?: object, headers = {}) =>
    server.send(
      method,
      path,
      { ...(body && { 'content-type': type }), accept: type, ...headers },
      body && encode(body),
    );

  describe(`order responses in ${format}`, () => {
    it('are created: 201, the address of the version, and an outcome with a narrative', async () => {
      const answer = await send('POST', 'OrderResponse', EXAMPLE);
      assert.equal(answer.status, 201, answer.text);
      const location = answer.headers.get('location') ?? '';
      const [, id, version] = VERSION_URL.exec(location) ?? [];
      assert.equal(version, '1');
      assert.equal(answer.headers.get('content-location'), location);
      assert.equal(answer.headers.get('etag'), 'W/"1"');
      assert.ok(Date.parse(answer.headers.get('last-modified') ?? '') > 0);
      assert.equal(answer.headers.get('content-type'), `${type}; charset=utf-8`);
      requirePrivate(answer);
      const outcome = decode(answer.text);
      assert.equal(outcome.resourceType, 'OperationOutcome');
      assert.equal(outcome.text.status, 'generated');
      assert.equal(outcome.issue.length, 1);
      const [issue] = outcome.issue;
      assert.equal(issue.severity, 'information');
      assert.equal(issue.code, 'informational');
      assert.match(
        issue.diagnostics,
        new RegExp(`^Successfully created resource "OrderResponse/${id}/_history/1" in \\d+ms$`),
      );
      assert.match(outcome.text.div, /<h1>Operation Outcome<\/h1><table border="0"><tr>/);
    });

    it('are read as they were sent, except for id, version and date', async () => {
      const id = await server.create();
      const answer = await send('GET', `OrderResponse/${id}`);
      assert.equal(answer.status, 200);
      requirePrivate(answer);
      assert.equal(answer.headers.get('etag'), 'W/"1"');
      assert.equal(
        answer.headers.get('content-location'),
        `${BASE}/OrderResponse/${id}/_history/1`,
      );
      const { id: itsId, meta, ...rest } = decode(answer.text);
      assert.equal(itsId, id);
      assert.equal(meta.versionId, '1');
      assert.equal(
        new Date(meta.lastUpdated).toUTCString(),
        new Date(
          Math.floor(Date.parse(answer.headers.get('last-modified') ?? '') / 1000) * 1000,
        ).toUTCString(),
      );
      assert.deepEqual(rest, EXAMPLE);
    });

    it('are updated: 200 and the next version; old versions stay', async () => {
      const id = await server.create();
      const changed = { ...EXAMPLE, id, orderStatus: 'review' };
      const { resourceType, ...elements } = changed;
      const answer = await send('PUT', `OrderResponse/${id}`, { resourceType, ...elements });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('etag'), 'W/"2"');
      assert.equal(
        answer.headers.get('content-location'),
        `${BASE}/OrderResponse/${id}/_history/2`,
      );
      assert.equal(answer.headers.get('location'), null);
      assert.match(
        decode(answer.text).issue[0].diagnostics,
        /^Successfully updated resource "OrderResponse\/.*\/_history\/2" in \d+ms$/,
      );
      const now = decode((await send('GET', `OrderResponse/${id}`)).text);
      assert.equal(now.orderStatus, 'review');
      assert.equal(now.meta.versionId, '2');
      const first = decode((await send('GET', `OrderResponse/${id}/_history/1`)).text);
      assert.equal(first.orderStatus, 'completed');
      assert.equal(first.meta.versionId, '1');
    });

    it('get a new version from an update that changes nothing', async () => {
      const id = await server.create();
      const answer = await send('PUT', `OrderResponse/${id}`, { ...EXAMPLE, id });
      assert.equal(answer.headers.get('etag'), 'W/"2"');
    });

    it('have a history, newest first, in pages that new versions do not shift', async () => {
      const id = await server.create();
      for (const status of ['review', 'accepted', 'completed']) {
        await send('PUT', `OrderResponse/${id}`, { ...EXAMPLE, id, orderStatus: status });
      }
      const first = decode((await send('GET', `OrderResponse/${id}/_history?_count=3`)).text);
      assert.equal(first.type, 'history');
      assert.equal(first.total, 4);
      assert.deepEqual(versionsIn(first), ['4', '3', '2']);
      assert.deepEqual(
        first.entry.map(({ request }: { request: object }) => request),
        [1, 2, 3].map(() => ({ method: 'PUT', url: `OrderResponse/${id}` })),
      );
      assert.deepEqual(
        first.entry.map(({ fullUrl }: { fullUrl: string }) => fullUrl),
        [1, 2, 3].map(() => `${BASE}/OrderResponse/${id}`),
      );
      const next: string = first.link.find(
        ({ relation }: { relation: string }) => relation === 'next',
      ).url;
      assert.match(next, /_before=2/);
      await send('PUT', `OrderResponse/${id}`, { ...EXAMPLE, id });
      const second = decode((await send('GET', next.slice(BASE.length + 1))).text);
      assert.deepEqual(versionsIn(second), ['1']);
      assert.deepEqual(second.entry[0].request, { method: 'POST', url: 'OrderResponse' });
      assert.ok(second.link.every(({ relation }: { relation: string }) => relation !== 'next'));
    });

    it('answer Prefer with the resource, with nothing, or with an outcome', async () => {
      const returned = async (preference: string) =>
        send('POST', 'OrderResponse', EXAMPLE, { prefer: preference });
      const whole = await returned('return=representation');
      assert.equal(decode(whole.text).resourceType, 'OrderResponse');
      assert.equal(whole.headers.get('preference-applied'), 'return=representation');
      const minimal = await returned('return=minimal');
      assert.equal(minimal.text, '');
      assert.equal(minimal.status, 201);
      assert.ok(minimal.headers.get('location'));
      for (const other of ['return=OperationOutcome', 'return=whatever', 'handling=strict']) {
        assert.equal(decode((await returned(other)).text).resourceType, 'OperationOutcome');
      }
    });

    it('are created once where If-None-Exist says so', async () => {
      const identifier = [{ system: 'http://once.example', value: `a|b ${format}` }];
      const header = `identifier=${encodeURIComponent('http://once.example')}|${format}`;
      const resource = { ...EXAMPLE, identifier: [{ ...identifier[0], value: format }] };
      const ordered = { resourceType: 'OrderResponse', ...withoutType(resource) };
      const ifNone = { 'if-none-exist': header };
      const first = await send('POST', 'OrderResponse', reorder(ordered), ifNone);
      assert.equal(first.status, 201, first.text);
      const second = await send('POST', 'OrderResponse', reorder(ordered), ifNone);
      assert.equal(second.status, 200);
      assert.equal(second.headers.get('location'), first.headers.get('location'));
      const third = await send('POST', 'OrderResponse', reorder(ordered));
      assert.equal(third.status, 201);
      const several = await send('POST', 'OrderResponse', reorder(ordered), ifNone);
      assert.equal(several.status, 412);
    });

    it('are refused with every finding, and not stored', async () => {
      const before = server.store.journal.length;
      const { request: _, ...broken } = { ...EXAMPLE, orderStatus: 'done' };
      const answer = await send('POST', 'OrderResponse', broken);
      assert.equal(answer.status, 400);
      requirePrivate(answer);
      const { issue } = decode(answer.text);
      const places = issue.flatMap(({ location }: { location?: string[] }) => location ?? []);
      assert.ok(places.some((place: string) => place.startsWith('/f:OrderResponse')));
      assert.ok(issue.length >= 2, answer.text);
      assert.deepEqual(
        server.store.journal.slice(before).map(({ entry }) => entry),
        ['create invalid'],
      );
    });

    it('are 422 if they are valid FHIR but break a rule of the service', async () => {
      const answer = await send('POST', 'OrderResponse', {
        resourceType: 'OrderResponse',
        request: { reference: 'https://elsewhere.example/Order/1' },
        orderStatus: 'completed',
      });
      assert.equal(answer.status, 422, answer.text);
      const { issue } = decode(answer.text);
      assert.ok(issue.every(({ code }: { code: string }) => code === 'business-rule'));
      assert.match(issue[0].diagnostics, /this server accepts only order responses that contain/);
    });
  });
}

describe('the OrderResponse service', () => {
  it('takes the public example as it is, and answers it as the example of an answer shows', async () => {
    const answer = await server.send(
      'POST',
      'OrderResponse',
      { 'content-type': 'application/xml+fhir', authorization: 'BEARER all' },
      EXAMPLE_XML,
    );
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get('content-type'), 'application/xml+fhir; charset=utf-8');
    assert.match(answer.headers.get('content-location') ?? '', VERSION_URL);
    const id = answer.headers.get('location')?.split('/').at(-3) ?? '';
    const { text } = await server.send('GET', `OrderResponse/${id}`, { accept: JSON_TYPE });
    const { id: _, meta: __, ...rest } = JSON.parse(text);
    assert.deepEqual(rest, EXAMPLE);
  });

  it('keeps decimals, time zones, extensions and narratives as they were sent', async () => {
    const resource = {
      resourceType: 'OrderResponse',
      meta: { versionId: '77', lastUpdated: '2001-01-01T00:00:00Z', tag: [{ code: 'kept' }] },
      text: {
        status: 'generated',
        div: '<div xmlns="http://www.w3.org/1999/xhtml"><p>Seen &amp; <b>done</b></p></div>',
      },
      contained: EXAMPLE.contained,
      extension: [{ url: 'http://example.org/amount', valueDecimal: 1.5 }],
      request: { reference: '#order' },
      date: '2017-06-15T14:57:54.100-03:30',
      who: { reference: '#prac' },
      orderStatus: 'completed',
      _orderStatus: { id: 'status' },
    };
    const body = JSON.stringify(resource).replace('1.5', '1.500');
    const created = await server.send('POST', 'OrderResponse', { 'content-type': JSON_TYPE }, body);
    assert.equal(created.status, 201, created.text);
    const id = created.headers.get('location')?.split('/').at(-3);
    const { text } = await server.send('GET', `OrderResponse/${id}`, { accept: JSON_TYPE });
    assert.match(text, /"valueDecimal":1\.500/);
    const { meta, ...rest } = JSON.parse(text);
    assert.deepEqual(meta.tag, [{ code: 'kept' }]);
    assert.equal(meta.versionId, '1');
    assert.notEqual(meta.lastUpdated, '2001-01-01T00:00:00Z');
    assert.deepEqual(rest, { ...withoutMeta(resource), id });
  });

  for (const {
    what,
    method = 'POST',
    path = 'OrderResponse',
    headers,
    body,
    status,
    code,
    says,
  } of REFUSED_REQUESTS) {
    it(`refuses ${what} with ${status}`, async () => {
      const sent = body === undefined ? headers : { 'content-type': JSON_TYPE, ...headers };
      const answer = await server.send(method, path, sent, body);
      assert.equal(answer.status, status, answer.text);
      requirePrivate(answer);
      const isXml = (answer.headers.get('content-type') ?? '').includes('xml');
      const { resource, findings } = isXml
        ? decodeXml(Buffer.from(answer.text), DSTU2.definitions)
        : decodeJson(Buffer.from(answer.text), DSTU2.definitions);
      assert.deepEqual(findings, []);
      const outcome = JSON.parse(JSON.stringify(resource));
      assert.equal(outcome.issue[0].code, code);
      assert.equal(outcome.issue[0].severity, 'error');
      if (says !== undefined) assert.match(outcome.issue[0].diagnostics, says);
      if (status === 405) assert.ok(answer.headers.get('allow'));
      if (status === 401 || status === 403) {
        assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer realm/);
      }
    });
  }
});

function versionsIn(bundle: { entry: { resource: { meta: { versionId: string } } }[] }) {
  return bundle.entry.map(({ resource }) => resource.meta.versionId);
}

function withoutType({ resourceType: _, ...rest }: { resourceType: string }) {
  return rest;
}

function withoutMeta({ meta: _, ...rest }: { meta: object }) {
  return rest;
}

/** Identifier before request, as DSTU2 has it. */
function reorder(resource: object): object {
  const { contained, identifier, ...rest } = resource as Record<string, unknown>;
  const { resourceType, ...others } = rest;
  return { resourceType, contained, identifier, ...others };
}
