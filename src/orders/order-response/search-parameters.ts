/**
 * The search parameters of order responses: those of FHIR, and those that search the contained
 * Order, Patient and Practitioner. https://hl7.org/fhir/DSTU2/orderresponse.html#search
 */
import { DSTU2 } from '../../fhir/definitions/fhir-version.ts';
import {
  aliasOf,
  EVERY_TYPE_PARAMETERS,
  type ResourceParameter,
  resourceDate,
  resourceReference,
  resourceToken,
} from '../../fhir/search/resource-parameter.ts';
import {
  costlyText,
  IDENTIFIER_SEARCH,
  type ResourceSearch,
} from '../../fhir/search/resource-search.ts';
import { resourceText } from '../../fhir/search/resource-text.ts';
import { STATUS_CODES, SUBSCRIPTION } from '../subscriptions/subscription.ts';

/** https://hl7.org/fhir/DSTU2/valueset-order-status.html */
const ORDER_STATUS_CODES = [
  'pending',
  'review',
  'rejected',
  'error',
  'accepted',
  'cancelled',
  'replaced',
  'aborted',
  'completed',
];

/** The reference to the patient of an order response. */
export const PATIENT_PATH = ['request', 'Order', 'subject'];

const REQUEST_PATIENT = resourceReference({
  name: 'request.patient',
  path: PATIENT_PATH,
  targets: ['Patient'],
  describes: 'request.patient.identifier',
  documentation: 'The patient that the contained Order is about.',
});

const INDEXED_PARAMETERS: readonly ResourceParameter[] = [
  ...EVERY_TYPE_PARAMETERS,
  resourceToken({
    name: 'identifier',
    path: ['identifier'],
    hasTexts: true,
    documentation: 'A business identifier of the order response.',
  }),
  resourceReference({
    name: 'request',
    path: ['request'],
    targets: ['Order'],
    documentation: 'The order that this responds to.',
  }),
  resourceReference({
    name: 'who',
    path: ['who'],
    targets: ['Practitioner', 'Organization', 'Device'],
    documentation: 'Who responded.',
  }),
  resourceDate({ name: 'date', path: ['date'], documentation: 'When the response was made.' }),
  resourceToken({
    name: 'code',
    path: ['orderStatus'],
    system: 'http://hl7.org/fhir/order-status',
    codes: ORDER_STATUS_CODES,
    documentation: 'The status of the order, such as completed.',
    otherNames: ['status', 'orderStatus'],
  }),
  resourceReference({
    name: 'fulfillment',
    path: ['fulfillment'],
    targets: DSTU2.definitions.resourceTypes,
    documentation: 'The resource that fulfils the order.',
  }),
  resourceToken({
    name: 'request.identifier',
    path: ['request', 'Order', 'identifier'],
    hasTexts: true,
    documentation: 'A business identifier of the contained Order.',
  }),
  REQUEST_PATIENT,
  resourceToken({
    name: 'request.patient.identifier',
    path: [...PATIENT_PATH, 'Patient', 'identifier'],
    hasTexts: true,
    documentation: 'An identifier of the contained Patient, such as an NHS number.',
  }),
  resourceReference({
    name: 'request.detail',
    path: ['request', 'Order', 'detail'],
    targets: DSTU2.definitions.resourceTypes,
    describes: true,
    documentation: 'What the contained Order is about, such as a report to review.',
  }),
  resourceReference({
    name: 'request.source',
    path: ['request', 'Order', 'source'],
    targets: ['Practitioner', 'Organization'],
    describes: true,
    documentation: 'Who initiated the contained Order.',
  }),
  resourceReference({
    name: 'request.target',
    path: ['request', 'Order', 'target'],
    targets: ['Organization', 'Device', 'Practitioner'],
    describes: true,
    documentation: 'Who is intended to fulfil the contained Order.',
  }),
  resourceDate({
    name: 'request.date',
    path: ['request', 'Order', 'date'],
    documentation: 'When the contained Order was made.',
  }),
  resourceToken({
    name: 'who.identifier',
    path: ['who', 'Practitioner', 'identifier'],
    hasTexts: true,
    documentation: 'An identifier of the contained Practitioner.',
  }),
];

const ORDER_RESPONSE_SEARCH: ResourceSearch = {
  parameters: [...INDEXED_PARAMETERS, aliasOf(REQUEST_PATIENT, 'patient')],
  sortable: INDEXED_PARAMETERS.map(({ name }) => name),
  /** https://hl7.org/fhir/DSTU2/orderresponse-definitions.html: the elements with `Summary: true` */
  summaryElements: [
    'identifier',
    'request',
    'date',
    'who',
    'orderStatus',
    'description',
    'fulfillment',
  ],
  costly: costlyText,
};

/** https://hl7.org/fhir/DSTU2/subscription.html#search */
const SUBSCRIPTION_SEARCH: ResourceSearch = {
  parameters: [
    ...EVERY_TYPE_PARAMETERS,
    resourceToken({
      name: 'contact',
      path: ['contact'],
      documentation: 'A contact for problems with the subscription.',
    }),
    resourceText({
      name: 'criteria',
      type: 'string',
      path: ['criteria'],
      documentation: 'The search that selects the notifications.',
    }),
    resourceText({
      name: 'payload',
      type: 'string',
      path: ['channel', 'payload'],
      documentation: 'The media type of the notifications.',
    }),
    resourceToken({
      name: 'status',
      path: ['status'],
      system: 'http://hl7.org/fhir/subscription-status',
      codes: STATUS_CODES,
      documentation: 'The status of the subscription, such as active.',
    }),
    resourceToken({ name: 'tag', path: ['tag'], documentation: 'A tag of the subscription.' }),
    resourceToken({
      name: 'type',
      path: ['channel', 'type'],
      system: 'http://hl7.org/fhir/subscription-channel-type',
      documentation: 'The type of the channel: rest-hook.',
    }),
    resourceText({
      name: 'url',
      type: 'uri',
      path: ['channel', 'endpoint'],
      documentation: 'The URL that gets the notifications.',
    }),
  ],
  /** https://hl7.org/fhir/DSTU2/subscription-definitions.html */
  summaryElements: ['criteria', 'contact', 'reason', 'status', 'error', 'channel', 'end', 'tag'],
  costly: costlyText,
};

/** The types that can be subscribed to. */
export const SUBSCRIBED_SEARCHES: ReadonlyMap<string, ResourceSearch> = new Map([
  ['OrderResponse', ORDER_RESPONSE_SEARCH],
]);

/** By type. Types that are not listed can be found by identifier. */
export const STORED_SEARCHES: ReadonlyMap<string, ResourceSearch> = new Map([
  ...SUBSCRIBED_SEARCHES,
  [SUBSCRIPTION, SUBSCRIPTION_SEARCH],
]);

/**
 * The parameters that find resources by their patient, for each such parameter of the audit log
 * (`fhir/audit/audit-event.ts`).
 */
export const PATIENT_PARAMETERS: ReadonlyMap<
  string,
  readonly { readonly type: string; readonly field: string }[]
> = new Map([
  ['patient', [{ type: 'OrderResponse', field: 'request.patient' }]],
  ['patient.identifier', [{ type: 'OrderResponse', field: 'request.patient.identifier' }]],
]);

export function storedSearchOf(type: string): ResourceSearch {
  return STORED_SEARCHES.get(type) ?? IDENTIFIER_SEARCH;
}
