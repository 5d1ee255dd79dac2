/** A deliverer with a store in memory, a clock that need not be waited for, and a real receiver. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DSTU2 } from '../../src/fhir/definitions/fhir-version.ts';
import type { Resource } from '../../src/fhir/format/resource.ts';
import { entriesOf } from '../../src/fhir/search/resource-parameter.ts';
import type { Change, Repository } from '../../src/fhir/stored/repository.ts';
import { unstampedText } from '../../src/fhir/stored/stored-text.ts';
import { EXAMPLE_RESPONSE } from '../../src/orders/order-response/example.ts';
import {
  SUBSCRIBED_SEARCHES,
  storedSearchOf,
} from '../../src/orders/order-response/search-parameters.ts';
import { AllowedHosts } from '../../src/orders/subscriptions/allowed-hosts.ts';
import { conceal } from '../../src/orders/subscriptions/channel-seal.ts';
import type { Clock } from '../../src/orders/subscriptions/clock.ts';
import { Deliverer, type DelivererOptions } from '../../src/orders/subscriptions/deliverer.ts';
import {
  type DeliveryState,
  type DeliveryStore,
  SUBSCRIPTIONS_PAGE,
} from '../../src/orders/subscriptions/delivery-store.ts';
import { createReceivers, type ReceiverOptions } from '../../src/orders/subscriptions/receivers.ts';
import { Slots } from '../../src/threads/slots.ts';
import { serveOnLoopback } from '../loopback.ts';
import { createMemoryRepository } from '../storage/memory-repository.ts';
import { CHANNEL, SUBSCRIPTION_EXAMPLE } from './example.ts';

export const KEY = new Uint8Array(32).fill(7);
export const TIMEOUT_MS = 250;

const ACCESS = { address: '', requestId: 'test', interaction: 'create' } as const;
const PRECONDITIONS = { preconditions: {} };

export interface Received {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The id of the order response, from the header. */
  readonly id: string;
}

export type Answer = (response: ServerResponse, request: Received, count: number) => void;

/** A receiver that answers 200 unless told otherwise. `tls`: its certificate and key, as PEM. */
export async function startReceiver(
  context: TestContext,
  answer: Answer = (to) => to.end(),
  tls?: { readonly cert: Buffer; readonly key: Buffer },
) {
  const received: Received[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const { method = '', headers } = request;
    const id = /OrderResponse\/([^/]+)/.exec(String(headers['gazetteer-resource']))?.[1] ?? '';
    const one = { method, headers, body, id };
    received.push(one);
    answer(response, one, received.length);
  };
  const server = tls === undefined ? createServer(receive) : createSecureServer(tls, receive);
  const port = await serveOnLoopback(context, server);
  return { received, port, url: `http://127.0.0.1:${port}/outcomes` };
}

/** Pauses between attempts pass at once, and move the time on. */
export function createTestClock() {
  const pauses: number[] = [];
  let offsetMs = 0;
  const clock: Clock = {
    now: () => Date.now() + offsetMs,
    random: () => 1,
    sleep: async (ms, signal) => {
      if (ms < 1_000) return pause(Math.min(ms, 5), undefined, { signal }).catch(() => undefined);
      pauses.push(ms);
      offsetMs += ms;
      await pause(1, undefined, { signal }).catch(() => undefined);
    },
  };
  const advance = (ms: number) => {
    offsetMs += ms;
  };
  return { ...clock, pauses, advance };
}

/** A store in memory, also of the states of deliveries. `erased`: the ids that have no content. */
export function createTestStore() {
  const repository = createMemoryRepository();
  const states = new Map<string, DeliveryState>();
  const erased = new Set<string>();
  const withoutErased = (change: Change): Change => {
    const { text: _, ...rest } = change;
    return erased.has(change.id) ? { ...rest, isErased: true } : change;
  };
  const store: DeliveryStore = {
    update: repository.update,
    notifications: async (request, access, wait) => {
      if (repository.failure !== undefined) throw repository.failure;
      const result = await repository.changes(request, access ?? ACCESS, wait);
      if (result.kind !== 'found') return result;
      return { ...result, versions: result.versions.map(withoutErased) };
    },
    currentSubscriptions: async () => {
      const request = { ...SUBSCRIPTIONS_PAGE, count: 1_000_000, position: '0' };
      const result = await store.notifications(request, undefined);
      if (result.kind !== 'found') throw new Error('the store has no versions');
      const newest = new Map(result.versions.map((change) => [change.id, change]));
      return [...newest.values()].filter(({ text }) => text !== undefined);
    },
    readDeliveries: async () => [...states.values()],
    saveDeliveries: async (saved) => {
      if (repository.failure !== undefined) throw repository.failure;
      for (const state of saved) states.set(state.subscription, state);
    },
  };
  return { repository, store, states, erased };
}

export type TestStore = ReturnType<typeof createTestStore>;

/** Any repository: that of a test store, or of a real store. */
export interface Writable {
  readonly repository: Pick<Repository, 'create' | 'update' | 'delete' | 'read'>;
}

/** Starts a deliverer over the store, and stops it after the test. */
export function startDeliverer(
  context: TestContext,
  { store }: Pick<TestStore, 'store'>,
  {
    allowed = ['127.0.0.1'],
    resolve,
    clock = createTestClock(),
    timeoutMs = TIMEOUT_MS,
    ...more
  }: Partial<DelivererOptions> & {
    readonly allowed?: readonly string[];
    readonly resolve?: ReceiverOptions['resolve'] | LookupFunction;
    readonly clock?: ReturnType<typeof createTestClock>;
    /** How long a receiver may take. A test that counts deliveries needs a long time. */
    readonly timeoutMs?: number;
  } = {},
) {
  const problems: string[] = [];
  const hosts = new AllowedHosts(allowed);
  const receivers = createReceivers({ hosts, timeoutMs, now: clock.now, resolve });
  const deliverer = new Deliverer({
    store,
    receivers,
    clock,
    slots: new Slots(64),
    definitions: DSTU2.definitions,
    giveUpMs: 24 * 3_600_000,
    mayDeliver: () => true,
    searches: SUBSCRIBED_SEARCHES,
    baseUrl: 'http://orders.test',
    search: storedSearchOf('Subscription'),
    key: () => KEY,
    mayFollow: true,
    onProblem: (_id, problem) => problems.push(problem),
    onFault: (problem) => problems.push(problem),
    ...more,
  });
  deliverer.start();
  const stop = async () => {
    await deliverer.stop();
    receivers.close();
  };
  context.after(stop);
  return { deliverer, clock, problems, stop };
}

/** Stores a subscription to all order responses; answers its id. */
export async function subscribe(
  { repository }: Writable,
  url: string,
  change: { readonly channel?: object; readonly [name: string]: unknown } = {},
): Promise<string> {
  const id = randomUUID();
  const channel = { ...CHANNEL, endpoint: url, ...change.channel };
  const sent = { ...SUBSCRIPTION_EXAMPLE, criteria: 'OrderResponse', ...change, channel };
  await writeSubscription(repository, sent, id, 'create');
  return id;
}

/** Sends a subscription again, as its owner does who reads it before. */
export async function changeSubscription(
  { repository }: Writable,
  id: string,
  change: object,
): Promise<void> {
  const stored = await repository.read({ type: 'Subscription', id }, ACCESS);
  const { meta: _, ...resource } = JSON.parse(stored?.text ?? '');
  await writeSubscription(repository, { ...resource, ...change }, id, 'update');
}

/** Stores a version of a subscription as its owner sends it. */
export async function writeSubscription(
  repository: Writable['repository'],
  sent: object,
  id: string,
  method: 'create' | 'update',
): Promise<void> {
  const owner = { subject: 'practice', client: 'system' };
  const concealed = conceal(sent as unknown as Resource, id, owner, KEY);
  if (!('resource' in concealed)) throw new Error(`lost ${concealed.lost}`);
  const { resource } = concealed;
  const entries = entriesOf(resource, storedSearchOf('Subscription').parameters);
  const stored = { type: 'Subscription', id, text: unstampedText(resource, id), entries };
  if (method === 'create') await repository.create(stored, ACCESS);
  else await repository.update({ ...stored, ...PRECONDITIONS }, ACCESS);
}

export async function subscriptionOf({ repository }: Writable, id: string) {
  const stored = await repository.read({ type: 'Subscription', id }, ACCESS);
  return JSON.parse(stored?.text ?? '{}');
}

/** Creates order responses; answers their ids in their order. */
export async function createResponses({ repository }: Writable, count = 1): Promise<string[]> {
  const ids: string[] = [];
  const resource = EXAMPLE_RESPONSE as unknown as Resource;
  const entries = entriesOf(resource, storedSearchOf('OrderResponse').parameters);
  for (let at = 0; at < count; at++) {
    const id = randomUUID();
    ids.push(id);
    const creation = { type: 'OrderResponse', id, text: unstampedText(resource, id), entries };
    await repository.create(creation, ACCESS);
  }
  return ids;
}

/** Writes another version of an order response; answers what became of it. */
export async function updateResponse(
  { repository }: Writable,
  id: string,
  description: string,
): Promise<string> {
  const resource = { ...EXAMPLE_RESPONSE, description } as unknown as Resource;
  const entries = entriesOf(resource, storedSearchOf('OrderResponse').parameters);
  const text = unstampedText(resource, id);
  const update = { type: 'OrderResponse', id, text, entries, ...PRECONDITIONS };
  return (await repository.update(update, ACCESS)).kind;
}

export async function deleteResponse({ repository }: Writable, id: string): Promise<void> {
  await repository.delete({ type: 'OrderResponse', id, ...PRECONDITIONS }, ACCESS);
}

/** Resolves when the condition holds; the test's time limit bounds it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(2);
}

type Options = Parameters<typeof startDeliverer>[2];

/** A receiver with one active subscription. */
export async function setUp(
  context: TestContext,
  answer?: Answer,
  { options, change }: { readonly options?: Options; readonly change?: object } = {},
) {
  const place = createTestStore();
  const receiver = await startReceiver(context, answer);
  const id = await subscribe(place, receiver.url, { ...change });
  const running = startDeliverer(context, place, options);
  const hasStatus = async (status: string) => (await subscriptionOf(place, id)).status === status;
  await until(async () => (await hasStatus('active')) || (await hasStatus('off')));
  return { place, id, hasStatus, ...receiver, ...running };
}

export const idsOf = (received: readonly Received[]) => received.map(({ id }) => id);
export const deliveriesOf = (received: readonly Received[]) =>
  received.map(({ headers }) => headers['gazetteer-delivery']);
