/** Postcodes as arrays: compared with a plain Map. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FoundPostcode } from '../../../src/directory/places/postcodes.ts';
import { openPostcodes } from '../../../src/directory/places/stored-postcodes.ts';
import { fc } from '../../property.ts';
import { postcodeFile, storedPostcodes, type TestPostcode } from './postcode-rows.ts';

const letter = fc.constantFrom(...'ABEZ');
const outward = fc.oneof(
  fc.constantFrom('LS1', 'LS10', 'EC1A', 'M1', 'W1A', 'GIR', 'NPT', 'ZE1'),
  fc.tuple(letter, fc.nat(99)).map(([first, number]) => `${first}${number}`),
);
const inward = fc
  .tuple(fc.nat(9), letter, letter)
  .map(([digit, second, third]) => `${digit}${second}${third}`);
const millionths = (min: number, max: number) =>
  fc.integer({ min: min * 1e6, max: max * 1e6 }).map((value) => value / 1e6);
const area = fc.constantFrom('', 'E08000035', 'E54000054', 'S12000036');
const months = ['', '197001', '201903', '202612'];

const rows = fc.uniqueArray(
  fc.record({
    postcode: fc.tuple(outward, inward).map((parts) => parts.join(' ')),
    position: fc.option(
      fc
        .tuple(millionths(49, 61.5), millionths(-9.5, 2.5))
        .map(([latitude, longitude]) => ({ latitude, longitude })),
      { nil: undefined },
    ),
    areas: fc.record({ localAuthority: area, icb: area, country: area }),
    terminated: fc.constantFrom(...months),
  }),
  {
    selector: ({ postcode }) => postcode,
    maxLength: 200,
  },
);

function expected({
  postcode,
  position,
  areas = {},
  terminated = '',
}: TestPostcode): FoundPostcode {
  const named = Object.entries(areas).filter(([, code]) => code !== '');
  return {
    postcode,
    ...(position && { position }),
    areas: Object.fromEntries(named.map(([kind, code]) => [kind, { code }])),
    ...(terminated !== '' && { terminated: `${terminated.slice(0, 4)}-${terminated.slice(4)}` }),
  };
}

describe('stored postcodes', () => {
  it('answer as a Map of the same postcodes does, in any order and spelling', () => {
    fc.assert(
      fc.property(rows, fc.array(fc.tuple(outward, inward), { maxLength: 50 }), (all, others) => {
        const file = postcodeFile(all);
        const oracle = new Map(all.map((row) => [row.postcode, expected(row)]));
        const asked = [...oracle.keys(), ...others.map((parts) => parts.join(' '))];
        for (const postcode of asked) {
          assert.deepEqual(file.find(postcode), oracle.get(postcode));
          const written = ` ${postcode.toLowerCase().replace(' ', '')}  `;
          assert.deepEqual(file.find(written), oracle.get(postcode));
          assert.deepEqual(file.positionOf(written), oracle.get(postcode)?.position);
        }
        assert.equal(file.about.postcodes, all.length);
      }),
    );
  });

  it('keep the grid reference of the file, which differs by metres from that of the position', () => {
    const position = { latitude: 53.7962, longitude: -1.5478 };
    const references = [
      { grid: { easting: 429_890, northing: 433_430 }, isKept: true },
      { grid: { easting: 429_895, northing: 433_420 }, isKept: true },
      // Of another grid, as that of Ireland is.
      { grid: { easting: 146_000, northing: 529_000 }, isKept: false },
      { grid: { easting: Number.NaN, northing: 433_430 }, isKept: false },
    ];
    for (const { grid, isKept } of references) {
      const found = postcodeFile([{ postcode: 'LS1 4AP', position, grid }]).find('LS1 4AP');
      assert.deepEqual(found?.grid, isKept ? grid : undefined);
    }
  });

  it('refuse a postcode that comes twice, and say where', () => {
    const twice = [{ postcode: 'LS1 4AP' }, { postcode: 'M1 1AA' }, { postcode: 'LS1 4AP' }];
    assert.throws(() => postcodeFile(twice), {
      name: 'SourceError',
      message: /^The postcode LS1 4AP is in the file twice, as postcodes 1 and 3\. /,
    });
  });

  it('find nothing for a text that is not a postcode', () => {
    const file = postcodeFile([{ postcode: 'LS1 4AP' }]);
    const texts = ['', 'LS1', '4AP', 'LS1 4AP1', 'LS1-4AP', `LS1${' '.repeat(1000)}4AP`, '٤'];
    for (const text of texts) assert.equal(file.find(text), undefined, text);
  });
});

describe('the areas of postcodes', () => {
  const organisations = fc.constantFrom('QWO', 'QOP', undefined);
  const CODES = ['E08000035', 'E54000054', 'S12000036'];

  it('are found by the code of their organisation, or by their own', () => {
    const names = fc.tuple(organisations, organisations, organisations);
    fc.assert(
      fc.property(rows, names, fc.boolean(), (all, odsCodes, isOlder) => {
        const named = Object.fromEntries(
          CODES.flatMap((code, i) => {
            const odsCode = odsCodes[i];
            return odsCode === undefined ? [] : [[code, { odsCode }]];
          }),
        );
        const stored = storedPostcodes(all, named);
        // Earlier versions of the program stored no order.
        const { 'area-order': _, ...older } = stored.arrays;
        const { areas } = openPostcodes(isOlder ? { ...stored, arrays: older } : stored);
        const listed = Array.from({ length: areas.count }, (_, place) => areas.at(place));
        const oracle = new Map(listed.map((area) => [area.odsCode ?? area.code, area]));
        for (const code of [...CODES, 'QWO', 'QOP', 'QAA', 'Z']) {
          assert.deepEqual(areas.find(code), oracle.get(code));
        }
      }),
    );
  });
});
