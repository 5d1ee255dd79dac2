/** The dearest requests of order responses: without a store, the work of a server thread. */
import { type CaseFacts, type EndpointCases, FORM_TYPE, PRETTY } from './case.ts';
import {
  CONDITION,
  CONDITIONAL_BODY,
  FHIR_TYPE,
  ORDER_BODY,
  SUBSCRIPTION_BODY,
  withId,
} from './order-bodies.ts';

const PAGE = `_count=100&${PRETTY}`;

const BATCH = JSON.stringify({
  resourceType: 'Bundle',
  type: 'batch',
  entry: Array.from({ length: 100 }, () => ({
    request: { method: 'GET', url: `OrderResponse?${PAGE}` },
  })),
});

export function orderCases(facts: CaseFacts): EndpointCases {
  const order = `/OrderResponse/${facts.order}`;
  const subscription = `/Subscription/${facts.subscription}`;
  const ended = `/Subscription/${facts.ended}`;
  const auditEvent = `/AuditEvent/${facts.auditEvent}`;
  const write = bodyOf(ORDER_BODY);
  const update = bodyOf(withId(ORDER_BODY, facts.order));
  const subscribe = bodyOf(SUBSCRIPTION_BODY);
  const change = bodyOf(withId(SUBSCRIPTION_BODY, facts.subscription));
  const restart = bodyOf(withId(SUBSCRIPTION_BODY, facts.ended));
  const find = { headers: FORM_TYPE, body: PAGE };
  return {
    'GET /metadata': { query: PRETTY },
    'GET /_history': { query: PAGE },
    'POST /': { headers: FHIR_TYPE, body: BATCH },
    'POST /OrderResponse': { ...write, status: 201 },
    'GET /OrderResponse': { query: PAGE },
    'PUT /OrderResponse': { ...bodyOf(CONDITIONAL_BODY), query: CONDITION },
    'GET /OrderResponse/{id}': { path: order, query: PRETTY },
    'PUT /OrderResponse/{id}': { ...update, path: order },
    'GET /OrderResponse/_history': { query: PAGE },
    'POST /OrderResponse/_search': find,
    'POST /OrderResponse/$validate': write,
    'GET /OrderResponse/{id}/_history': { path: `${order}/_history`, query: PAGE },
    'POST /OrderResponse/{id}/$validate': { ...update, path: `${order}/$validate` },
    'GET /OrderResponse/{id}/_history/{version}': { path: `${order}/_history/1`, query: PRETTY },
    'POST /Subscription': { ...subscribe, status: 201 },
    'GET /Subscription': { query: PAGE },
    'GET /Subscription/{id}': { path: subscription, query: PRETTY },
    'PUT /Subscription/{id}': { ...change, path: subscription },
    'DELETE /Subscription/{id}': {
      path: ended,
      status: 204,
      before: { ...restart, method: 'PUT', path: ended },
    },
    'GET /Subscription/_history': { query: PAGE },
    'POST /Subscription/_search': find,
    'POST /Subscription/$validate': subscribe,
    'GET /Subscription/{id}/_history': { path: `${subscription}/_history`, query: PAGE },
    'POST /Subscription/{id}/$validate': { ...change, path: `${subscription}/$validate` },
    'GET /Subscription/{id}/_history/{version}': {
      path: `${subscription}/_history/1`,
      query: PRETTY,
    },
    'GET /AuditEvent': { query: PAGE },
    'GET /AuditEvent/{id}': { path: auditEvent, query: PRETTY },
    'POST /AuditEvent/_search': find,
  };
}

function bodyOf(body: string) {
  return { headers: FHIR_TYPE, body };
}
