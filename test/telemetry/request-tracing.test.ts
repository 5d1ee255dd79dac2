/** The spans of requests get the templates of paths. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createHandle } from '../../src/fhir/handle.ts';
import { createOrderService } from '../../src/orders/order-response/service.ts';
import { tracePlainService, traceService } from '../../src/telemetry/request-tracing.ts';
import type { TraceSpan } from '../../src/telemetry/tracing.ts';
import { Tracing } from '../../src/telemetry/tracing.ts';
import { SOFTWARE } from '../directory/directory-server.ts';
import { BASE, EXAMPLE, JSON_TYPE, SETTINGS } from '../order-response/order-server.ts';
import { createMemoryRepository } from '../storage/memory-repository.ts';

const context = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), flags: 1, state: '' };

/** The names that the span of a request for a path gets, if the service has this base. */
function namesFor(base: string, path: string): string[] {
  const names: string[] = [];
  const span: TraceSpan = { context, rename: (name) => names.push(name), end: () => {} };
  const tracing = new Tracing({ start: () => span });
  const service = tracePlainService(
    {
      name: 'plain',
      title: 'plain',
      description: '',
      baseUrl: `http://localhost${base}`,
      words: [],
      operations: { 'organisations/{id}': {} },
      handle: () => ({ status: 200, headers: [], body: '' }),
    },
    tracing,
  );
  const request = { method: 'GET', path, query: '', headers: {}, id: 'x' };
  tracing.continue(context, () => service.handle(request, () => {}), span);
  return names;
}

it('a base with characters that have a meaning in patterns', () => {
  for (const base of ['/ORD/2-0-0', '/a+b', '/v1.0', '/(ods']) {
    const template = `GET ${base}/organisations/{id}`;
    assert.deepEqual(namesFor(base, `${base}/organisations/RX1`), [template]);
  }
  assert.deepEqual(namesFor('/v1.0', '/v1x0/organisations/RX1'), []);
});

for (const type of ['batch', 'transaction']) {
  it(`a ${type} has its own route, and not those of its entries`, async () => {
    const names: string[] = [];
    const started: string[] = [];
    const span: TraceSpan = { context, rename: (name) => names.push(name), end: () => {} };
    const tracing = new Tracing({
      start: ({ name }) => {
        started.push(name);
        return { ...span, rename: () => {} };
      },
    });
    const service = createOrderService({
      settings: SETTINGS,
      serverUrl: BASE,
      store: createMemoryRepository(),
      authorize: () => ({ subject: 'a', client: 'b' }),
      newId: () => 'new',
    });
    const services = [traceService(service, tracing)];
    const handle = createHandle({ services, software: SOFTWARE, onFault: () => {} });
    const entry = [{ resource: EXAMPLE, request: { method: 'POST', url: 'OrderResponse' } }];
    const bundle = Buffer.from(JSON.stringify({ resourceType: 'Bundle', type, entry }));
    const headers = { 'content-type': JSON_TYPE };
    const request = { method: 'POST', path: '/base', query: '', headers, id: 'x' };
    const readBody = async () => bundle;
    const { status } = await tracing.continue(
      context,
      async () => await handle({ ...request, readBody }),
      span,
    );
    assert.equal(status, 200);
    assert.deepEqual(names, ['POST /base/']);
    assert.deepEqual(started, ['transaction', 'create OrderResponse']);
  });
}
