/** Batches: each entry succeeds or fails alone. https://hl7.org/fhir/DSTU2/http.html#transaction */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { RepositoryError } from '../../src/fhir/stored/repository-error.ts';
import { EXAMPLE, startOrders } from './order-server.ts';
import { entriesIn, FORMATS, requirePrivate, resourceIn } from './wire-formats.ts';

const create = { method: 'POST', url: 'OrderResponse' };
const WRITTEN_AT = '2026-11-21T09:30:00.400Z';

async function setUp(context: TestContext) {
  const settings = { allowDelete: true, corsOrigins: ['https://app.example'] };
  const server = await startOrders(settings, () => new Date(WRITTEN_AT));
  context.after(() => server.close());
  return server;
}

/** Entries of every kind about one resource, in version 1. */
function entriesWith(id: string): object[] {
  const url = `OrderResponse/${id}`;
  const { resourceType, ...rest } = EXAMPLE;
  return [
    { request: { method: 'GET', url } },
    { request: { method: 'GET', url, ifNoneMatch: 'W/"2"' } },
    {
      request: {
        method: 'GET',
        url: `${url}/_history/1`,
        ifModifiedSince: WRITTEN_AT,
      },
    },
    { request: { method: 'GET', url: 'OrderResponse?_summary=count' } },
    { request: { method: 'GET', url: 'OrderResponse/nobody' } },
    { request: { method: 'GET', url: 'Patient/1' } },
    { request: { method: 'GET', url: 'metadata' } },
    { resource: EXAMPLE, request: create },
    { resource: { ...EXAMPLE, date: 'yesterday' }, request: create },
    { request: create },
    {
      resource: { resourceType, id, ...rest },
      request: { method: 'PUT', url, ifMatch: 'W/"1"' },
    },
    {
      resource: { resourceType, id, ...rest },
      request: { method: 'PUT', url, ifMatch: 'W/"9"' },
    },
    { request: { method: 'DELETE', url: 'OrderResponse/nobody' } },
  ];
}

for (const [format, { type, encode }] of Object.entries(FORMATS)) {
  describe(`a batch in ${format}`, () => {
    it('answers each entry alone, in the order of the request', async (context) => {
      const server = await setUp(context);
      const id = await server.create();
      const bundle = { resourceType: 'Bundle', type: 'batch', entry: entriesWith(id) };
      const answer = await server.send('POST', '', { 'content-type': type }, encode(bundle));
      assert.equal(answer.status, 200, answer.text);
      requirePrivate(answer);
      const answered = resourceIn(answer);
      const { type: bundleType, entry } = answered;
      assert.equal(bundleType, 'batch-response');
      assert.deepEqual(
        entriesIn(answered).map(({ response, resource }) => [
          Number.parseInt(response.status, 10),
          resource?.resourceType,
        ]),
        [
          [200, 'OrderResponse'],
          [304, undefined],
          [304, undefined],
          [200, 'Bundle'],
          ...[404, 404, 400].map((status) => [status, 'OperationOutcome']),
          [201, undefined],
          [400, 'OperationOutcome'],
          [400, 'OperationOutcome'],
          [200, undefined],
          [409, 'OperationOutcome'],
          [204, undefined],
        ],
      );
      assert.equal(entry[0].resource.meta.versionId, '2', 'reads come after writes');
      assert.equal(Number(entry[3].resource.total), 2);
      assert.deepEqual(entry[8].resource.issue[0].location, ['/f:OrderResponse/f:date']);
      const journal = server.store.journal.map(({ entry: each }) => each).slice(1);
      assert.deepEqual(journal.toSorted(), [
        'create create',
        'create invalid',
        'create invalid',
        'delete delete',
        'read read',
        'read read',
        'read read',
        'search-type search',
        'update update',
        'update update',
        'vread read',
      ]);
    });

    it('gives the date of each version as the version has it', async (context) => {
      const server = await setUp(context);
      const url = `OrderResponse/${await server.create()}`;
      const bundle = {
        resourceType: 'Bundle',
        type: 'batch',
        entry: [
          { request: { method: 'GET', url } },
          { request: { method: 'GET', url, ifNoneMatch: 'W/"1"' } },
          { resource: EXAMPLE, request: create },
        ],
      };
      const answer = await server.send('POST', '', { 'content-type': type }, encode(bundle));
      const [read, unchanged, created] = resourceIn(answer).entry;
      const { lastUpdated } = read.resource.meta;
      assert.match(lastUpdated, /:00\.400/);
      for (const { response } of [read, unchanged, created]) {
        assert.equal(response.lastModified, lastUpdated);
      }
    });

    it('refuses only the entries that are no requests', async (context) => {
      const server = await setUp(context);
      const good = { resource: EXAMPLE, request: create };
      const bad: readonly object[] = [
        {},
        { request: { method: 'GET' } },
        { request: { url: 'OrderResponse' } },
        { request: {} },
        { request: { method: 'FOO', url: 'OrderResponse' } },
        { resource: EXAMPLE },
        { fullUrl: 'urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0' },
        { resource: EXAMPLE, request: { ...create, ifModifiedSince: 'yesterday' } },
        { link: [{ relation: 'self' }], resource: EXAMPLE, request: create },
        { resource: EXAMPLE, request: create, response: { location: 'x' } },
        { resource: { resourceType: 'Patient' }, request: create },
      ];
      const entry = bad.flatMap((each, at) => (at % 2 === 0 ? [each, good] : [each]));
      const body = encode({ resourceType: 'Bundle', type: 'batch', entry });
      const answer = await server.send('POST', '', { 'content-type': type }, body);
      assert.equal(answer.status, 200, answer.text);
      const answered = entriesIn(resourceIn(answer));
      assert.deepEqual(
        answered.map(({ response }) => response.status),
        entry.map((each) => (each === good ? '201 Created' : '400 Bad Request')),
      );
      const [empty, , withoutUrl] = answered;
      assert.match(JSON.stringify(empty), /Bundle.entry\[0\] needs a request with a url/);
      assert.match(JSON.stringify(withoutUrl), /f:Bundle\/f:entry\[3\]\/f:request/);
    });

    it('refuses a whole Bundle that is none, or has too many entries', async (context) => {
      const server = await setUp(context);
      const good = { resource: EXAMPLE, request: create };
      const read = { request: { method: 'GET', url: 'OrderResponse/1' } };
      const tooMany = Array.from({ length: 21 }, () => read);
      for (const bundle of [
        { resourceType: 'Bundle', type: 'batch', total: 'many', entry: [good] },
        { resourceType: 'Bundle', type: 'batch', entry: tooMany },
        { resourceType: 'Bundle', type: 'transaction', entry: [good, { request: {} }] },
        { resourceType: 'Bundle', type: 'transaction', entry: [good, { fullUrl: 'urn:x' }] },
      ]) {
        const answer = await server.send('POST', '', { 'content-type': type }, encode(bundle));
        assert.equal(answer.status, 400, answer.text);
      }
      const accesses = server.store.journal.map(({ entry }) => entry);
      assert.ok(!accesses.includes('create create'), String(accesses));
    });

    it('refuses only the entry that refers to another one', async (context) => {
      const server = await setUp(context);
      const fullUrl = 'urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0';
      const entry = [
        { fullUrl, resource: EXAMPLE, request: create },
        { resource: { ...EXAMPLE, fulfillment: [{ reference: fullUrl }] }, request: create },
      ];
      const body = encode({ resourceType: 'Bundle', type: 'batch', entry });
      const answer = await server.send('POST', '', { 'content-type': type }, body);
      const [created, refused] = entriesIn(resourceIn(answer));
      assert.deepEqual(
        [created?.response.status, refused?.response.status],
        ['201 Created', '400 Bad Request'],
      );
      assert.match(answer.text, new RegExp(`The reference ${fullUrl} leads to no resource`));
      assert.equal(server.store.journal.length, 2);
    });

    it('needs the scope of each entry for that entry', async (context) => {
      const server = await setUp(context);
      const id = await server.create();
      const entry = [
        { request: { method: 'GET', url: `OrderResponse/${id}` } },
        { resource: EXAMPLE, request: create },
      ];
      const body = encode({ resourceType: 'Bundle', type: 'batch', entry });
      for (const [token, statuses] of [
        ['reader', ['200 OK', '403 Forbidden']],
        ['writer', ['403 Forbidden', '201 Created']],
      ] as const) {
        const headers = { 'content-type': type, authorization: `Bearer ${token}` };
        const answer = await server.send('POST', '', headers, body);
        const seen = resourceIn(answer).entry.map(
          ({ response }: { response: { status: string } }) => response.status,
        );
        assert.deepEqual(seen, statuses);
      }
      const journal = server.store.journal.map(({ entry: each }) => each).slice(1);
      assert.deepEqual(journal, [
        'create forbidden',
        'read read',
        'create create',
        'read forbidden',
      ]);
    });
  });
}

for (const bundleType of ['batch', 'transaction']) {
  it(`a ${bundleType} ends its reads when their answers are too long together`, async (context) => {
    const server = await setUp(context);
    // A search for these 45 has more than 2 MiB.
    const description = 'x'.repeat(60_000);
    for (let at = 0; at < 45; at++) await server.create({ ...EXAMPLE, description });
    const search = { request: { method: 'GET', url: 'OrderResponse?_count=100' } };
    const entry = [
      ...Array.from({ length: 10 }, () => search),
      { resource: EXAMPLE, request: create },
    ];
    const { type, encode } = FORMATS.json;
    const bundle = encode({ resourceType: 'Bundle', type: bundleType, entry });
    const answer = await server.send('POST', '', { 'content-type': type }, bundle);
    assert.equal(answer.status, 200);
    const answers: { response: { status: string }; resource?: unknown }[] = JSON.parse(
      answer.text,
    ).entry;
    const statuses = answers.map(({ response }) => Number.parseInt(response.status, 10));
    assert.deepEqual(statuses, [...Array(4).fill(200), ...Array(6).fill(400), 201]);
    assert.match(JSON.stringify(answers[4]), /too-costly.*Send this entry in another Bundle/);
    const searches = server.store.journal.filter(({ entry: each }) => each.endsWith(' search'));
    assert.equal(searches.length, 4);
  });
}

it('a batch runs no further entries once the store is unavailable', async (context) => {
  const server = await setUp(context);
  let calls = 0;
  const fail = async () => {
    calls++;
    throw new RepositoryError('This request may or may not be stored.');
  };
  Object.assign(server.store, { create: fail, search: fail, delete: fail });
  const search = { request: { method: 'GET', url: 'OrderResponse?_count=1' } };
  const { type, encode } = FORMATS.json;
  const answersTo = async (...entry: object[]) => {
    calls = 0;
    const bundle = encode({ resourceType: 'Bundle', type: 'batch', entry });
    const answer = await server.send('POST', '', { 'content-type': type }, bundle);
    return entriesIn(resourceIn(answer)).map((each) => JSON.stringify(each));
  };
  for (const first of [search, { resource: EXAMPLE, request: create }]) {
    const [failed, ...others] = await answersTo(first, search, search);
    assert.equal(calls, 1);
    assert.match(String(failed), /may or may not be stored.*"503/);
    for (const other of others) {
      assert.match(other, /did not run. Try again later.*"503/);
      assert.doesNotMatch(other, /stored/);
    }
  }
  const remove = { request: { method: 'DELETE', url: 'OrderResponse/a' } };
  const [, write] = await answersTo(remove, { resource: EXAMPLE, request: create });
  assert.match(String(write), /Nothing was stored for this request.*"503/);
});

it('a preflight for the base allows POST', async (context) => {
  const server = await setUp(context);
  const answer = await server.send('OPTIONS', '', {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
  });
  assert.equal(answer.status, 204);
  assert.equal(answer.headers.get('access-control-allow-methods'), 'POST, OPTIONS');
});

it('the Conformance has the mode of transactions', async (context) => {
  const server = await setUp(context);
  const metadata = resourceIn(await server.send('GET', 'metadata'));
  assert.equal(metadata.rest[0].transactionMode, 'both');
  assert.deepEqual(metadata.rest[0].interaction, [
    { code: 'history-system' },
    { code: 'transaction' },
  ]);
});
