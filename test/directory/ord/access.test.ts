/** Refusals and faults of the ORD interface: tokens, limits, and errors of the program. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FhirError } from '../../../src/fhir/request/fhir-error.ts';
import type { FhirRequest } from '../../../src/fhir/request/request.ts';
import { createOrdService, type OrdOptions } from '../../../src/interfaces/ord/service.ts';
import { BASE, editionOf, SETTINGS } from '../directory-server.ts';
import { RECORDS } from '../records.ts';

const EDITION = editionOf(RECORDS);

const UNAUTHORIZED = new FhirError(
  [{ kind: 'unauthorized', diagnostics: 'The token is missing.' }],
  ['WWW-Authenticate', 'Bearer'],
);

async function ask(options: Partial<OrdOptions>, more: Partial<FhirRequest> = {}) {
  const faults: unknown[] = [];
  const service = createOrdService({
    settings: SETTINGS,
    serverUrl: BASE,
    editions: { current: () => EDITION, byNumber: () => EDITION },
    ...options,
  });
  const request = {
    method: 'GET',
    path: '/fhir/ORD/2-0-0/roles',
    query: '',
    headers: { authorization: 'Bearer x' },
    id: 'request-7',
    ...more,
  };
  const response = await service.handle(request, (error) => faults.push(error));
  return { ...response, text: Buffer.from(response.body ?? '').toString(), faults };
}

it('a client without a token is refused, at once or after a wait', async () => {
  for (const authorize of [
    () => {
      throw UNAUTHORIZED;
    },
    () => Promise.reject(UNAUTHORIZED),
  ]) {
    const { status, headers, text } = await ask({ authorize });
    assert.equal(status, 401);
    assert.ok(headers.includes('WWW-Authenticate'));
    assert.deepEqual(JSON.parse(text), { errorCode: 401, errorText: 'The token is missing.' });
  }
});

it('a client with a token is answered, at once or after a wait', async () => {
  const asked: unknown[] = [];
  const identity = { subject: 'user' };
  for (const authorize of [() => identity, () => Promise.resolve(identity)]) {
    const { status } = await ask({
      authorize: (header, scope) => {
        asked.push([header, scope]);
        return authorize();
      },
    });
    assert.equal(status, 200);
  }
  const scope = { type: 'Organization', action: 'read' };
  assert.deepEqual(asked, [
    ['Bearer x', scope],
    ['Bearer x', scope],
  ]);
});

it('a limit of the server is an error in the form of ORD', async () => {
  const refusal = new FhirError(
    [{ kind: 'throttled', diagnostics: 'Too many requests.' }],
    ['Retry-After', '1'],
  );
  const { status, headers, text } = await ask({}, { refusal });
  assert.equal(status, 429);
  assert.equal(headers[headers.indexOf('Retry-After') + 1], '1');
  assert.deepEqual(JSON.parse(text), { errorCode: 429, errorText: 'Too many requests.' });
});

it('a fault is reported, and its details are not shown', async () => {
  const fault = new Error('a secret');
  const current = () => {
    throw fault;
  };
  const { status, text, faults } = await ask({ editions: { current, byNumber: current } });
  assert.equal(status, 500);
  assert.match(JSON.parse(text).errorText, /under request id request-7\.$/);
  assert.deepEqual(faults, [fault]);
});

it('the path of the interface is a setting, and links begin with it', async () => {
  const settings = { ...SETTINGS, 'ord.path': '/ods/ord' };
  const path = '/fhir/ods/ord/organisations';
  const { status, text } = await ask({ settings }, { path, query: 'Name=derby' });
  assert.equal(status, 200);
  assert.equal(JSON.parse(text).Organisations[0].OrgLink, `${BASE}/ods/ord/organisations/RTG`);
});

it('today is the day in England', async () => {
  const search = (now: string, date: string) =>
    ask(
      { now: () => Date.parse(now) },
      { path: '/fhir/ORD/2-0-0/organisations', query: `LastChangeDate=${date}` },
    );
  // In summer, the day begins an hour earlier than in UTC.
  assert.equal((await search('2026-06-30T22:59:59Z', '2026-07-01')).status, 406);
  assert.equal((await search('2026-06-30T23:00:00Z', '2026-07-01')).status, 200);
  assert.equal((await search('2026-12-31T23:30:00Z', '2027-01-01')).status, 406);
});

it('the OpenAPI description has an operation for each path', () => {
  const editions = { current: () => EDITION, byNumber: () => EDITION };
  const { operations } = createOrdService({ settings: SETTINGS, serverUrl: BASE, editions });
  assert.deepEqual(Object.keys(operations), [
    'organisations/{code}',
    'organisations',
    'sync',
    'roles',
    'roles/{id}',
    'rels',
    'rels/{id}',
    'recordclasses',
    'recordclasses/{id}',
  ]);
  const text = JSON.stringify(operations.organisations);
  for (const name of ['Name', 'Offset', 'X-Total-Count', 'Next-Page', 'application/xml']) {
    assert.ok(text.includes(name), name);
  }
  assert.ok(!text.includes('bearer'));
});

it('the OpenAPI description has the errors, the token and the numbers of a search', () => {
  const described = (authorize?: OrdOptions['authorize']) => {
    const editions = { current: () => EDITION, byNumber: () => EDITION };
    const options = { settings: SETTINGS, serverUrl: BASE, editions, authorize };
    const { operations } = createOrdService(options);
    return JSON.parse(JSON.stringify(operations.organisations?.get));
  };
  const open = described();
  assert.deepEqual(Object.keys(open.responses), ['200', '304', '404', '406', '429', '503']);
  const secured = described(() => ({ subject: 'user' }));
  assert.deepEqual(secured.security, [{ bearer: [] }]);
  assert.ok('401' in secured.responses && '403' in secured.responses);
  const schemaOf = (wanted: string) =>
    open.parameters.find(({ name }: { name: string }) => name === wanted).schema;
  const limit = { type: 'integer', minimum: 1, maximum: 1000, default: 20 };
  assert.deepEqual(schemaOf('Limit'), limit);
  assert.deepEqual(schemaOf('Offset'), { type: 'integer', minimum: 1 });
  assert.deepEqual(schemaOf('Name'), { type: 'string' });
});
