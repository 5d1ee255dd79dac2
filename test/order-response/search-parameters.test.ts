/** What order responses are found by: each parameter with values that match, and values that do not. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FhirError } from '../../src/fhir/fhir-error.ts';
import type { Resource } from '../../src/fhir/format/resource.ts';
import { matches } from '../../src/fhir/search/criterion.ts';
import { parseSearchQuery } from '../../src/fhir/search/parse-search-query.ts';
import { entriesOf, versionEntries } from '../../src/fhir/search/resource-parameter.ts';
import { resourceSearchDefinition } from '../../src/fhir/search/resource-search.ts';
import { EXAMPLE_RESPONSE } from '../../src/order-response/example.ts';
import { storedSearchOf } from '../../src/order-response/search-parameters.ts';

const CONTEXT = { baseUrl: 'https://here.test/fhir' };
const SEARCH = storedSearchOf('OrderResponse');
const DEFINITION = resourceSearchDefinition(SEARCH);

const NHS = 'https://fhir.nhs.uk/Id/nhs-number';
const [order, patient, practitioner] = EXAMPLE_RESPONSE.contained;
const RESOURCE: Resource = {
  ...EXAMPLE_RESPONSE,
  contained: [
    { ...order, identifier: [{ system: 'urn:orders', value: 'O,1' }] },
    { ...patient, identifier: [{ system: NHS, value: '9434765919' }] },
    practitioner,
  ],
  identifier: [{ system: 'urn:responses', value: 'A|1', type: { text: 'Filler number' } }],
  fulfillment: [{ reference: 'DiagnosticReport/12/_history/3' }, { display: 'A phone call' }],
};
const ENTRIES = [
  ...versionEntries('0197-a', '2026-11-21T09:30:00.123+00:00'),
  ...entriesOf(RESOURCE, SEARCH.parameters),
];

function parse(query: string, isLenient = false) {
  const form = { format: 'json', isPretty: false, contentType: '' } as const;
  const request = { query, isLenient, form, formIssue: undefined };
  return parseSearchQuery(request, DEFINITION, CONTEXT);
}

function isMatch(query: string): boolean {
  return parse(query).query.criteria.every((criterion) => matches(criterion, ENTRIES));
}

const CASES: Readonly<Record<string, { matching: readonly string[]; others: readonly string[] }>> =
  {
    _id: { matching: ['0197-a', 'x,0197-a'], others: ['0197-A', '0197'] },
    '_id:not': { matching: ['x'], others: ['0197-a', 'x,0197-a'] },
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
      matching: ['completed', 'http://hl7.org/fhir/order-status|completed', 'accepted,completed'],
      others: ['accepted', '|completed', 'urn:x|completed'],
    },
    'code:not': { matching: ['accepted'], others: ['completed', 'accepted,completed'] },
    fulfillment: {
      matching: ['12', 'DiagnosticReport/12', 'https://here.test/fhir/DiagnosticReport/12'],
      others: ['Order/12', 'https://there.test/fhir/DiagnosticReport/12', '13'],
    },
    'fulfillment:DiagnosticReport': { matching: ['12'], others: ['13'] },
    'fulfillment:Order': { matching: [], others: ['12'] },
    'request.identifier': { matching: ['O%5C,1', 'urn:orders|O%5C,1'], others: ['O,1', 'A%5C|1'] },
    'request:Order.identifier': { matching: ['O%5C,1'], others: ['A%5C|1'] },
    'request.patient': { matching: ['%23pat'], others: ['pat', '%23order'] },
    'request.patient.identifier': {
      matching: ['9434765919', `${NHS}|9434765919`, `${NHS}|`],
      others: ['9434765918', '|9434765919', '1234DEF'],
    },
    'request:Order.patient:Patient.identifier': { matching: ['9434765919'], others: ['1'] },
    'request.patient:Patient.identifier:missing': { matching: ['false'], others: ['true'] },
    'request.identifier:missing': { matching: ['false'], others: ['true'] },
    'who.identifier': { matching: ['123455'], others: ['9434765919'] },
  };

describe('an order response is found', () => {
  for (const [name, { matching, others }] of Object.entries(CASES)) {
    it(`by ${name}`, () => {
      for (const value of matching) assert.ok(isMatch(`${name}=${value}`), value);
      for (const value of others) assert.ok(!isMatch(`${name}=${value}`), value);
    });
  }

  it('only if every parameter matches', () => {
    assert.ok(isMatch('code=completed&date=2017&date=ge2017-06'));
    assert.ok(!isMatch('code=completed&date=2017&date=ge2017-07'));
    assert.ok(isMatch(''));
  });

  it('without the reference to a patient if the subject has another type', () => {
    const [, , prac] = RESOURCE.contained as readonly object[];
    const group = { resourceType: 'Group', id: 'pat', type: 'person', actual: true };
    const other = { ...RESOURCE, contained: [order, group, prac] } as Resource;
    const entries = entriesOf(other, SEARCH.parameters);
    const fields = new Set(entries.map(({ field }) => field));
    assert.ok(!fields.has('request.patient') && fields.has('request'));
  });
});

describe('a search of order responses is refused', () => {
  const cases: readonly [query: string, problem: RegExp][] = [
    ['status=completed', /Unknown search parameter "status"/],
    ['code:exact=completed', /Unknown search parameter "code:exact"/],
    ['request:Patient=1', /Unknown search parameter "request:Patient"/],
    ['request:Patient.identifier=1', /Unknown search parameter "request:Patient.identifier"/],
    ['request.patient.name=x', /Unknown search parameter/],
    ['date=yesterday', /date is invalid/],
    ['date:missing=1', /date:missing must be true or false/],
    ['identifier=', /is not understood/],
    ['identifier=a|b|c', /identifier "a\|b\|c" is not understood/],
    ['identifier:text=', /identifier:text is empty/],
    ['request=', /reference is empty/],
    ['_sort=status', /_sort cannot be "status"/],
    ['_sort:up=date', /Unknown search parameter "_sort:up"/],
    ['_summary=all', /_summary cannot be "all"/],
    ['_elements=', /_elements cannot be ""/],
    ['_summary=text&_elements=date', /_summary or _elements, but not both/],
    ['_elements=date&_summary=data', /_summary or _elements, but not both/],
    ['_count=101', /between 0 and 100/],
    ['_count=1&_count=2', /_count can be given only once/],
    ['_result=1', /Follow the links/],
    ['_offset=x', /_offset must be a whole number/],
  ];
  for (const [query, problem] of cases) {
    it(`for ${query}`, () => {
      assert.throws(
        () => parse(query),
        (error) => error instanceof FhirError && problem.test(error.issues[0].diagnostics),
      );
    });
  }
});

it('a search has options in the form of DSTU2', () => {
  const { sort, summary, count, elements } = parse('_sort:desc=date&_sort=_id&_elements=date,who');
  assert.deepEqual(sort, [
    { field: 'date', isDescending: true },
    { field: '_id', isDescending: false },
  ]);
  assert.deepEqual([summary, count, elements], ['false', 20, ['date', 'who']]);
  const counted = parse('_summary=count');
  assert.deepEqual([counted.isCountOnly, counted.count], [true, 0]);
  const lenient = parse('status=x&code=completed', true);
  assert.deepEqual([lenient.hasIgnored, lenient.pairs.length], [true, 1]);
});
