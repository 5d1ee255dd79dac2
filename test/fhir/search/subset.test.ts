/** The parts of a resource that `_summary` and `_elements` leave. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DSTU2 } from '../../../src/fhir/definitions/fhir-version.ts';
import { isObject, type Resource } from '../../../src/fhir/format/resource.ts';
import { type SubsetOptions, subsetOf } from '../../../src/fhir/search/subset.ts';
import { EXAMPLE_RESPONSE } from '../../../src/orders/order-response/example.ts';
import { storedSearchOf } from '../../../src/orders/order-response/search-parameters.ts';

const SEARCH = storedSearchOf('OrderResponse');

const { resourceType, ...rest } = EXAMPLE_RESPONSE;
const RESOURCE: Resource = {
  resourceType,
  id: 'a',
  meta: { versionId: '1', tag: [{ code: 'own' }] },
  text: { status: 'generated', div: '<div/>' },
  ...rest,
  description: 'Reviewed',
  _description: { id: 'd' },
};

const CASES: readonly [
  title: string,
  options: Pick<SubsetOptions, 'summary' | 'elements'>,
  names: string,
  contained: readonly string[],
][] = [
  [
    'a summary',
    { summary: 'true', elements: undefined },
    'resourceType id meta contained request date who orderStatus description _description',
    ['order', 'pat', 'prac'],
  ],
  [
    'the text',
    { summary: 'text', elements: undefined },
    'resourceType id meta text contained request orderStatus',
    ['order', 'pat'],
  ],
  [
    'the data',
    { summary: 'data', elements: undefined },
    'resourceType id meta contained request date who orderStatus description _description',
    ['order', 'pat', 'prac'],
  ],
  [
    'the named elements',
    { summary: 'false', elements: ['description', 'nothing'] },
    'resourceType id meta contained request orderStatus description _description',
    ['order', 'pat'],
  ],
];

for (const [title, options, names, contained] of CASES) {
  it(`${title} of a resource has required elements, and contained resources that are referred to`, () => {
    const subset = subsetOf(RESOURCE, options, SEARCH.summaryElements, DSTU2);
    assert.deepEqual(Object.keys(subset).join(' '), names);
    const ids = Array.isArray(subset.contained) ? subset.contained.filter(isObject) : [];
    assert.deepEqual(
      ids.map(({ id }) => id),
      contained,
    );
    const { tag } = isObject(subset.meta) ? subset.meta : {};
    const codes = Array.isArray(tag) ? tag.filter(isObject).map(({ code }) => code) : [];
    assert.deepEqual(codes, ['own', 'SUBSETTED']);
  });
}

it('a whole resource is not marked', () => {
  const options = { summary: 'false', elements: undefined } as const;
  assert.equal(subsetOf(RESOURCE, options, [], DSTU2), RESOURCE);
});
