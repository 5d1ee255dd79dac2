/** The OrderResponse service behind a real socket, for tests over HTTP. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerBudget } from '../../src/fhir/bundle/answer-room.ts';
import { createHandle } from '../../src/fhir/handle.ts';
import { FhirError } from '../../src/fhir/request/fhir-error.ts';
import type { Authorize } from '../../src/fhir/service/interaction.ts';
import type { Repository } from '../../src/fhir/stored/repository.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { EXAMPLE_RESPONSE } from '../../src/orders/order-response/example.ts';
import {
  createOrderService,
  type OrderServiceOptions,
} from '../../src/orders/order-response/service.ts';
import type { OrderSettings } from '../../src/orders/order-response/settings.ts';
import { createListener, LISTENER_LIMITS } from '../../src/server/http-listener.ts';
import {
  SETTINGS as DIRECTORY_SETTINGS,
  SOFTWARE,
  servedStu3,
} from '../directory/directory-server.ts';
import { listenOnLoopback } from '../loopback.ts';
import { createMemoryRepository, type MemoryRepository } from '../storage/memory-repository.ts';
import { ROOT } from '../tidy/source-files.ts';

export const BASE = 'http://orders.test/base';

export const SETTINGS: OrderSettings = {
  profile: 'contained',
  interactions: undefined,
  depthMax: 64,
  elementsMax: 5000,
  requireIfMatch: false,
  updates: 'anyone',
  allowDelete: false,
  searchMatchesMax: 1000,
  searchLinkMinutes: 60,
  transactionEntriesMax: 20,
  corsOrigins: undefined,
};

export const BODY_BYTES_MAX = 64 * 1024;

/** The public example of a create, as it is shown to users too. */
export const EXAMPLE_XML = readFileSync(join(ROOT, 'sample/order-response.xml'), 'utf8');

/** The example as JSON has it. */
export const EXAMPLE = EXAMPLE_RESPONSE;

export const JSON_TYPE = 'application/json+fhir';
export const XML_TYPE = 'application/xml+fhir';

/** Tokens that the test server knows: what each may. */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  all: ['OrderResponse.read', 'OrderResponse.write', 'Organization.read'],
  other: ['OrderResponse.read', 'OrderResponse.write'],
  reader: ['OrderResponse.read'],
  writer: ['OrderResponse.write'],
  auditor: ['AuditEvent.read'],
  subscriber: ['Subscription.read', 'Subscription.write', 'OrderResponse.read'],
  'other subscriber': ['Subscription.read', 'Subscription.write', 'OrderResponse.read'],
  blind: ['Subscription.read', 'Subscription.write'],
};

const revoked = new Set<string>();

/** Returns a function that accepts the token again. */
export function revokeToken(token: string): () => void {
  revoked.add(token);
  return () => void revoked.delete(token);
}

const authorize: Authorize = (header, { type, action }) => {
  const token = /^bearer (.*)$/i.exec(header ?? '')?.[1];
  if (token === 'one too many') throw new FhirError([{ kind: 'throttled', diagnostics: 'Wait.' }]);
  const scopes = TOKENS[token ?? ''];
  if (scopes === undefined || revoked.has(token ?? '')) {
    throw new FhirError(
      [{ kind: 'unauthorized', diagnostics: 'Send a token that holds.' }],
      ['WWW-Authenticate', 'Bearer realm="test"'],
    );
  }
  if (!scopes.includes(`${type}.${action}`)) {
    throw new FhirError(
      [{ kind: 'forbidden', diagnostics: `The token does not allow ${type}.${action}.` }],
      ['WWW-Authenticate', 'Bearer realm="test", error="insufficient_scope"'],
    );
  }
  const identity = {
    subject: `subject of ${token}`,
    client: token?.startsWith('other') ? 'other' : 'test',
  };
  return token === 'reader' ? Promise.resolve(identity) : identity;
};

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface OrderServer<Store extends Repository = MemoryRepository> {
  readonly port: number;
  readonly store: Store;
  /** Its base as this machine reaches it, which is not its public one. */
  readonly url: string;
  /** By the token `all`, unless the headers say otherwise. `path` is below the base. */
  send(
    method: string,
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<Answer>;
  /** Creates the example, or this; answers its id. */
  create(resource?: object): Promise<string>;
  close(): Promise<void>;
}

export function startOrders(
  settings: Partial<OrderSettings> = {},
  now?: () => Date,
): Promise<OrderServer> {
  return startOrdersOf(createMemoryRepository(now), settings);
}

export async function startOrdersOf<Store extends Repository>(
  store: Store,
  settings: Partial<OrderSettings> = {},
  answerBudget?: AnswerBudget,
  subscriptions?: OrderServiceOptions['subscriptions'],
): Promise<OrderServer<Store>> {
  const handle = createHandle({
    services: [
      createDirectoryService(servedStu3(DIRECTORY_SETTINGS, BASE), {
        current: () => undefined,
        byNumber: () => undefined,
      }),
      createOrderService({
        settings: { ...SETTINGS, ...settings },
        serverUrl: BASE,
        store,
        authorize,
        newId: randomUUID,
        answerBudget,
        ...(subscriptions && { subscriptions }),
      }),
    ],
    software: SOFTWARE,
    onFault: (error) => {
      throw error;
    },
  });
  const { server } = createListener({
    handle,
    idPrefix: 'test-',
    limits: { ...LISTENER_LIMITS, bodyBytesMax: BODY_BYTES_MAX },
  });
  const port = await listenOnLoopback(server);
  const url = `http://127.0.0.1:${port}/base`;
  const send: OrderServer<Store>['send'] = async (method, path, headers = {}, body) => {
    const answer = await fetch(`${url}/${path}`, {
      method,
      headers: { authorization: 'BEARER all', ...headers },
      ...(body !== undefined && { body }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return {
    port,
    store,
    url,
    send,
    create: async (resource = EXAMPLE) => {
      const type = { 'content-type': JSON_TYPE };
      const { status, headers, text } = await send(
        'POST',
        'OrderResponse',
        type,
        JSON.stringify(resource),
      );
      if (status !== 201) throw new Error(text);
      return headers.get('location')?.split('/').at(-3) ?? '';
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
