/** The texts around the markers of an encoded shape. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markerOf, splitAtMarkers } from '../../src/directory/record/shape.ts';
import { fc } from '../property.ts';

describe('an encoded shape', () => {
  it('is split at its markers only, whatever characters its other texts have', () => {
    const character = fc.constantFrom('\ue000', '\ue001', '\ue002', '-', '0', '17', 'A');
    const text = fc.string({ unit: fc.oneof(character, fc.integer().map(markerOf)) });
    fc.assert(
      fc.property(text, (encoded) => {
        const parts = encoded.split(/[\ue000\ue002](-?[0-9]+)\ue001/);
        assert.deepEqual(splitAtMarkers(encoded), {
          texts: parts.filter((_, at) => at % 2 === 0),
          slots: parts.filter((_, at) => at % 2 === 1).map(Number),
        });
      }),
    );
  });

  it('ends where a marker lacks its beginning or its number', () => {
    for (const encoded of [
      'a\ue001b',
      '\ue001',
      '1\ue001',
      '\ue000\ue001',
      '\ue000-\ue001',
      '-1\ue001',
    ]) {
      assert.deepEqual(splitAtMarkers(encoded), { texts: [encoded], slots: [] });
    }
    const after = `${markerOf(3)}1\ue001`;
    assert.deepEqual(splitAtMarkers(after), { texts: ['', '1\ue001'], slots: [3] });
  });
});
