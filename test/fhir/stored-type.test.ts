/** A stored type without rules of the service: the server checks the rules of FHIR alone. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { createHandle } from '../../src/fhir/handle.ts';
import type { Service } from '../../src/fhir/service/interaction.ts';
import { createOrderService } from '../../src/orders/order-response/service.ts';
import { SOFTWARE } from '../directory/directory-server.ts';
import { SETTINGS } from '../order-response/order-server.ts';
import { createMemoryRepository } from '../storage/memory-repository.ts';

it('a stored type without rules of its own refuses a broken invariant of FHIR', async () => {
  const contained = [{ resourceType: 'Patient', id: 'pat' }];
  const referring = { resourceType: 'Order', contained, subject: { reference: '#pat' } };
  const detail = [{ reference: 'https://a.test/DiagnosticReport/1' }];
  const dangling = { ...referring, subject: { reference: '#gone' }, detail };
  const valid = { ...referring, detail };
  const refused = await post(dangling);
  assert.equal(refused.status, 400, refused.text);
  const { issue } = JSON.parse(refused.text);
  assert.ok(issue.some(({ code }: { code: string }) => code === 'invariant'));
  const created = await post(valid);
  assert.equal(created.status, 201, created.text);
});

/** Order responses, with the type `Order` in place of its own and without `review`. */
function orderService(): Service {
  const service = createOrderService({
    settings: SETTINGS,
    serverUrl: 'http://a.test',
    store: createMemoryRepository(),
    authorize: () => ({ subject: 'dr-1' }),
    newId: randomUUID,
  });
  const [type] = service.types;
  assert.ok(type?.stored?.writing);
  const { review: _, ...writing } = type.stored.writing;
  return { ...service, types: [{ ...type, name: 'Order', stored: { ...type.stored, writing } }] };
}

async function post(body: object) {
  const handle = createHandle({
    services: [orderService()],
    software: SOFTWARE,
    onFault: (fault) => {
      throw fault;
    },
  });
  const answer = await handle({
    method: 'POST',
    path: '/Order',
    query: '',
    headers: { 'content-type': 'application/json+fhir', accept: 'application/json+fhir' },
    id: 'request-1',
    readBody: async () => Buffer.from(JSON.stringify(body)),
  });
  return { status: answer.status, text: Buffer.from(answer.body ?? '').toString() };
}
