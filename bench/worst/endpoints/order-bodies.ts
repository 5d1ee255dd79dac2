/** The bodies of the dearest writes: nearly as many elements as `orders.elementsMax` allows, in few bytes. */
import { EXAMPLE_RESPONSE } from '../../../src/orders/order-response/example.ts';
import { SECRET_URL } from '../../../src/orders/subscriptions/subscription.ts';

export const FHIR_TYPE = { 'content-type': 'application/json+fhir' };

const EXTENSIONS = Array.from({ length: 1_300 }, () => ({ url: 'u:a', valueCode: 'b' }));

export const ORDER_BODY = JSON.stringify({ ...EXAMPLE_RESPONSE, extension: EXTENSIONS });

/** A conditional update, and what it names. */
export const CONDITION = 'identifier=https://orders.example|1';
export const CONDITIONAL_BODY = JSON.stringify({
  ...EXAMPLE_RESPONSE,
  extension: EXTENSIONS,
  identifier: [{ system: 'https://orders.example', value: '1' }],
});

/** The host that the server of the benchmark allows as a receiver. */
export const RECEIVER = 'hooks.example';

/** With as many headers as a channel may have, and a secret: the server encrypts all of them. */
export const SUBSCRIPTION_BODY = JSON.stringify({
  resourceType: 'Subscription',
  extension: EXTENSIONS,
  criteria: `OrderResponse?${CONDITION}`,
  reason: 'The outcomes of the orders of one practice',
  status: 'requested',
  channel: {
    extension: [{ url: SECRET_URL, valueString: 's'.repeat(256) }],
    type: 'rest-hook',
    endpoint: `https://${RECEIVER}/outcomes`,
    payload: 'application/json',
    header: Array.from({ length: 20 }, (_, at) => `X-Header-${at}: ${'h'.repeat(100)}`).join('\n'),
  },
});

/** The body of an update, which names its resource. */
export function withId(body: string, id: string): string {
  return JSON.stringify({ ...JSON.parse(body), id });
}
