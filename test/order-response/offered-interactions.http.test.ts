/** The setting `orders.interactions`: the service offers only those that it names. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/load-config.ts';
import { openApi } from '../../src/fhir/statement/open-api.ts';
import { createOrderService } from '../../src/orders/order-response/service.ts';
import { SOFTWARE } from '../directory/directory-server.ts';
import { createMemoryRepository } from '../storage/memory-repository.ts';
import { EXAMPLE, JSON_TYPE, SETTINGS, startOrders } from './order-server.ts';

const JSON_BODY = { 'content-type': JSON_TYPE, accept: JSON_TYPE };
const THREE = ['read', 'create', 'update'];

describe('orders.interactions=read,create,update', () => {
  it('offers these, and answers the others 404 or 405', async (context) => {
    const server = await startOrders({ interactions: THREE, allowDelete: true });
    context.after(() => server.close());
    const id = await server.create();
    const path = `OrderResponse/${id}`;
    const answers: readonly [method: string, path: string, status: number][] = [
      ['GET', path, 200],
      ['PUT', path, 200],
      ['DELETE', path, 405],
      ['GET', `${path}/_history/1`, 404],
      ['GET', `${path}/_history`, 404],
      ['GET', 'OrderResponse', 405],
      ['PUT', 'OrderResponse?identifier=a', 405],
      ['POST', 'OrderResponse/_search', 405],
      ['GET', 'OrderResponse/_history', 404],
      ['GET', '_history', 404],
      ['POST', 'OrderResponse/$validate', 404],
      ['POST', `${path}/$validate`, 404],
      ['POST', '', 404],
    ];
    for (const [method, address, status] of answers) {
      const body = method === 'GET' ? undefined : JSON.stringify({ ...EXAMPLE, id });
      const answer = await server.send(method, address, JSON_BODY, body);
      assert.equal(answer.status, status, `${method} ${address}: ${answer.text}`);
    }
    const trace = await server.send('GET', 'AuditEvent', { authorization: 'Bearer auditor' });
    assert.equal(trace.status, 200, 'the audit log stays');
  });

  it('lists them in the Conformance, without search parameters and conditions', async (context) => {
    const server = await startOrders({ interactions: THREE });
    context.after(() => server.close());
    const { text } = await server.send('GET', 'metadata', { accept: JSON_TYPE });
    const { interaction, operation, resource } = JSON.parse(text).rest[0];
    assert.deepEqual([interaction, operation], [undefined, undefined]);
    const [type] = resource;
    assert.deepEqual(
      type.interaction.map(({ code }: { code: string }) => code).toSorted(),
      THREE.toSorted(),
    );
    assert.equal(type.searchParam, undefined);
    assert.deepEqual([type.conditionalCreate, type.conditionalUpdate], [false, false]);
  });

  it('lists them in the OpenAPI description', () => {
    const service = createOrderService({
      settings: { ...SETTINGS, interactions: THREE },
      serverUrl: 'http://a.test',
      store: createMemoryRepository(),
      authorize: () => ({ subject: 'a' }),
      newId: () => 'a',
    });
    const { paths } = openApi([service], SOFTWARE);
    const own = Object.entries(paths).filter(([path]) => path.startsWith('/OrderResponse'));
    assert.deepEqual(
      own.flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`)),
      ['post /OrderResponse', 'get /OrderResponse/{id}', 'put /OrderResponse/{id}'],
    );
    assert.doesNotMatch(JSON.stringify(own), /If-None-Exist/);
  });

  it('refuses a conditional create, which needs a search', async (context) => {
    const server = await startOrders({ interactions: THREE });
    context.after(() => server.close());
    const headers = { ...JSON_BODY, 'if-none-exist': 'identifier=a|b' };
    const answer = await server.send('POST', 'OrderResponse', headers, JSON.stringify(EXAMPLE));
    assert.equal(answer.status, 400);
    assert.match(answer.text, /offers no searches, so it cannot check If-None-Exist/);
  });

  it('has only these in Bundles, which need transaction too', async (context) => {
    const server = await startOrders({ interactions: [...THREE, 'transaction'] });
    context.after(() => server.close());
    const url = `OrderResponse/${await server.create()}`;
    const entry = [url, 'OrderResponse?_summary=count', `${url}/_history/1`].map((each) => ({
      request: { method: 'GET', url: each },
    }));
    const batch = JSON.stringify({ resourceType: 'Bundle', type: 'batch', entry });
    const { text } = await server.send('POST', '', JSON_BODY, batch);
    const statuses = JSON.parse(text).entry.map(({ response }: { response: { status: string } }) =>
      response.status.slice(0, 3),
    );
    assert.deepEqual(statuses, ['200', '405', '404']);
  });
});

describe('the setting orders.interactions', () => {
  const load = (value: string) =>
    loadConfig({ flags: { 'orders.interactions': value }, environment: {} });

  it('takes names of interactions', () => {
    assert.deepEqual(load('read, create,update')['orders.interactions'], THREE);
  });

  it('names those that exist if one is unknown', () => {
    assert.throws(
      () => load('read,write'),
      /--orders-interactions must be interactions, separated by commas: read, vread, create/,
    );
  });
});
