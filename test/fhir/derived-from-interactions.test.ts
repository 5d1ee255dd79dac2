/** Everything that the server derives from the lists of interactions agrees with these lists. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import { createHandle, type Handle } from '../../src/fhir/handle.ts';
import { FhirError } from '../../src/fhir/request/fhir-error.ts';
import type { FhirResponse } from '../../src/fhir/request/request.ts';
import type { RequiredScope, Service } from '../../src/fhir/service/interaction.ts';
import { createServiceNameOf } from '../../src/fhir/service/locate.ts';
import { createRouteTable, type Endpoint } from '../../src/fhir/service/route-table.ts';
import { capabilityStatement } from '../../src/fhir/statement/capabilities.ts';
import { openApi } from '../../src/fhir/statement/open-api.ts';
import { serveFace } from '../../src/interfaces/faces/rendered-edition.ts';
import { R4_FACE } from '../../src/interfaces/r4/face.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { createOrderService } from '../../src/orders/order-response/service.ts';
import {
  createCounterMemory,
  openThreadCounters,
  readCounters,
} from '../../src/server/monitoring/counters.ts';
import {
  SETTINGS as DIRECTORY_SETTINGS,
  editionOf,
  SOFTWARE,
  servedStu3,
} from '../directory/directory-server.ts';
import { RECORDS } from '../directory/records.ts';
import { SETTINGS as ORDER_SETTINGS } from '../order-response/order-server.ts';
import { createMemoryRepository, type MemoryRepository } from '../storage/memory-repository.ts';

const BASE = 'http://a.test';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const edition = editionOf(RECORDS);
let repository: MemoryRepository;
let asked: RequiredScope[];
let isForbidden: boolean;
let services: readonly Service[];
let handle: Handle;

beforeEach(() => {
  repository = createMemoryRepository();
  asked = [];
  isForbidden = false;
  const editions = { current: () => edition, byNumber: () => undefined };
  const directories = [
    servedStu3(DIRECTORY_SETTINGS, BASE),
    serveFace(R4_FACE, { settings: DIRECTORY_SETTINGS, serverUrl: BASE }),
  ].map((served) => createDirectoryService(served, editions));
  const orders = createOrderService({
    settings: ORDER_SETTINGS,
    serverUrl: BASE,
    store: repository,
    authorize: (_header, scope) => {
      asked.push(scope);
      if (isForbidden) throw new FhirError([{ kind: 'forbidden', diagnostics: 'No.' }]);
      return { subject: 'dr-1' };
    },
    newId: randomUUID,
  });
  services = [...directories, orders];
  handle = createHandle({
    services,
    software: SOFTWARE,
    onFault: (fault) => {
      throw fault;
    },
  });
});

interface ServedEndpoint {
  readonly service: Service;
  readonly endpoint: Endpoint;
  readonly path: string;
}

function endpoints(): ServedEndpoint[] {
  return services.flatMap((service) =>
    createRouteTable(service).endpoints.map((endpoint) => ({
      service,
      endpoint,
      path: `${service.baseUrl.slice(BASE.length)}/${endpoint.name}`,
    })),
  );
}

function send(method: string, path: string): FhirResponse | Promise<FhirResponse> {
  return handle({
    method,
    path: path.replace('{id}', 'x').replace('{version}', '1'),
    query: '',
    headers: {},
    id: 'request-1',
    readBody: async () => new Uint8Array(),
  });
}

function headerIn({ headers }: FhirResponse, name: string): string | undefined {
  const at = headers.indexOf(name);
  return at < 0 ? undefined : headers[at + 1];
}

describe('the lists of interactions', () => {
  it('say which methods OPTIONS returns, and no other method is accepted', async () => {
    for (const { path, endpoint } of endpoints()) {
      // In DSTU2, OPTIONS of the base returns the capabilities.
      if (endpoint.name === '') continue;
      const options = await send('OPTIONS', path);
      assert.equal(options.status, 204, path);
      const allow = headerIn(options, 'Allow')?.split(', ') ?? [];
      assert.equal(allow.at(-1), 'OPTIONS', path);
      for (const method of METHODS) {
        const response = await send(method, path);
        const isAllowed = allow.includes(method);
        assert.equal(response.status !== 405, isAllowed, `${method} ${path}`);
        if (!isAllowed) assert.equal(headerIn(response, 'Allow'), allow.join(', '));
      }
    }
  });

  it('are those of the route table, the capability statement and the OpenAPI description', () => {
    const { paths } = openApi(services, SOFTWARE);
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const downloads = services.flatMap((service) =>
      service.downloads.map(({ url }) => `GET ${url.slice(BASE.length)}`),
    );
    const routed = endpoints().flatMap(({ endpoint, path }) =>
      [...endpoint.interactions.keys()]
        .filter((method) => method !== 'HEAD')
        .map((method) => `${method} ${path}`),
    );
    assert.deepEqual(described.sort(), [...routed, ...downloads].sort());
    for (const service of services) {
      const { rest } = JSON.parse(JSON.stringify(capabilityStatement(service, SOFTWARE)));
      const stated = rest[0].resource.map(
        ({ interaction }: { interaction: object }) => interaction,
      );
      const offered = service.types.map(({ interactions }) =>
        [...new Set(interactions.map(({ code }) => code))]
          .filter((code) => code !== 'operation')
          .map((code) => ({ code })),
      );
      assert.deepEqual(stated, offered);
    }
  });

  it('say which scope a request needs', async () => {
    for (const { service, endpoint, path } of endpoints()) {
      for (const [method, { needs }] of endpoint.interactions) {
        asked = [];
        await send(method, path);
        const isAsked = service.authorize !== undefined && needs !== undefined;
        const isSystem = endpoint.type.name === '';
        const type = isSystem ? 'OrderResponse' : endpoint.type.name;
        const action = needs === 'either' ? 'read' : needs;
        const expected = isAsked ? [{ type, action }] : [];
        assert.deepEqual(asked, expected, `${method} ${path}`);
      }
    }
  });

  it('say what the audit log calls a refused access to a stored type', async () => {
    isForbidden = true;
    for (const { endpoint, path } of endpoints()) {
      for (const [method, { code, needs }] of endpoint.interactions) {
        const before = repository.journal.length;
        await send(method, path);
        const entries = repository.journal.slice(before).map(({ entry }) => entry);
        const isStored = endpoint.type.stored !== undefined && needs !== undefined;
        assert.deepEqual(entries, isStored ? [`${code} forbidden`] : [], `${method} ${path}`);
      }
    }
  });

  it('say which service a request is counted for', () => {
    const serviceNameOf = createServiceNameOf(services, []);
    for (const { service, endpoint, path } of endpoints()) {
      for (const method of endpoint.interactions.keys()) {
        assert.equal(serviceNameOf({ method, path }), service.name, `${method} ${path}`);
      }
    }
    assert.equal(serviceNameOf({ method: 'GET', path: '/' }), undefined, 'a page');
    assert.equal(serviceNameOf({ method: 'GET', path: '/nothing' }), undefined);
  });

  it('say which label a request has in metrics', async () => {
    const codes = new Set<string>();
    const memory = createCounterMemory(1);
    const counters = openThreadCounters(memory, 0);
    for (const { endpoint, path } of endpoints()) {
      for (const [method, { code }] of endpoint.interactions) {
        const response = await send(method, path);
        assert.equal(response.interaction, code, `${method} ${path}`);
        counters.countRequest(response, 1);
        codes.add(code);
      }
    }
    const counted = new Set(readCounters(memory).requests.map(({ interaction }) => interaction));
    assert.ok(!counted.has('other'));
    assert.equal(counted.size, codes.size);
  });
});
