/**
 * Examples for the API description: an order response, which is the review of a laboratory report,
 * and requests. The people in it are invented.
 */
import type { RequestExamples } from '../../fhir/service/open-api-examples.ts';

export const EXAMPLE_RESPONSE = {
  resourceType: 'OrderResponse',
  contained: [
    {
      resourceType: 'Order',
      id: 'order',
      subject: { reference: '#pat' },
      reasonCodeableConcept: {
        coding: [
          {
            system: 'http://snomed.info/sct',
            code: '324861000000109',
            display: 'Review of patient laboratory test report',
          },
        ],
      },
      detail: [{ reference: 'https://fhir.example.org/OrderComms/DiagnosticReport/12345ReportId' }],
    },
    {
      resourceType: 'Patient',
      id: 'pat',
      meta: { profile: ['https://fhir-test.hl7.org.uk/StructureDefinition/CareConnect-Patient-1'] },
      identifier: [{ system: 'https://fhir.example.org/PAS/Patient/', value: '1234DEF' }],
      name: [{ family: ['Kanfeld'] }],
      gender: 'female',
      birthDate: '1998-03-19',
    },
    {
      resourceType: 'Practitioner',
      id: 'prac',
      meta: {
        profile: ['https://fhir-test.hl7.org.uk/StructureDefinition/CareConnect-Practitioner-1'],
      },
      identifier: [{ system: 'https://fhir.nhs.uk/Id/sds-user-id', value: '123455' }],
      name: { family: ['Example'] },
    },
  ],
  request: { reference: '#order' },
  date: '2017-06-15T14:57:54+01:00',
  who: { reference: '#prac' },
  orderStatus: 'completed',
} as const;

/** Placeholders for the ids that the server assigns. A client replaces them with real ids. */
export const EXAMPLE_ID = '019a0000-0000-7000-8000-000000000001';
export const EXAMPLE_AUDIT_ID = '019a0000-0000-7000-8000-000000000002';

const EXAMPLE_SUBSCRIPTION_ID = '019a0000-0000-7000-8000-000000000003';

const EXAMPLE_SUBSCRIPTION = {
  resourceType: 'Subscription',
  criteria: 'OrderResponse?request.source:identifier=https://system.example|4711',
  reason: 'The outcomes of the orders of one practice',
  status: 'requested',
  channel: {
    type: 'rest-hook',
    endpoint: 'https://hooks.example/outcomes',
    payload: 'application/json',
    header: 'Authorization: Bearer 4711',
  },
} as const;

const IDENTIFIER = { system: 'https://system.example', value: '4711' };

export const ORDER_EXAMPLES: RequestExamples = {
  readOrderResponse: { parameters: { id: EXAMPLE_ID } },
  vreadOrderResponse: { parameters: { id: EXAMPLE_ID, version: '1' } },
  historyOrderResponse: { parameters: { id: EXAMPLE_ID, _count: 5 } },
  createOrderResponse: { body: EXAMPLE_RESPONSE },
  updateOrderResponse: {
    parameters: { id: EXAMPLE_ID, 'If-Match': 'W/"1"' },
    body: { ...EXAMPLE_RESPONSE, id: EXAMPLE_ID, orderStatus: 'cancelled' },
  },
  deleteOrderResponse: { parameters: { id: EXAMPLE_ID } },
  conditionalUpdateOrderResponse: {
    parameters: { identifier: `${IDENTIFIER.system}|${IDENTIFIER.value}` },
    body: { ...EXAMPLE_RESPONSE, identifier: [IDENTIFIER] },
  },
  validateOrderResponse: { parameters: { mode: 'create' } },
  validateOneOrderResponse: { parameters: { id: EXAMPLE_ID, mode: 'update' } },
  searchOrderResponse: { parameters: { code: 'completed', '_sort:desc': 'date', _count: 5 } },
  historyOfAllOrderResponse: { parameters: { _count: 5 } },
  historyOfAll: { parameters: { _count: 5 } },
  readSubscription: { parameters: { id: EXAMPLE_SUBSCRIPTION_ID } },
  vreadSubscription: { parameters: { id: EXAMPLE_SUBSCRIPTION_ID, version: '1' } },
  historySubscription: { parameters: { id: EXAMPLE_SUBSCRIPTION_ID, _count: 5 } },
  createSubscription: { body: EXAMPLE_SUBSCRIPTION },
  updateSubscription: {
    parameters: { id: EXAMPLE_SUBSCRIPTION_ID, 'If-Match': 'W/"1"' },
    body: { ...EXAMPLE_SUBSCRIPTION, id: EXAMPLE_SUBSCRIPTION_ID, status: 'off' },
  },
  deleteSubscription: { parameters: { id: EXAMPLE_SUBSCRIPTION_ID } },
  validateSubscription: { parameters: { mode: 'create' } },
  validateOneSubscription: { parameters: { id: EXAMPLE_SUBSCRIPTION_ID, mode: 'update' } },
  searchSubscription: { parameters: { status: 'error', _count: 5 } },
  historyOfAllSubscription: { parameters: { _count: 5 } },
  searchAuditEvent: { parameters: { action: 'C', _count: 5 } },
  readAuditEvent: { parameters: { id: EXAMPLE_AUDIT_ID } },
  transaction: {
    body: {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [{ resource: EXAMPLE_RESPONSE, request: { method: 'POST', url: 'OrderResponse' } }],
    },
  },
};
