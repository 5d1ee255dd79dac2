/** The resources that a benchmark stores, so that requests find them: orders, subscriptions, the audit log. */
import {
  AUDIT_EVENT,
  AUDIT_EVENT_SEARCH,
  auditEvent,
  auditEventId,
} from '../../../src/fhir/audit/audit-event.ts';
import { entriesOf } from '../../../src/fhir/search/resource-parameter.ts';
import type { Repository } from '../../../src/fhir/stored/repository.ts';
import { unstampedText } from '../../../src/fhir/stored/stored-text.ts';
import type { Ask, StoredFacts } from './case.ts';
import {
  CONDITION,
  CONDITIONAL_BODY,
  FHIR_TYPE,
  ORDER_BODY,
  SUBSCRIPTION_BODY,
  withId,
} from './order-bodies.ts';

/** More than a page of XML has, which is cut at 320 KiB of the stored texts. */
const ORDERS = 200;
const VERSIONS = 20;
const SUBSCRIPTIONS = 20;
/** As many as a page may have. */
const AUDIT_EVENTS = 100;
/** The most resources that an entry of the audit log names. */
const FOUND = 100;

export async function storeResources(store: Repository, ask: Ask): Promise<StoredFacts> {
  const write = async (method: string, path: string, body: string, query?: string) => {
    const answer = await ask({ method, path, headers: FHIR_TYPE, body, ...(query && { query }) });
    if (answer.status > 201) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return /\/([^/]+)\/_history/.exec(answer.location ?? '')?.[1] ?? '';
  };
  const orders: string[] = [];
  for (let count = 0; count < ORDERS; count++) {
    orders.push(await write('POST', '/OrderResponse', ORDER_BODY));
  }
  const [order = ''] = orders;
  for (let version = 1; version < VERSIONS; version++) {
    await write('PUT', `/OrderResponse/${order}`, withId(ORDER_BODY, order));
  }
  await write('PUT', '/OrderResponse', CONDITIONAL_BODY, CONDITION);
  const subscriptions: string[] = [];
  for (let count = 0; count < SUBSCRIPTIONS; count++) {
    subscriptions.push(await write('POST', '/Subscription', SUBSCRIPTION_BODY));
  }
  const [subscription = '', ended = ''] = subscriptions;
  for (let version = 1; version < VERSIONS; version++) {
    await write('PUT', `/Subscription/${subscription}`, withId(SUBSCRIPTION_BODY, subscription));
  }
  const auditEvent = await storeAuditEvents(store, orders.slice(0, FOUND));
  return { order, subscription, ended, auditEvent };
}

/** Entries of searches that showed as many resources as a page may have. Returns the id of one. */
async function storeAuditEvents(store: Repository, resources: readonly string[]): Promise<string> {
  const access = { address: '127.0.0.1', requestId: 'bench', interaction: 'search-type' } as const;
  let id = '';
  for (let number = 1; number <= AUDIT_EVENTS; number++) {
    const entry = { ...access, writer: 1, number, recordedAt: new Date(number).toISOString() };
    const found = { count: resources.length, total: ORDERS, resources, subject: 'bench' };
    const event = auditEvent({
      ...entry,
      ...found,
      outcome: 'found',
      resourceType: 'OrderResponse',
    });
    id = auditEventId(entry);
    const entries = entriesOf(event, AUDIT_EVENT_SEARCH.parameters);
    await store.create({ type: AUDIT_EVENT, id, text: unstampedText(event, id), entries }, access);
  }
  return id;
}
