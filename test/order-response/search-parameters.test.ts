/** What order responses are found by: each parameter with values that match, and values that do not. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Resource } from '../../src/fhir/format/resource.ts';
import { FhirError } from '../../src/fhir/request/fhir-error.ts';
import { matches } from '../../src/fhir/search/criterion.ts';
import { parseSearchQuery } from '../../src/fhir/search/parse-search-query.ts';
import { entriesOf, versionEntries } from '../../src/fhir/search/resource-parameter.ts';
import { resourceSearchDefinition } from '../../src/fhir/search/resource-search.ts';
import { storedSearchOf } from '../../src/orders/order-response/search-parameters.ts';
import { REFUSED_SEARCHES, SEARCH_CASES, SEARCHED } from './search-cases.ts';

const SEARCH = storedSearchOf('OrderResponse');
const DEFINITION = resourceSearchDefinition(SEARCH);

const CONTEXT = { baseUrl: 'https://here.test/fhir' };
const ID = '0197-a';
const ENTRIES = [
  ...versionEntries(ID, '2026-11-21T09:30:00.123+00:00'),
  ...entriesOf(SEARCHED, SEARCH.parameters),
];

function parse(query: string, isLenient = false) {
  const form = { format: 'json', isPretty: false, contentType: '' } as const;
  const request = { query, isLenient, form, formIssue: undefined };
  return parseSearchQuery(request, DEFINITION, CONTEXT);
}

function isMatch(query: string): boolean {
  const filled = query.replaceAll('{id}', ID).replaceAll('{base}', CONTEXT.baseUrl);
  return parse(filled).query.criteria.every((criterion) => matches(criterion, ENTRIES));
}

describe('an order response is found', () => {
  for (const [name, { matching, others }] of Object.entries(SEARCH_CASES)) {
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
    const [order, , prac] = SEARCHED.contained as readonly object[];
    const group = { resourceType: 'Group', id: 'pat', type: 'person', actual: true };
    const other = { ...SEARCHED, contained: [order, group, prac] };
    const entries = entriesOf(other as Resource, SEARCH.parameters);
    const fields = new Set(entries.map(({ field }) => field));
    assert.ok(!fields.has('request.patient') && fields.has('request'));
  });
});

describe('a search of order responses is refused', () => {
  for (const [query, problem] of REFUSED_SEARCHES) {
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
