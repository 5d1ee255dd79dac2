/** References: the index entries of elements, and the values that clients search for. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  matchesReference,
  parseReference,
  referencedType,
  referenceEntries,
} from '../../../src/fhir/search/reference.ts';

const OPTIONS = { types: ['Order', 'Patient'], baseUrl: 'https://here.test/fhir' };

describe('the entry of a reference', () => {
  const cases: readonly [reference: string, prefix: string, id: string, type?: string][] = [
    ['Order/7', 'Order/', '7', 'Order'],
    ['Order/7/_history/2', 'Order/', '7', 'Order'],
    ['https://a.test/Order/7', 'https://a.test/Order/', '7', 'Order'],
    ['#order', '#', 'order'],
    ['urn:uuid:1-2', '', 'urn:uuid:1-2'],
    ['https://a.test/', 'https://a.test/', ''],
    ['#', '#', ''],
  ];
  for (const [reference, prefix, id, type] of cases) {
    test(reference, () => {
      const [entry, ...others] = referenceEntries({ reference });
      assert.deepEqual([entry, others], [{ prefix, id }, []]);
      assert.equal(referencedType({ prefix, id }), type);
    });
  }

  test('is absent without a reference', () => {
    for (const element of [{ display: 'An order' }, { reference: '' }, 'Order/7', undefined]) {
      assert.deepEqual(referenceEntries(element), []);
    }
  });
});

describe('the value of a reference parameter', () => {
  const cases: readonly [text: string, found: readonly string[], others: readonly string[]][] = [
    [
      '7',
      ['Order/7', 'Patient/7', 'https://here.test/fhir/Order/7', 'Order/7/_history/1'],
      ['Device/7', 'https://there.test/fhir/Order/7', '#7', 'Order/8', 'urn:7'],
    ],
    [
      'Order/7',
      ['Order/7', 'https://here.test/fhir/Order/7'],
      ['Patient/7', 'https://a.test/Order/7'],
    ],
    [
      'https://here.test/fhir/Order/7',
      ['Order/7', 'https://here.test/fhir/Order/7'],
      ['Patient/7'],
    ],
    ['https://a.test/Order/7', ['https://a.test/Order/7'], ['Order/7', 'https://b.test/Order/7']],
    ['https://here.test/fhir/x/y', ['https://here.test/fhir/x/y'], ['x/y']],
    ['#order', ['#order'], ['Order/order', 'order']],
    ['urn:uuid:1', ['urn:uuid:1'], ['urn:uuid:2']],
  ];
  for (const [text, found, others] of cases) {
    test(`"${text}"`, () => {
      const parsed = parseReference([text], OPTIONS);
      assert.ok('value' in parsed);
      const isFound = (reference: string) =>
        referenceEntries({ reference }).some((entry) => matchesReference(entry, parsed.value));
      assert.deepEqual([...found, ...others].filter(isFound), found);
    });
  }

  test('is refused if it is empty', () => {
    assert.ok('issues' in parseReference([''], OPTIONS));
  });
});
