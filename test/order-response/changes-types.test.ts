/** The history of all types, for tokens that may read some of them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { createHandle } from '../../src/fhir/handle.ts';
import { FhirError } from '../../src/fhir/request/fhir-error.ts';
import { createOrderService } from '../../src/orders/order-response/service.ts';
import { SOFTWARE } from '../directory/directory-server.ts';
import { createMemoryRepository } from '../storage/memory-repository.ts';
import { createOrder } from '../storage/repository.contract.ts';
import { BASE, SETTINGS } from './order-server.ts';

it('the history of all types shows the types that the token may read, and says so', async () => {
  const store = createMemoryRepository();
  await createOrder(store, 'a');
  await createOrder(store, 'b', [], undefined, 'Order');
  /** The token lists the types that it may read. */
  const service = createOrderService({
    settings: SETTINGS,
    serverUrl: BASE,
    store,
    authorize: (token = '', { type }) => {
      if (token === 'busy' && type === 'Order') {
        throw new FhirError([{ kind: 'throttled', diagnostics: 'Wait.' }]);
      }
      if (token === 'busy' || token.split(' ').includes(type)) return { subject: 'dr-1' };
      throw new FhirError([{ kind: 'forbidden', diagnostics: `No scope for ${type}.` }]);
    },
    newId: randomUUID,
  });
  const [own] = service.types;
  assert.ok(own);
  const handle = createHandle({
    services: [{ ...service, types: [own, { ...own, name: 'Order' }] }],
    software: SOFTWARE,
    onFault: (fault) => {
      throw fault;
    },
  });
  const ask = async (authorization: string) => {
    const headers = { authorization, accept: 'application/json' };
    const query = '_after=0';
    const answer = await handle({ method: 'GET', path: '/base/_history', query, headers, id: 'r' });
    const { entry = [], meta } = JSON.parse(Buffer.from(answer.body ?? '').toString());
    const urls = entry.map(({ fullUrl }: { fullUrl: string }) => fullUrl.slice(BASE.length + 1));
    return { status: answer.status, urls, tag: meta?.tag };
  };
  assert.deepEqual(await ask('OrderResponse Order'), {
    status: 200,
    urls: ['OrderResponse/a', 'Order/b'],
    tag: undefined,
  });
  for (const [token, url] of [
    ['OrderResponse', 'OrderResponse/a'],
    ['Order', 'Order/b'],
  ] as const) {
    const { status, urls, tag } = await ask(token);
    assert.deepEqual([status, urls], [200, [url]]);
    assert.deepEqual(tag, [
      {
        system: 'http://hl7.org/fhir/v3/ObservationValue',
        code: 'SUBSETTED',
        display: `Only ${token}`,
      },
    ]);
  }
  assert.equal((await ask('Patient')).status, 403);
  assert.equal((await ask('busy')).status, 429);
});
