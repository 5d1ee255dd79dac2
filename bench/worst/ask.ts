/** Sends requests to the services of a server, in this process. */
import { randomUUID } from 'node:crypto';
import { loadConfig } from '../../src/config/load-config.ts';
import { sectionOf } from '../../src/config/section.ts';
import { SOFTWARE } from '../../src/config/version.ts';
import type { Edition } from '../../src/directory/edition/edition.ts';
import { createHandle, type Handle } from '../../src/fhir/handle.ts';
import type { FhirRequest } from '../../src/fhir/request/request.ts';
import type { Authorize } from '../../src/fhir/service/interaction.ts';
import type { Repository } from '../../src/fhir/stored/repository.ts';
import { serveFace } from '../../src/interfaces/faces/rendered-edition.ts';
import { createOrdService } from '../../src/interfaces/ord/service.ts';
import { createCodeServices } from '../../src/interfaces/questions/service.ts';
import { createReportServices } from '../../src/interfaces/reports/service.ts';
import { DIRECTORY_FACES } from '../../src/interfaces/served-faces.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { createOrderService } from '../../src/orders/order-response/service.ts';

export const SERVER_URL = 'http://bench.test';
export const CONFIG = loadConfig({ flags: {}, environment: {} });
export const DIRECTORY = sectionOf(CONFIG, 'directory');

export type Headers = FhirRequest['headers'];
export type Asked = Pick<FhirRequest, 'method' | 'path'> &
  Partial<Pick<FhirRequest, 'query' | 'headers'>>;

/** Sends requests to all services, as a listener does. Without a store, there are no order responses. */
export function createAsk(edition: Edition, authorize: Authorize, store = NO_STORE) {
  const editions = { current: () => edition, byNumber: () => edition };
  const served = { settings: DIRECTORY, serverUrl: SERVER_URL };
  const handle: Handle = createHandle({
    plainServices: [
      createOrdService({ ...served, editions }),
      ...createReportServices({ ...served, editions }),
      ...createCodeServices({ ...served, editions }),
    ],
    services: [
      ...DIRECTORY_FACES.map((face) => createDirectoryService(serveFace(face, served), editions)),
      createOrderService({
        settings: sectionOf(CONFIG, 'orders'),
        serverUrl: SERVER_URL,
        store,
        authorize,
        newId: randomUUID,
      }),
    ],
    software: SOFTWARE,
    onFault: (error) => {
      throw error;
    },
  });
  return async (asked: Asked, body?: string): Promise<unknown> => {
    const response = await handle({
      query: '',
      headers: {},
      ...asked,
      id: 'bench',
      ...(body !== undefined && { readBody: async () => Buffer.from(body) }),
    });
    for await (const _piece of response.pieces ?? []);
    return response;
  };
}

export const TAKES_ALL: Authorize = () => ({ subject: 'bench' });

export const NO_STORE: Repository = {
  create: async () => ({ kind: 'several', count: 2 }),
  update: async () => ({ kind: 'absent' }),
  updateMatching: async () => ({ kind: 'absent' }),
  findMatch: async () => ({ kind: 'absent' }),
  delete: async () => ({ kind: 'absent' }),
  read: async () => undefined,
  changes: async () => ({ kind: 'unknown-position' }),
  history: async () => ({ versions: [], total: 0, hasMore: false }),
  search: async () => ({ kind: 'found', total: 0, matches: [], offset: 0 }),
  transact: async () => ({ kind: 'done', answers: [], writes: 0 }),
  checkPreconditions: async () => undefined,
  recordRefusal: async () => {},
};
