/** The OrderResponse service with subscriptions behind a real socket, for tests over HTTP. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { DSTU2 } from '../../src/fhir/definitions/fhir-version.ts';
import { parseStored } from '../../src/fhir/service/stored-resource.ts';
import type { Repository } from '../../src/fhir/stored/repository.ts';
import { unstampedText } from '../../src/fhir/stored/stored-text.ts';
import type { SubscriptionOptions } from '../../src/orders/order-response/service.ts';
import type { OrderSettings } from '../../src/orders/order-response/settings.ts';
import { AllowedHosts } from '../../src/orders/subscriptions/allowed-hosts.ts';
import {
  type SubscriptionStatus,
  withStatus,
} from '../../src/orders/subscriptions/subscription.ts';
import { type Answer, JSON_TYPE, startOrdersOf } from '../order-response/order-server.ts';
import { createMemoryRepository } from '../storage/memory-repository.ts';
import { SUBSCRIPTION_EXAMPLE } from './example.ts';

export const KEY = new Uint8Array(32).fill(7);

export interface SetUp {
  /** In memory by default, which does not know who created a resource. */
  readonly store?: Repository;
  readonly allowed?: readonly string[];
  readonly subscriptions?: Partial<SubscriptionOptions>;
  readonly settings?: Partial<OrderSettings>;
}

/** The OrderResponse service with subscriptions, and what clients and the server do with them. */
export async function setUp(
  context: TestContext,
  {
    store = createMemoryRepository(),
    allowed = ['hooks.example', 'localhost'],
    subscriptions = {},
    settings = {},
  }: SetUp = {},
) {
  const server = await startOrdersOf(store, settings, undefined, {
    hosts: new AllowedHosts(allowed),
    key: () => KEY,
    updates: 'creator',
    countMax: 1000,
    perClientMax: 100,
    ...subscriptions,
  });
  context.after(() => server.close());
  const send = (method: string, path: string, headers: object = {}, body?: string | object) =>
    server.send(
      method,
      path,
      {
        authorization: 'Bearer subscriber',
        accept: JSON_TYPE,
        ...(body !== undefined && { 'content-type': JSON_TYPE }),
        ...headers,
      },
      typeof body === 'object' ? JSON.stringify(body) : body,
    );
  const create = async (change: object = {}) => {
    const answer = await send('POST', 'Subscription', {}, { ...SUBSCRIPTION_EXAMPLE, ...change });
    assert.equal(answer.status, 201, answer.text);
    return /Subscription\/([^/]+)/.exec(answer.headers.get('location') ?? '')?.[1] ?? '';
  };
  /** Stores a version with what the server sets: the status, and why it set it. */
  const setStatus = async (id: string, status: SubscriptionStatus, error?: string) => {
    const { text } = await send('GET', `Subscription/${id}`);
    const resource = withStatus(parseStored(text, DSTU2.definitions), status, error);
    const access = { address: '', requestId: '', interaction: 'update' } as const;
    const update = { type: 'Subscription', id, text: unstampedText(resource, id), entries: [] };
    await store.update({ ...update, preconditions: {} }, access);
  };
  return { send, create, setStatus };
}

export function problemsIn(answer: Answer): string[] {
  return JSON.parse(answer.text).issue.map(
    ({ diagnostics }: { diagnostics: string }) => diagnostics,
  );
}
