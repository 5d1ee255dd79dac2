/** A subscription as a client sends it. */
import { SECRET_URL } from '../../src/orders/subscriptions/subscription.ts';

export const SECRET = 'a secret of thirty characters.';

export const CHANNEL = {
  extension: [{ url: SECRET_URL, valueString: SECRET }],
  type: 'rest-hook',
  endpoint: 'https://hooks.example/outcomes',
  payload: 'application/json',
  header: 'Authorization: Bearer 1234\nX-System: practice',
};

export const SUBSCRIPTION_EXAMPLE = {
  resourceType: 'Subscription',
  criteria: 'OrderResponse?request.patient.identifier=https://fhir.nhs.uk/Id/nhs-number|9476719931',
  reason: 'The outcomes of our orders',
  status: 'requested',
  channel: CHANNEL,
};
