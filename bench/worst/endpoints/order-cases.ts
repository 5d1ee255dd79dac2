/** The dearest requests of order responses: without a store, the work of a server thread. */
import { EXAMPLE_RESPONSE } from '../../../src/orders/order-response/example.ts';
import { type CaseFacts, type EndpointCases, FORM_TYPE, PRETTY } from './case.ts';

const FHIR_TYPE = { 'content-type': 'application/json+fhir' };
const PAGE = `_count=100&${PRETTY}`;

export const ORDER_BODY = JSON.stringify(EXAMPLE_RESPONSE);
/** Nearly as long as a body may be. */
const LONG_BODY = JSON.stringify({
  ...EXAMPLE_RESPONSE,
  extension: Array.from({ length: 2_000 }, () => ({ url: 'u:a', valueCode: 'b' })),
});
const BATCH = JSON.stringify({
  resourceType: 'Bundle',
  type: 'batch',
  entry: Array.from({ length: 100 }, () => ({
    request: { method: 'GET', url: `OrderResponse?${PAGE}` },
  })),
});

export function orderCases({ order }: CaseFacts): EndpointCases {
  const write = { headers: FHIR_TYPE, body: LONG_BODY };
  const own = `/OrderResponse/${order}`;
  const none = '00000000-0000-0000-0000-000000000000';
  return {
    'GET /metadata': { query: PRETTY },
    'GET /_history': { query: PAGE },
    'POST /': { headers: FHIR_TYPE, body: BATCH },
    'POST /OrderResponse': write,
    'GET /OrderResponse': { query: PAGE },
    'PUT /OrderResponse': { ...write, query: 'identifier=a' },
    'GET /OrderResponse/{id}': { path: own, query: PRETTY },
    'PUT /OrderResponse/{id}': { ...write, path: own },
    'GET /OrderResponse/_history': { query: PAGE },
    'POST /OrderResponse/_search': { headers: FORM_TYPE, body: PAGE },
    'POST /OrderResponse/$validate': write,
    'GET /OrderResponse/{id}/_history': { path: `${own}/_history`, query: PAGE },
    'POST /OrderResponse/{id}/$validate': { ...write, path: `${own}/$validate` },
    'GET /OrderResponse/{id}/_history/{version}': { path: `${own}/_history/1`, query: PRETTY },
    'POST /Subscription': write,
    'GET /Subscription': { query: PAGE },
    'GET /Subscription/{id}': { path: `/Subscription/${none}` },
    'PUT /Subscription/{id}': { ...write, path: `/Subscription/${none}` },
    'DELETE /Subscription/{id}': { path: `/Subscription/${none}` },
    'GET /Subscription/_history': { query: PAGE },
    'POST /Subscription/_search': { headers: FORM_TYPE, body: PAGE },
    'POST /Subscription/$validate': write,
    'GET /Subscription/{id}/_history': { path: `/Subscription/${none}/_history` },
    'POST /Subscription/{id}/$validate': { ...write, path: `/Subscription/${none}/$validate` },
    'GET /Subscription/{id}/_history/{version}': { path: `/Subscription/${none}/_history/1` },
    'GET /AuditEvent': { query: PAGE },
    'GET /AuditEvent/{id}': { path: `/AuditEvent/${none}` },
    'POST /AuditEvent/_search': { headers: FORM_TYPE, body: PAGE },
  };
}
