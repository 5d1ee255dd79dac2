/** The alternatives of a search value: they are counted before they are split. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countAlternatives, parseAlternatives } from '../../../src/fhir/search/parsed.ts';
import { fc } from '../../property.ts';

it('the count is that of the split value, with any escapes', () => {
  const values = fc.string({ unit: fc.constantFrom(',', '\\', '|', '$', 'a'), maxLength: 30 });
  fc.assert(
    fc.property(values, (value) => {
      assert.equal(countAlternatives(value), parseAlternatives(value).length);
    }),
  );
});
