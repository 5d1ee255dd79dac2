/** Searches of order responses: for each parameter, values that match an example and values that do not. */
import type { Resource } from '../../src/fhir/format/resource.ts';
import { EXAMPLE_RESPONSE } from '../../src/orders/order-response/example.ts';

const NHS = 'https://fhir.nhs.uk/Id/nhs-number';
const [order, patient, practitioner] = EXAMPLE_RESPONSE.contained;
/** What FHIR requires of a report. */
const REPORT = {
  status: 'final',
  code: { text: 'Full blood count' },
  subject: { reference: '#pat' },
  effectiveDateTime: '2017-06-02',
  issued: '2017-06-02T09:30:00Z',
  performer: { reference: '#lab' },
};

/** What the cases search for. */
export const SEARCHED: Resource = {
  ...EXAMPLE_RESPONSE,
  contained: [
    {
      ...order,
      identifier: [{ system: 'urn:orders', value: 'O,1' }],
      date: '2017-06-01',
      subject: { reference: '#pat', display: 'Élodie Kanfeld' },
      source: { reference: 'Practitioner/gp', display: 'Dr Ward' },
      target: { reference: '#lab' },
      detail: [...order.detail, { reference: '#report' }, { display: 'Blood film' }],
    },
    { resourceType: 'Organization', id: 'lab', identifier: [{ system: 'urn:labs', value: 'L1' }] },
    {
      resourceType: 'DiagnosticReport',
      id: 'report',
      identifier: [{ system: 'urn:reports', value: '12345' }],
      ...REPORT,
    },
    { ...patient, identifier: [{ system: NHS, value: '9434765919' }] },
    practitioner,
  ],
  identifier: [{ system: 'urn:responses', value: 'A|1', type: { text: 'Filler number' } }],
  fulfillment: [{ reference: 'DiagnosticReport/12/_history/3' }, { display: 'A phone call' }],
};
/** In values, `{id}` is the id of the example, and `{base}` the base of the server. */
export const SEARCH_CASES: Readonly<
  Record<string, { matching: readonly string[]; others: readonly string[] }>
> = {
  _id: { matching: ['{id}', 'x,{id}'], others: ['A{id}', 'none'] },
  '_id:not': { matching: ['x'], others: ['{id}', 'x,{id}'] },
  _lastUpdated: {
    matching: [
      '2026-11-21',
      '2026-11-21T09:30:00.123Z',
      'gt2026-11-20',
      'le2026-11-21T10:30%2B01:00',
    ],
    others: ['2026-11-20', 'lt2026-11-21', 'sa2026-11-21', '2026-11-21T09:30:00.124Z'],
  },
  identifier: {
    matching: ['urn:responses|A%5C|1', 'A%5C|1', 'urn:responses|', 'x,A%5C|1'],
    others: ['|A%5C|1', 'urn:other|A%5C|1', 'a%5C|1', 'urn:orders|'],
  },
  'identifier:not': { matching: ['x', '|A%5C|1'], others: ['A%5C|1', 'x,urn:responses|'] },
  'identifier:missing': { matching: ['false'], others: ['true'] },
  'identifier:text': { matching: ['filler', 'x,FILLER N'], others: ['number'] },
  request: { matching: ['%23order', 'x,%23order'], others: ['order', 'Order/order', '%23pat'] },
  'request:missing': { matching: ['false'], others: ['true'] },
  who: { matching: ['%23prac'], others: ['prac', 'Practitioner/prac'] },
  date: {
    matching: [
      '2017',
      '2017-06-15',
      '2017-06-15T13:57:54Z',
      '2017-06-15T14:57%2B01:00',
      'ap2017-06',
    ],
    others: ['2018', '2017-06-15T14:57:54Z', 'ne2017', 'eb2017-06-15', '2017-06-15T13:57:55Z'],
  },
  'date:missing': { matching: ['false'], others: ['true'] },
  code: {
    matching: [
      'completed',
      'http://hl7.org/fhir/order-status|completed',
      'accepted,completed',
      'http://hl7.org/fhir/order-status|',
    ],
    others: ['accepted', '|completed', 'urn:x|completed'],
  },
  'code:not': { matching: ['accepted'], others: ['completed', 'accepted,completed'] },
  fulfillment: {
    matching: ['12', 'DiagnosticReport/12', '{base}/DiagnosticReport/12'],
    others: ['Order/12', 'https://there.test/fhir/DiagnosticReport/12', '13'],
  },
  'fulfillment:DiagnosticReport': { matching: ['12'], others: ['13'] },
  'fulfillment:Order': { matching: [], others: ['12'] },
  'request.identifier': { matching: ['O%5C,1', 'urn:orders|O%5C,1'], others: ['O,1', 'A%5C|1'] },
  'request:Order.identifier': { matching: ['O%5C,1'], others: ['A%5C|1'] },
  'request.patient': { matching: ['%23pat'], others: ['pat', '%23order'] },
  'request.patient:identifier': { matching: ['9434765919'], others: ['1234DEF'] },
  'request.patient:text': { matching: ['elodie'], others: ['Kanfeld'] },
  patient: { matching: ['%23pat'], others: ['pat', '%23order'] },
  'patient:identifier': { matching: [`${NHS}|9434765919`], others: ['9434765918'] },
  'patient:missing': { matching: ['false'], others: ['true'] },
  'request.detail': {
    matching: ['https://fhir.example.org/OrderComms/DiagnosticReport/12345ReportId', '%23report'],
    others: ['12345ReportId', 'DiagnosticReport/12345ReportId', '%23lab'],
  },
  'request:Order.detail': { matching: ['%23report'], others: ['%23lab'] },
  'request.detail:identifier': {
    matching: ['12345', 'urn:reports|12345'],
    others: ['|12345', 'urn:labs|L1', '12345ReportId'],
  },
  'request.detail:text': { matching: ['blood F'], others: ['film'] },
  'request.detail:missing': { matching: ['false'], others: ['true'] },
  'request.source': { matching: ['gp', 'Practitioner/gp'], others: ['Organization/gp'] },
  'request.source:Organization': { matching: [], others: ['gp'] },
  'request.source:text': { matching: ['dr ward'], others: ['ward'] },
  'request.target': { matching: ['%23lab'], others: ['lab'] },
  'request.target:identifier': { matching: ['urn:labs|'], others: ['urn:reports|'] },
  'request.date': { matching: ['2017-06', 'lt2017-06-02'], others: ['2017-06-15'] },
  'request.patient.identifier': {
    matching: ['9434765919', `${NHS}|9434765919`, `${NHS}|`],
    others: ['9434765918', '|9434765919', '1234DEF'],
  },
  'request:Order.patient:Patient.identifier': { matching: ['9434765919'], others: ['1'] },
  'request.patient:Patient.identifier:missing': { matching: ['false'], others: ['true'] },
  'request.identifier:missing': { matching: ['false'], others: ['true'] },
  'who.identifier': { matching: ['123455'], others: ['9434765919'] },
};

/** Searches that are refused, with a part of the diagnostics. */
export const REFUSED_SEARCHES: readonly [query: string, problem: RegExp][] = [
  ['status=completed', /Unknown search parameter "status"/],
  [
    'code=complete',
    /Unknown value "complete" of code. Did you mean "completed"\? .* pending, review, .*completed\.$/,
  ],
  ['code:not=Accepted', /Unknown value "Accepted" of code/],
  ['code=accepted,http://hl7.org/fhir/order-status|x', /Unknown value "http:\/\/hl7.*\|x" of code/],
  ['code:exact=completed', /Unknown search parameter "code:exact"/],
  ['request:Patient=1', /Unknown search parameter "request:Patient"/],
  ['request:Patient.identifier=1', /Unknown search parameter "request:Patient.identifier"/],
  ['request.patient.name=x', /Unknown search parameter/],
  ['date=yesterday', /^date must be a date, such as 2026-03-31/],
  ['date:missing=1', /date:missing must be true or false/],
  ['identifier=', /is not valid/],
  ['patient:identifier=a|b|c', /patient:identifier "a\|b\|c" is not valid/],
  ['request.detail:text=', /request.detail:text is empty/],
  ['_sort=patient', /Unknown value "patient" of _sort/],
  ['identifier=a|b|c', /identifier "a\|b\|c" is not valid/],
  ['identifier:text=', /identifier:text is empty/],
  ['request=', /reference is empty/],
  ['_sort=status', /Unknown value "status" of _sort/],
  ['_sort:up=date', /Unknown search parameter "_sort:up"/],
  ['_summary=all', /Unknown value "all" of _summary/],
  ['_elements=', /_elements cannot be ""/],
  ['_summary=text&_elements=date', /_summary or _elements, but not both/],
  ['_elements=date&_summary=data', /_summary or _elements, but not both/],
  ['_count=-1', /^_count must be a whole number, 0 or more\. Got "-1"\.$/],
  ['_count=1&_count=2', /_count can be given only once/],
  ['_result=1', /Follow the links/],
  ['_offset=x', /_offset must be a whole number/],
];
