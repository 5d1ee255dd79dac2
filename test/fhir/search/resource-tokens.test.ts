/** The tokens that the repository indexes. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tokensOf } from '../../../src/fhir/search/resource-tokens.ts';

it('identifiers are found by their value, with or without a system', () => {
  const identifier = [
    { system: 'urn:a', value: '1' },
    { value: '2' },
    { system: 'urn:a' },
    { system: 'urn:a', value: '1 ', use: 'temp' },
  ];
  assert.deepEqual(tokensOf({ resourceType: 'OrderResponse', identifier }), [
    { parameter: 'identifier', system: 'urn:a', code: '1' },
    { parameter: 'identifier', code: '2' },
    { parameter: 'identifier', system: 'urn:a', code: '1 ' },
  ]);
  assert.deepEqual(tokensOf({ resourceType: 'OrderResponse' }), []);
});
