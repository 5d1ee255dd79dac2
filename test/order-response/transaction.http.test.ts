/** Transactions: all entries or none. https://hl7.org/fhir/DSTU2/http.html#transaction */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RepositoryError } from '../../src/fhir/stored/repository-error.ts';
import { BASE, EXAMPLE } from './order-server.ts';
import {
  create,
  FIRST,
  identified,
  idIn,
  referring,
  SECOND,
  setUp,
  withId,
} from './transaction-server.ts';
import { entriesIn, FORMATS, requirePrivate, resourceIn } from './wire-formats.ts';

for (const [format, wire] of Object.entries(FORMATS)) {
  describe(`a transaction in ${format}`, () => {
    it('answers each entry in the order of the request', async (context) => {
      const { server, send, journal } = await setUp(context, wire);
      const [a, b] = [await server.create(), await server.create()];
      const answer = await send([
        { request: { method: 'GET', url: 'OrderResponse?_count=1' } },
        { request: { method: 'GET', url: `OrderResponse/${a}` } },
        { request: { method: 'GET', url: `/OrderResponse/${a}/_history/1` } },
        { resource: withId(a), request: { method: 'PUT', url: `${BASE}/OrderResponse/${a}` } },
        { resource: EXAMPLE, request: create },
        { request: { method: 'DELETE', url: `OrderResponse/${b}` } },
      ]);
      assert.equal(answer.status, 200, answer.text);
      requirePrivate(answer);
      assert.match(answer.headers.get('content-type') ?? '', new RegExp(format));
      const bundle = resourceIn(answer);
      assert.equal(bundle.type, 'transaction-response');
      const seen = entriesIn(bundle).map(({ response, resource }) => [
        response.status,
        response.etag,
        resource?.resourceType,
      ]);
      assert.deepEqual(seen.slice(1), [
        ['200 OK', 'W/"2"', 'OrderResponse'],
        ['200 OK', 'W/"1"', 'OrderResponse'],
        ['200 OK', 'W/"2"', undefined],
        ['201 Created', 'W/"1"', undefined],
        ['204 No Content', 'W/"2"', undefined],
      ]);
      const [search, found, , updated, created] = bundle.entry;
      assert.equal(search.resource.type, 'searchset');
      assert.equal(Number(search.resource.total), 2, 'the search finds what was written');
      assert.equal(found.resource.meta.versionId, '2', 'reads come after writes');
      assert.ok(idIn(created.response.location));
      assert.equal(updated.response.location, undefined);
      assert.match(created.response.lastModified, /^\d{4}-\d\d-\d\dT/);
      assert.deepEqual(journal().slice(2), [
        'delete delete',
        'create create',
        'update update',
        'read read',
        'vread read',
        'search-type search',
      ]);
    });

    it('returns what the client prefers of writes', async (context) => {
      const { send } = await setUp(context, wire);
      for (const [prefer, type] of [
        ['return=representation', 'OrderResponse'],
        ['return=OperationOutcome', 'OperationOutcome'],
        ['return=minimal', undefined],
        ['handling=lenient', undefined],
      ] as const) {
        const answer = await send([{ resource: EXAMPLE, request: create }], { prefer });
        assert.equal(resourceIn(answer).entry[0].resource?.resourceType, type, prefer);
      }
    });

    it('refuses an entry with more elements than a resource may have', async (context) => {
      const { send, journal } = await setUp(context, wire, { elementsMax: 200 });
      const withReferences = (count: number) => {
        return { resource: referring(...Array(count).fill('Task/1')), request: create };
      };
      const [small, large] = [withReferences(20), withReferences(120)];
      assert.equal((await send([small, small])).status, 200);
      const answer = await send([small, large]);
      assert.equal(answer.status, 400, answer.text);
      assert.match(resourceIn(answer).issue[0].diagnostics, /entry\[1\].* more than 200 elements/);
      assert.equal(journal().filter((entry) => entry === 'create create').length, 2);
    });

    it('without entries is answered', async (context) => {
      const { send } = await setUp(context, wire);
      const answer = await send([]);
      assert.equal(answer.status, 200);
      assert.equal(resourceIn(answer).entry, undefined);
    });

    it('resolves references between its entries, also in cycles', async (context) => {
      const { server, send, read } = await setUp(context, wire);
      const updated = await server.create();
      const answer = await send([
        { fullUrl: FIRST, resource: referring(SECOND, 'Task/1'), request: create },
        {
          fullUrl: SECOND,
          resource: { ...referring(FIRST, 'urn:uuid:third'), description: FIRST },
          request: create,
        },
        {
          fullUrl: 'urn:uuid:third',
          resource: { ...withId(updated), fulfillment: [{ reference: SECOND }] },
          request: { method: 'PUT', url: `OrderResponse/${updated}` },
        },
      ]);
      assert.equal(answer.status, 200, answer.text);
      const [first, second] = resourceIn(answer)
        .entry.slice(0, 2)
        .map(({ response }: { response: { location: string } }) => idIn(response.location));
      const references = async (id: string) =>
        (await read(id)).fulfillment.map(({ reference }: { reference: string }) => reference);
      assert.deepEqual(await references(first), [`OrderResponse/${second}`, 'Task/1']);
      assert.deepEqual(await references(second), [
        `OrderResponse/${first}`,
        `OrderResponse/${updated}`,
      ]);
      assert.deepEqual(await references(updated), [`OrderResponse/${second}`]);
      assert.equal((await read(second)).description, FIRST, 'a text is not a reference');
      const found = await server.send('GET', `OrderResponse?fulfillment=OrderResponse/${second}`, {
        accept: wire.type,
      });
      assert.equal(Number(resourceIn(found).total), 2, 'the references can be searched');
    });

    it('resolves references to the resource that a condition finds', async (context) => {
      const { server, send, read } = await setUp(context, wire);
      const existing = await server.create(identified('1'));
      const ifNoneExist = 'identifier=https://ids.example|';
      const answer = await send([
        { resource: referring(FIRST, SECOND), request: create },
        {
          fullUrl: FIRST,
          resource: identified('1'),
          request: { ...create, ifNoneExist: `${ifNoneExist}1` },
        },
        {
          fullUrl: SECOND,
          resource: identified('2'),
          request: { ...create, ifNoneExist: `${ifNoneExist}2` },
        },
      ]);
      assert.equal(answer.status, 200, answer.text);
      const [referrer, found, created] = resourceIn(answer).entry.map(
        ({ response }: { response: { status: string; location: string } }) => ({
          ...response,
          id: idIn(response.location),
        }),
      );
      assert.deepEqual(
        [referrer.status, found.status, created.status],
        ['201 Created', '200 OK', '201 Created'],
      );
      assert.equal(found.id, existing);
      const { fulfillment } = await read(referrer.id);
      assert.deepEqual(fulfillment, [
        { reference: `OrderResponse/${existing}` },
        { reference: `OrderResponse/${created.id}` },
      ]);
      assert.equal(server.store.journal.filter(({ entry }) => entry === 'create create').length, 4);
    });

    const failures: readonly (readonly [
      what: string,
      entry: (id: string) => object,
      status: number,
      says: RegExp,
      place: string,
      recorded: string,
    ])[] = [
      [
        'an update of an old version',
        (id) => ({
          resource: withId(id),
          request: { method: 'PUT', url: `OrderResponse/${id}`, ifMatch: 'W/"7"' },
        }),
        409,
        /If-Match does not match the current version/,
        '',
        'update update',
      ],
      [
        'an update with a false ifNoneMatch',
        (id) => ({
          resource: withId(id),
          request: { method: 'PUT', url: `OrderResponse/${id}`, ifNoneMatch: '*' },
        }),
        412,
        /If-None-Match "\*" is false/,
        '/f:request/f:ifNoneMatch',
        'update update',
      ],
      [
        'an update of an id that does not exist',
        () => ({ resource: withId('x'), request: { method: 'PUT', url: 'OrderResponse/x' } }),
        405,
        /clients do not choose ids/,
        '',
        'update update',
      ],
      [
        'a delete of an old version',
        (id) => ({ request: { method: 'DELETE', url: `OrderResponse/${id}`, ifMatch: 'W/"7"' } }),
        409,
        /If-Match does not match/,
        '',
        'delete delete',
      ],
      [
        'a read of nothing',
        () => ({ request: { method: 'GET', url: 'OrderResponse/nobody' } }),
        404,
        /There is no OrderResponse with this id/,
        '',
        'read read',
      ],
      [
        'an invalid resource',
        () => ({ resource: { ...EXAMPLE, orderStatus: 'done' }, request: create }),
        400,
        /done/,
        '/f:resource/f:OrderResponse/f:orderStatus',
        'create invalid',
      ],
      [
        'a resource that breaks a rule of the service',
        () => ({
          resource: {
            ...EXAMPLE,
            contained: EXAMPLE.contained.slice(0, 2),
            who: { reference: 'Practitioner/1' },
          },
          request: create,
        }),
        422,
        /needs a contained Practitioner: this server accepts only order responses that contain/,
        '/f:resource/f:OrderResponse',
        'create invalid',
      ],
      [
        'a create without a resource',
        () => ({ request: create }),
        400,
        /Send it in Bundle\.entry\[1\]\.resource/,
        '',
        'create invalid',
      ],
      [
        'a resource of another type',
        () => ({ resource: { resourceType: 'Basic', code: { text: 'x' } }, request: create }),
        400,
        /of type Basic\. Send OrderResponse/,
        '/f:resource/f:Basic',
        'create invalid',
      ],
      [
        'a reference to no entry',
        () => ({ resource: referring('Task/1', SECOND), request: create }),
        400,
        new RegExp(`${SECOND} leads to no resource`),
        '/f:resource/f:OrderResponse/f:fulfillment[2]/f:reference',
        'create invalid',
      ],
      [
        'an ifNoneExist that is not a search',
        () => ({ resource: EXAMPLE, request: { ...create, ifNoneExist: 'status=done' } }),
        400,
        /Unknown search parameter/,
        '/f:request/f:ifNoneExist',
        'create invalid',
      ],
      [
        'a search by an unknown parameter',
        () => ({ request: { method: 'GET', url: 'OrderResponse?status=done' } }),
        400,
        /Unknown search parameter/,
        '/f:request/f:url',
        'search-type invalid',
      ],
      [
        'an unknown path',
        () => ({ request: { method: 'GET', url: 'Patient/1' } }),
        404,
        /Unknown path "Patient\/1"/,
        '',
        'transaction invalid',
      ],
      [
        'the address of another server',
        () => ({ resource: EXAMPLE, request: { ...create, url: 'http://x.test/OrderResponse' } }),
        404,
        /Unknown path "http:/,
        '',
        'transaction invalid',
      ],
      [
        'another interaction',
        () => ({ request: { method: 'GET', url: 'OrderResponse/_history' } }),
        400,
        /is not possible in a Bundle/,
        '',
        'transaction invalid',
      ],
      [
        'a transaction',
        () => ({
          resource: { resourceType: 'Bundle', type: 'batch' },
          request: { ...create, url: '/' },
        }),
        400,
        /POST {2}is not possible in a Bundle/,
        '',
        'transaction invalid',
      ],
      [
        'a conditional update',
        () => ({
          resource: EXAMPLE,
          request: { method: 'PUT', url: 'OrderResponse?identifier=1' },
        }),
        400,
        /conditional update is not possible in a transaction/,
        '',
        'transaction invalid',
      ],
    ];
    for (const [what, entry, status, says, place, recorded] of failures) {
      it(`with ${what} is ${status}, names the entry, and stores nothing`, async (context) => {
        const { server, send, journal } = await setUp(context, wire);
        const id = await server.create(identified('1'));
        const before = journal().length;
        const answer = await send([
          { resource: identified('2'), request: create },
          entry(id),
          { resource: EXAMPLE, request: create },
        ]);
        assert.equal(answer.status, status, answer.text);
        requirePrivate(answer);
        const { resourceType, issue } = resourceIn(answer);
        assert.equal(resourceType, 'OperationOutcome');
        assert.match(issue[0].diagnostics, /^Bundle\.entry\[1\] \((GET|POST|PUT|DELETE) /);
        assert.match(issue[0].diagnostics, says);
        assert.equal(issue[0].location[0], `/f:Bundle/f:entry[2]${place}`);
        assert.deepEqual(journal().slice(before), [recorded]);
        const all = await server.send('GET', 'OrderResponse', { accept: wire.type });
        assert.equal(Number(resourceIn(all).total), 1);
      });
    }

    it('with several matches of ifNoneExist is 412', async (context) => {
      const { server, send } = await setUp(context, wire);
      await Promise.all([server.create(identified('1')), server.create(identified('1'))]);
      const ifNoneExist = 'identifier=https://ids.example|1';
      const answer = await send([
        { resource: identified('1'), request: { ...create, ifNoneExist } },
      ]);
      assert.equal(answer.status, 412, answer.text);
    });

    it('names every invalid entry at once', async (context) => {
      const { send } = await setUp(context, wire);
      const answer = await send([
        { resource: { ...EXAMPLE, orderStatus: 'done' }, request: create },
        { resource: EXAMPLE, request: create },
        { resource: { ...EXAMPLE, date: '2026-13-01' }, request: create },
      ]);
      const entries = resourceIn(answer).issue.map(
        ({ diagnostics }: { diagnostics: string }) => /^Bundle\.entry\[\d\]/.exec(diagnostics)?.[0],
      );
      assert.deepEqual(entries, ['Bundle.entry[0]', 'Bundle.entry[2]']);
    });

    it('cannot write a resource twice, or have a fullUrl twice', async (context) => {
      const { server, send } = await setUp(context, wire);
      const id = await server.create();
      const url = `OrderResponse/${id}`;
      const written = await send([
        { resource: withId(id), request: { method: 'PUT', url } },
        { request: { method: 'DELETE', url } },
      ]);
      assert.equal(written.status, 400);
      assert.match(written.text, new RegExp(`of the transaction use ${url}`));
      const entry = { fullUrl: FIRST, resource: EXAMPLE, request: create };
      assert.match((await send([entry, entry])).text, new RegExp(`fullUrl ${FIRST}`));
    });

    it('needs the scope of each entry', async (context) => {
      const { server, send, journal } = await setUp(context, wire);
      const id = await server.create();
      const read = { request: { method: 'GET', url: `OrderResponse/${id}` } };
      const write = { resource: EXAMPLE, request: create };
      const as = (token: string) => ({ authorization: `Bearer ${token}` });
      const statusOf = async (entries: readonly object[], token: string) =>
        (await send(entries, as(token))).status;
      assert.equal(await statusOf([read], 'reader'), 200);
      assert.equal(await statusOf([write], 'writer'), 200);
      const before = journal().length;
      assert.equal(await statusOf([read, write], 'reader'), 403);
      assert.equal(await statusOf([read, write], 'writer'), 403);
      assert.deepEqual(journal().slice(before), ['create forbidden', 'read forbidden']);
      assert.equal(await statusOf([read, write], 'nobody'), 401);
      assert.equal(journal().at(-1), 'transaction unauthenticated');
      const refused = await send([read, write], as('reader'));
      assert.match(refused.text, /Bundle\.entry\[1\] \(POST OrderResponse\)/);
      assert.match(refused.headers.get('www-authenticate') ?? '', /insufficient_scope/);
    });

    it('does not delete if the setting does not allow it', async (context) => {
      const { server, send } = await setUp(context, wire, { allowDelete: false });
      const id = await server.create();
      const answer = await send([{ request: { method: 'DELETE', url: `OrderResponse/${id}` } }]);
      assert.equal(answer.status, 405, answer.text);
    });

    const bundles: readonly (readonly [
      what: string,
      entries: object[],
      type: string,
      says: RegExp,
    ])[] = [
      ['of another type', [], 'collection', /must be batch or transaction/],
      [
        'with an entry without a request',
        [{ resource: EXAMPLE }],
        'transaction',
        /entry\[0\] needs a request/,
      ],
      [
        'with another method',
        [{ request: { method: 'HEAD', url: 'OrderResponse/1' } }],
        'transaction',
        /HEAD.* is not one of GET, POST, PUT, DELETE/,
      ],
      [
        'with too many entries',
        Array.from({ length: 21 }, () => ({ request: { method: 'GET', url: 'OrderResponse/1' } })),
        'transaction',
        /has 21 entries\. This server takes at most 20/,
      ],
    ];
    for (const [what, entries, type, says] of bundles) {
      it(`is 400 as a Bundle ${what}`, async (context) => {
        const { send, journal } = await setUp(context, wire);
        const answer = await send(entries, {}, type);
        assert.equal(answer.status, 400, answer.text);
        assert.match(answer.text, says);
        assert.deepEqual(journal(), ['transaction invalid']);
      });
    }

    it('is 400 as another resource, and 503 while the store is unavailable', async (context) => {
      const { server, send } = await setUp(context, wire);
      const headers = { 'content-type': wire.type };
      const other = await server.send('POST', '', headers, wire.encode(EXAMPLE));
      assert.equal(other.status, 400);
      assert.match(other.text, /Send Bundle/);
      server.store.failure = new RepositoryError('The disk is full.');
      const answer = await send([{ resource: EXAMPLE, request: create }]);
      assert.equal(answer.status, 503, answer.text);
    });
  });
}

it('a transaction runs no further searches once the store is unavailable', async (context) => {
  const { server, send } = await setUp(context, FORMATS.json);
  let searches = 0;
  server.store.search = async () => {
    searches++;
    throw new RepositoryError('The database cannot be reached.');
  };
  const search = { request: { method: 'GET', url: 'OrderResponse?_count=1' } };
  const answer = await send([search, search, { resource: EXAMPLE, request: create }, search]);
  const found = entriesIn(resourceIn(answer)).map((each) => JSON.stringify(each));
  assert.equal(searches, 1);
  for (const at of [0, 1, 3]) assert.match(String(found[at]), /cannot be reached.*"503/);
  assert.match(String(found[2]), /"201/);
});

it('a transaction whose conditions keep changing is 409', async (context) => {
  const { server, send } = await setUp(context, FORMATS.json);
  let attempts = 0;
  server.store.transact = async () => ({
    kind: 'moved',
    resources: [{ at: 0, id: `other-${attempts++}`, version: 1 }],
  });
  const answer = await send([{ fullUrl: FIRST, resource: EXAMPLE, request: create }]);
  assert.deepEqual([answer.status, attempts], [409, 5]);
  assert.match(answer.text, /Send the transaction again/);
  assert.equal(server.store.journal[0]?.entry, 'transaction invalid');
});
