/** All services and the pages in one handle, without a socket. */
import { randomUUID } from 'node:crypto';
import { NO_HISTORY } from '../../../src/directory/edition/edition-store.ts';
import { createHandle, type Handle } from '../../../src/fhir/handle.ts';
import { FhirError } from '../../../src/fhir/request/fhir-error.ts';
import type { FhirResponse } from '../../../src/fhir/request/request.ts';
import type { Authorize, Service } from '../../../src/fhir/service/interaction.ts';
import { serveFace } from '../../../src/interfaces/faces/rendered-edition.ts';
import { createOrdService } from '../../../src/interfaces/ord/service.ts';
import { createReportServices } from '../../../src/interfaces/reports/service.ts';
import { DIRECTORY_FACES } from '../../../src/interfaces/served-faces.ts';
import { createDirectoryService } from '../../../src/interfaces/service.ts';
import { EXAMPLE_RESPONSE } from '../../../src/orders/order-response/example.ts';
import { createOrderService } from '../../../src/orders/order-response/service.ts';
import { interfaceOf } from '../../../src/web/api/api-page.ts';
import { createWeb } from '../../../src/web/web.ts';
import {
  SETTINGS as DIRECTORY_SETTINGS,
  editionOf,
  SOFTWARE,
} from '../../directory/directory-server.ts';
import { SETTINGS as ORDER_SETTINGS } from '../../order-response/order-server.ts';
import { createMemoryRepository, type MemoryRepository } from '../../storage/memory-repository.ts';
import { PAGE_RECORDS } from '../records.ts';
import { PAGE_SETTINGS } from '../web-server.ts';

export const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** The token that may read and write order responses. */
export const TOKEN = 'secret-token';

export interface Sent {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly text: string;
  readonly response: FhirResponse;
}

export type SendHeaders = Readonly<Record<string, string>>;

export interface PageServer {
  readonly store: MemoryRepository;
  readonly faults: unknown[];
  /** As a browser, unless the headers say otherwise. `target`: the path and the query. */
  open(target: string, headers?: SendHeaders, method?: string): Promise<Sent>;
  /** As a program, by the same services. */
  ask(target: string, headers?: SendHeaders, method?: string): Promise<Sent>;
  /** The same without pages. */
  askWithout(target: string, headers?: SendHeaders, method?: string): Promise<Sent>;
  /** Creates the example of an order response; answers its id. */
  create(resource?: object): Promise<string>;
  close(): void;
}

export interface PageServerOptions {
  readonly serverUrl?: string;
  readonly editionNumber?: number;
  readonly changed?: (service: Service) => Service;
  /** Refuses every request. */
  readonly refusal?: FhirError;
}

export function startPages(options: PageServerOptions = {}): PageServer {
  const store = createMemoryRepository(() => new Date('2026-10-01T10:00:00Z'));
  const faults: unknown[] = [];
  const { handle, without, close } = createHandles(options, store, faults);
  const send = senderOf(options);
  const { serverUrl = SERVER_URL } = options;
  const orders = `${new URL(serverUrl).pathname.replace(/\/$/, '')}/OrderResponse`;
  return {
    store,
    faults,
    open: (target, headers = {}, method = 'GET') =>
      send(handle, target, { accept: BROWSER, ...headers }, method),
    ask: (target, headers = {}, method = 'GET') => send(handle, target, headers, method),
    askWithout: (target, headers = {}, method = 'GET') => send(without, target, headers, method),
    create: async (resource = EXAMPLE_RESPONSE) => {
      const headers = {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json+fhir',
      };
      const created = await send(handle, orders, headers, 'POST', JSON.stringify(resource));
      const id = /OrderResponse\/([^/]+)/.exec(created.headers.location ?? '')?.[1];
      if (id === undefined) throw new Error(created.text);
      return id;
    },
    close,
  };
}

const SERVER_URL = 'http://gazetteer.test';

/** The handle of a server with pages, and that of one without, with the same services. */
function createHandles(
  { serverUrl = SERVER_URL, editionNumber, changed = (service) => service }: PageServerOptions,
  store: MemoryRepository,
  faults: unknown[],
) {
  const edition = editionOf(PAGE_RECORDS, editionNumber);
  const editions = { current: () => edition, byNumber: () => edition };
  const onFault = (error: unknown) => {
    faults.push(error);
  };
  const faces = DIRECTORY_FACES.map((face) =>
    serveFace(face, { settings: DIRECTORY_SETTINGS, serverUrl }),
  );
  const orders = createOrderService({
    settings: ORDER_SETTINGS,
    serverUrl,
    store,
    authorize,
    newId: randomUUID,
  });
  const directories = faces.map((face) => createDirectoryService(face, editions));
  const services = [...directories, orders].map(changed);
  const { answerPages, close } = createWeb({
    settings: PAGE_SETTINGS,
    face: faces[0]!,
    interfaces: faces.map(interfaceOf),
    editions,
    history: NO_HISTORY,
    orders: { example: EXAMPLE_RESPONSE },
    onFault,
  });
  const plain = { settings: DIRECTORY_SETTINGS, serverUrl, editions };
  const plainServices = [createOrdService(plain), ...createReportServices(plain)];
  const options = { services, plainServices, software: SOFTWARE, onFault };
  return {
    handle: createHandle({ ...options, answerPages }),
    without: createHandle(options),
    close,
  };
}

function senderOf({ refusal }: PageServerOptions) {
  return async (
    handle: Handle,
    target: string,
    headers: SendHeaders,
    method: string,
    body?: string,
  ): Promise<Sent> => {
    const [path = '', query = ''] = target.split('?');
    const response = await handle({
      method,
      path,
      query,
      headers,
      id: 'test-1',
      ...(refusal !== undefined && { refusal }),
      ...(body !== undefined && { readBody: async () => Buffer.from(body) }),
    });
    return received(response);
  };
}

const authorize: Authorize = (authorization) => {
  if (authorization === `Bearer ${TOKEN}`) return { subject: 'someone', client: 'test' };
  throw new FhirError(
    [{ kind: 'unauthorized', diagnostics: 'This request needs a bearer token.' }],
    ['WWW-Authenticate', 'Bearer realm="test"'],
  );
};

async function received(response: FhirResponse): Promise<Sent> {
  const { status, headers, body = '', pieces } = response;
  const parts: Uint8Array[] = [];
  for await (const piece of pieces ?? [Buffer.from(body as Uint8Array)]) parts.push(piece);
  response.onClosed?.();
  const bytes = Buffer.concat(parts);
  const named: Record<string, string> = {};
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!.toLowerCase();
    const before = named[name];
    named[name] = before === undefined ? headers[i + 1]! : `${before}, ${headers[i + 1]}`;
  }
  return { status, headers: named, body: bytes, text: bytes.toString(), response };
}
