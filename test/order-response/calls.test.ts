/** What an interaction asks of the store and of the authorisation, without sockets. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, it } from 'node:test';
import { createHandle } from '../../src/fhir/handle.ts';
import { FhirError } from '../../src/fhir/request/fhir-error.ts';
import type { Authorize } from '../../src/fhir/service/interaction.ts';
import { createOrderService } from '../../src/orders/order-response/service.ts';
import { SOFTWARE } from '../directory/directory-server.ts';
import { createMemoryRepository, type MemoryRepository } from '../storage/memory-repository.ts';
import { BASE, EXAMPLE, JSON_TYPE, SETTINGS } from './order-server.ts';

let store: MemoryRepository;
let authorize: Authorize;
let faults: unknown[];
beforeEach(() => {
  store = createMemoryRepository();
  authorize = () => ({ subject: 'dr-1' });
  faults = [];
});

const IDENTIFIED = { ...EXAMPLE, identifier: [{ system: 'urn:a', value: 'b' }] };
const IF_NONE_EXIST = { 'if-none-exist': 'identifier=urn:a|b' };

function send(method: string, path: string, headers = {}, body = {}, addressOf?: () => string) {
  const service = createOrderService({
    settings: SETTINGS,
    serverUrl: BASE,
    store,
    authorize: (...call) => authorize(...call),
    newId: randomUUID,
  });
  const handle = createHandle({
    services: [service],
    software: SOFTWARE,
    onFault: (fault) => faults.push(fault),
  });
  return handle({
    method,
    path: `/base/${path}`,
    query: '',
    headers: { 'content-type': JSON_TYPE, accept: JSON_TYPE, ...headers },
    id: 'request-1',
    readBody: async () => Buffer.from(JSON.stringify(body)),
    ...(addressOf && { addressOf }),
  });
}

async function create(): Promise<string> {
  const { status, headers } = await send('POST', 'OrderResponse', {}, IDENTIFIED);
  assert.equal(status, 201);
  return headers[headers.indexOf('Location') + 1]?.split('/').at(-3) ?? '';
}

it('the authorisation is asked with the address of the client, where it is known', async () => {
  const asked: unknown[] = [];
  authorize = (...call) => {
    asked.push(call);
    return { subject: 'dr-1' };
  };
  const headers = { authorization: 'Bearer t' };
  await send('GET', 'OrderResponse/a', headers, {}, () => '192.0.2.7');
  await send('GET', 'OrderResponse/a', headers);
  const need = { type: 'OrderResponse', action: 'read' };
  assert.deepEqual(asked, [
    ['Bearer t', need, '192.0.2.7'],
    ['Bearer t', need, ''],
  ]);
});

it('what exists is hidden where it may not be read, and a fault is answered as one', async () => {
  await create();
  const prefer = { ...IF_NONE_EXIST, prefer: 'return=representation' };
  const again = () => send('POST', 'OrderResponse', prefer, IDENTIFIED);
  const withReads = (failure: Error): Authorize => {
    return (_header, { action }) => {
      if (action === 'read') throw failure;
      return { subject: 'dr-1' };
    };
  };
  authorize = withReads(new FhirError([{ kind: 'forbidden', diagnostics: 'No.' }]));
  const hidden = await again();
  assert.equal(hidden.status, 200);
  assert.equal(JSON.parse(String(hidden.body)).resourceType, 'OperationOutcome');
  const fault = new Error('the keys cannot be read');
  authorize = withReads(fault);
  assert.equal((await again()).status, 500);
  assert.deepEqual(faults, [fault]);
});

it('what the store has written down is not written down again', async () => {
  const id = await create();
  await create();
  for (const [method, path, headers, status, entry] of [
    ['POST', 'OrderResponse', IF_NONE_EXIST, 412, 'create create'],
    ['PUT', `OrderResponse/${id}`, { 'if-match': 'W/"7"' }, 409, 'update update'],
    ['GET', 'OrderResponse/x/_history', {}, 404, 'history-instance history'],
  ] as const) {
    const before = store.journal.length;
    const body = method === 'PUT' ? { ...IDENTIFIED, id } : IDENTIFIED;
    assert.equal((await send(method, path, headers, body)).status, status);
    const entries = store.journal.slice(before).map((each) => each.entry);
    assert.deepEqual(entries, [entry]);
  }
});

it('a history without parameters asks the store for 20 versions in 4 MiB', async (context) => {
  const id = await create();
  const asked = context.mock.method(store, 'history');
  assert.equal((await send('GET', `OrderResponse/${id}/_history`)).status, 200);
  const request = { type: 'OrderResponse', id, count: 20, lengthMax: 4 * 1024 * 1024 };
  assert.deepEqual(asked.mock.calls[0]?.arguments[0], request);
});
