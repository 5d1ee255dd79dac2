/** The index is rebuilt if a search parameter makes other entries. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  type ResourceParameter,
  resourceDate,
  resourceReference,
  resourceToken,
} from '../../src/fhir/search/resource-parameter.ts';
import { IDENTIFIER_SEARCH } from '../../src/fhir/search/resource-search.ts';
import { indexFormOf } from '../../src/storage/repository/search-rows.ts';

const formOf = (...parameters: readonly ResourceParameter[]) =>
  indexFormOf(new Map([['OrderResponse', { ...IDENTIFIER_SEARCH, parameters }]]));

it('has another form if anything changes that decides the entries', () => {
  const declared = { name: 'a', path: ['x'], documentation: 'A parameter.' };
  const forms = [
    formOf(),
    formOf(resourceDate(declared)),
    formOf(resourceDate({ ...declared, name: 'b' })),
    formOf(resourceDate({ ...declared, path: ['x', 'y'] })),
    formOf(resourceToken(declared)),
    formOf(resourceToken({ ...declared, system: 'urn:s' })),
    formOf(resourceToken({ ...declared, hasTexts: true })),
    formOf(resourceReference({ ...declared, targets: ['Order'] })),
    formOf(resourceReference({ ...declared, targets: ['Device'] })),
    formOf(resourceReference({ ...declared, targets: ['Order'], describes: true })),
    formOf(resourceReference({ ...declared, targets: ['Order'], describes: 'b' })),
  ];
  assert.equal(new Set(forms).size, forms.length, forms.join('\n'));
});

it('has the same form if only the documentation or the accepted values change', () => {
  const declared = { name: 'a', path: ['x'], documentation: 'A parameter.' };
  const other = { ...declared, documentation: 'Another text.', codes: ['c'] };
  assert.equal(formOf(resourceToken(other)), formOf(resourceToken(declared)));
});
