/** Who may change an order response, and what a change needs. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Repository } from '../../src/fhir/stored/repository.ts';
import { placeInThisThread, type SqlitePlace } from '../storage/repository-place.ts';
import { EXAMPLE, JSON_TYPE, type OrderServer, startOrdersOf } from './order-server.ts';

let place: SqlitePlace;
let shared: OrderServer<Repository>;
let own: OrderServer<Repository>;
before(async () => {
  place = await placeInThisThread();
  shared = await startOrdersOf(place.store, {});
  own = await startOrdersOf(place.store, { updates: 'creator', allowDelete: true });
});
after(async () => {
  await shared.close();
  await own.close();
  await place.remove();
});

const OTHER = { authorization: 'Bearer other' };

function put(server: OrderServer<Repository>, path: string, body: object, headers = {}) {
  const all = { 'content-type': JSON_TYPE, accept: JSON_TYPE, ...headers };
  return server.send('PUT', path, all, JSON.stringify(body));
}

/** The example about a patient with these identifiers. */
function aboutPatient(...values: readonly string[]) {
  const identifier = values.map((value) => ({
    system: 'https://fhir.nhs.uk/Id/nhs-number',
    value,
  }));
  return {
    ...EXAMPLE,
    contained: EXAMPLE.contained.map((one) =>
      one.resourceType === 'Patient'
        ? { ...one, identifier: values.length > 0 ? identifier : undefined }
        : one,
    ),
  };
}

it('with orders.updates creator, only the client that created it may write', async () => {
  const identifier = [{ system: 'urn:a', value: 'mine' }];
  const id = await own.create({ ...EXAMPLE, identifier });
  const body = { ...EXAMPLE, id, identifier };
  const path = `OrderResponse/${id}`;
  const refused = [
    await put(own, path, body, OTHER),
    await put(own, path, body, { ...OTHER, 'if-match': 'W/"1"' }),
    await put(own, 'OrderResponse?identifier=urn:a|mine', body, OTHER),
    await own.send('DELETE', path, { ...OTHER, accept: JSON_TYPE }),
  ];
  for (const { status, text } of refused) {
    assert.equal(status, 403);
    assert.match(text, /Another client created the resource/);
  }
  const last = (await place.entries()).at(-1);
  assert.deepEqual([last?.outcome, last?.resource, last?.client], ['forbidden', id, 'other']);
  assert.equal((await put(own, path, body)).status, 200);
  assert.equal((await put(own, path, body, { authorization: 'Bearer writer' })).status, 200);
  assert.equal((await put(shared, path, body, OTHER)).status, 200);
  assert.equal((await own.send('DELETE', path, OTHER)).status, 403);
  assert.equal((await own.send('DELETE', path)).status, 204);
  assert.equal((await put(own, path, body, OTHER)).status, 403);
});

it('an update that changes the patient needs If-Match', async () => {
  const id = await shared.create(aboutPatient('9434765919'));
  const path = `OrderResponse/${id}`;
  const update = (values: readonly string[], headers = {}) =>
    put(shared, path, { ...aboutPatient(...values), id }, headers);
  const blind = await update(['9434765870']);
  assert.equal(blind.status, 412);
  assert.match(blind.text, /about another patient/);
  assert.equal((await update([])).status, 412);
  assert.equal((await update(['9434765870'], { 'if-match': '*' })).status, 412);
  const conditional = `OrderResponse?_id=${id}`;
  assert.equal((await put(shared, conditional, aboutPatient('1'))).status, 412);
  assert.equal((await update(['9434765919', '4711'])).status, 200);
  assert.equal((await update(['9434765870'], { 'if-match': 'W/"1"' })).status, 409);
  assert.equal((await update(['9434765870'], { 'if-match': 'W/"2"' })).status, 200);
});

it('so does an update that changes a patient without identifiers', async () => {
  const path = `OrderResponse/${await shared.create(aboutPatient())}`;
  const id = path.slice('OrderResponse/'.length);
  const same = { ...aboutPatient(), id };
  const renamed = JSON.parse(JSON.stringify(same).replaceAll('Kanfeld', 'Another'));
  const movedId = JSON.parse(JSON.stringify(same).replaceAll(/\b(#?)pat\b/g, '$1subject'));
  assert.equal((await put(shared, path, renamed)).status, 412);
  assert.equal((await put(shared, path, { ...aboutPatient('4711'), id })).status, 412);
  assert.equal((await put(shared, path, { ...same, orderStatus: 'review' })).status, 200);
  assert.equal((await put(shared, path, movedId)).status, 200);
  assert.equal((await put(shared, path, renamed, { 'if-match': 'W/"3"' })).status, 200);
});
