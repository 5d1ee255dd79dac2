/** The rules of the search parameters, case by case, over a handful of organisations. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DirectoryCriterion,
  ORGANIZATION_COLUMNS,
  openOrganizationIndex,
  postalCodeBeginning,
  type StringField,
  type TokenField,
} from '../../../src/directory/index/organization-index.ts';
import { buildIndex } from '../../../src/directory/index/search-index.ts';
import { type DatePrefix, dateEntries } from '../../../src/fhir/search/date.ts';
import type { StringMatch } from '../../../src/fhir/search/string.ts';
import { recordOf } from './record-of.ts';

const records = [
  recordOf({
    code: 'A1',
    name: 'LEEDS TEACHING HOSPITALS NHS TRUST',
    city: 'LEEDS',
    postalCode: 'LS6 4JN',
    roles: ['197', '57'],
    lastUpdated: '2017-04-02',
  }),
  recordOf({
    code: 'A2',
    name: "ST MARY'S LEEDSTOWN SURGERY",
    city: 'PETERBOROUGH',
    postalCode: 'LS11 5AB',
    roles: ['177', '76', '76'],
    lastUpdated: '2017-04-01',
    isActive: false,
  }),
  recordOf({ code: 'A3', name: 'Leeds', city: 'Pontrhydfendigaid', postalCode: 'LS1 1UR' }),
  recordOf({ code: 'RTG', name: 'CAFÉ STRAßE', city: "BISHOP'S STORTFORD", postalCode: 'ls64jn' }),
  recordOf({ code: 'a1', name: 'LEEDS', city: 'SUNDERLAND', roles: ['76', '76', '177'] }),
  recordOf({ code: 'x9' }),
];
const index = openOrganizationIndex(
  buildIndex(ORGANIZATION_COLUMNS, records.length, (row) => records[row]!),
);

const string = (
  field: StringField,
  match: StringMatch,
  ...values: string[]
): DirectoryCriterion => ({
  type: 'string',
  field,
  match,
  values,
});
const token = (field: TokenField, ...codes: string[]): DirectoryCriterion => ({
  type: 'token',
  field,
  values: codes.map((code) => ({ code })),
});
const code = (value: string, ignoreCase: boolean): DirectoryCriterion => ({
  type: 'token',
  field: 'code',
  values: [{ code: value }],
  ...(ignoreCase && { ignoreCase }),
});
const changed = (prefix: DatePrefix, ...dates: string[]): DirectoryCriterion => ({
  type: 'date',
  field: 'lastUpdated',
  values: dates.flatMap(dateEntries).map((period) => ({ prefix, ...period })),
});

const cases: readonly [title: string, criteria: readonly DirectoryCriterion[], codes: string][] = [
  ['no criteria find every organisation', [], 'A1 A2 A3 RTG a1 x9'],
  ['_id is exact', [code('A1', false)], 'A1'],
  ['_id does not ignore case', [code('rtg', false)], ''],
  ['identifier ignores case and finds all such codes', [code('a1', true)], 'A1 a1'],
  ['identifier takes nothing but a letter for a letter', [code('A\u0011', true)], ''],
  ['a name starts with the text, in any case', [string('name', 'startsWith', 'leEds')], 'A1 A3 a1'],
  [
    'a name does not start with what stands within it',
    [string('name', 'startsWith', 'surgery')],
    '',
  ],
  ['a value is not trimmed', [string('name', 'startsWith', 'Leeds ')], 'A1'],
  ['white space counts as one space', [string('name', 'startsWith', 'leeds \t teach')], 'A1'],
  ['name:contains finds any part', [string('name', 'contains', 'Leeds')], 'A1 A2 A3 a1'],
  [
    'name:contains does not run from one name into the next',
    [string('name', 'contains', 'trustleeds')],
    '',
  ],
  ['name:exact keeps to case', [string('name', 'exact', 'LEEDS')], 'a1'],
  ['name:exact finds mixed case as it is', [string('name', 'exact', 'Leeds')], 'A3'],
  ['name:exact finds nothing in a case that no name has', [string('name', 'exact', 'leeds')], ''],
  ['name:exact wants the whole name', [string('name', 'exact', 'LEEDS TEACHING')], ''],
  ['accents make no difference', [string('name', 'startsWith', 'cafe')], 'RTG'],
  ['ß is ss', [string('name', 'contains', 'STRASSE')], 'RTG'],
  ['an accent makes a difference to :exact', [string('name', 'exact', 'CAFE STRAßE')], ''],
  ['alternatives are united', [string('name', 'startsWith', 'cafe', 'st mary')], 'A2 RTG'],
  ['LS64JN finds LS6 4JN', [string('postalCode', 'startsWith', 'LS64JN')], 'A1 RTG'],
  ['LS6 4JN finds LS64JN', [string('postalCode', 'startsWith', 'LS6 4JN')], 'A1 RTG'],
  ['LS1 1 does not find LS11 5AB', [string('postalCode', 'startsWith', 'LS1 1')], 'A3'],
  ['LS11 does not find LS1 1UR', [string('postalCode', 'startsWith', 'LS11')], 'A2'],
  ['LS115 finds LS11 5AB', [string('postalCode', 'startsWith', 'LS115')], 'A2'],
  ['LS11U can only be LS1 1U', [string('postalCode', 'startsWith', 'LS11U')], 'A3'],
  ['a part of LS1 1UR is not LS11U', [string('postalCode', 'contains', 'LS11U')], ''],
  ['the beginning LS1', [postalCodeBeginning('ls1')], 'A2 A3'],
  ['the beginning LS11, with and without a space', [postalCodeBeginning('LS11')], 'A2 A3'],
  ['the beginning LS1 1', [postalCodeBeginning('LS1 1')], 'A3'],
  ['the beginning LS1 with a space after it', [postalCodeBeginning('LS1 ')], 'A3'],
  ['the beginning of a postcode without a space', [postalCodeBeginning('LS6 4J')], 'A1'],
  ['the beginning LS64J', [postalCodeBeginning('LS64J')], 'A1 RTG'],
  ['a space where no postcode has it', [postalCodeBeginning(' l s6')], 'A1 RTG'],
  ['a part of LS1 1UR is not LS11', [string('postalCode', 'contains', 'S11')], 'A2'],
  ['LS1 finds LS1 1UR and LS11 5AB', [string('postalCode', 'contains', 'S1')], 'A2 A3'],
  ['LS11UR is a whole postcode', [string('postalCode', 'contains', 'LS11UR')], 'A3'],
  ['one character is found everywhere', [string('postalCode', 'contains', '4')], 'A1 RTG'],
  ['a part with a space is sought as it is', [string('postalCode', 'contains', '6 4')], 'A1'],
  ['a part without a space does not span it', [string('postalCode', 'contains', '64')], 'RTG'],
  ['address-postalcode:exact keeps the space', [string('postalCode', 'exact', 'LS64JN')], ''],
  ['address-postalcode:exact finds the whole', [string('postalCode', 'exact', 'LS6 4JN')], 'A1'],
  ['a city starts with the text', [string('city', 'startsWith', 'Peter')], 'A2'],
  ['address-city:contains finds any part', [string('city', 'contains', 'land')], 'a1'],
  ['address-city:exact keeps to case', [string('city', 'exact', 'Leeds')], ''],
  ['address-city:exact finds the whole', [string('city', 'exact', 'LEEDS')], 'A1'],
  ['a role is found, primary or not', [token('role', '76')], 'A2 a1'],
  ['one of several roles is enough', [token('role', '197', '76')], 'A1 A2 a1'],
  ['repeated role parameters must all hold', [token('role', '76'), token('role', '177')], 'A2 a1'],
  ['a role that no organisation has finds nothing', [token('role', '99999')], ''],
  ['primary keeps those whose primary role it is', [token('primaryRole', '76')], 'a1'],
  ['not primary keeps those who have it beside', [token('otherRole', '76', '177')], 'A2 a1'],
  ['a primary role held again beside it is one beside', [token('otherRole', '76')], 'A2 a1'],
  ['active', [token('active', 'false')], 'A2'],
  ['changed at the very time counts', [changed('ge', '2017-04-02')], 'A1 A3 RTG a1 x9'],
  [
    'of several times the earliest decides',
    [changed('ge', '2030-01-01', '2017-04-01')],
    'A1 A2 A3 RTG a1 x9',
  ],
  [
    'criteria all hold',
    [string('name', 'contains', 'leeds'), token('role', '177'), changed('ge', '2018-01-01')],
    'A3 a1',
  ],
  [
    'criteria of one field all hold',
    [changed('ge', '2017-01-01'), changed('ge', '2017-04-01')],
    'A1 A2 A3 RTG a1 x9',
  ],
  [
    'one beginning within another decides',
    [string('name', 'startsWith', 'leeds'), string('name', 'startsWith', 'Leeds t')],
    'A1',
  ],
  [
    'two beginnings that differ find nothing',
    [string('name', 'startsWith', 'leeds'), string('name', 'startsWith', 'st')],
    '',
  ],
  [
    'nothing is left when one criterion finds nothing',
    [string('name', 'contains', 'leeds'), token('role', '1')],
    '',
  ],
];

for (const [title, criteria, codes] of cases) {
  test(title, () => {
    const { total, rows } = index.search({ criteria }, 0, 20);
    assert.equal(rows.map((row) => index.codeOf(row)).join(' '), codes);
    assert.equal(total, rows.length);
  });
}

test('a page begins at its offset and ends at its limit, the total stays', () => {
  const query = { criteria: [string('name', 'contains', 'leeds')] };
  assert.deepEqual(index.search(query, 1, 2), { total: 4, rows: [1, 2] });
  assert.deepEqual(index.search(query, 3, 2), { total: 4, rows: [4] });
  assert.deepEqual(index.search(query, 4, 2), { total: 4, rows: [] });
  assert.deepEqual(index.search(query, 0, 0), { total: 4, rows: [] });
});

test('many rows are read in order, for any kind of criterion', () => {
  const rowCount = 40_000;
  const large = openOrganizationIndex(
    buildIndex(ORGANIZATION_COLUMNS, rowCount, (row) =>
      recordOf({
        code: row.toString(36).padStart(4, '0'),
        name: row % 50 === 0 ? `Health Clinic ${row % 7}` : `SURGERY ${row % 11}`,
        isActive: row % 3 !== 0,
      }),
    ),
  );
  const criteria: DirectoryCriterion[] = [
    string('name', 'startsWith', 'health'),
    token('active', 'true'),
  ];
  const expected = Array.from({ length: rowCount }, (_, row) => row).filter(
    (row) => row % 50 === 0 && row % 3 !== 0,
  );
  const page = (offset: number, limit: number) => large.search({ criteria }, offset, limit);
  assert.deepEqual(page(0, 1000), { total: expected.length, rows: expected });
  assert.deepEqual(page(500, 20), { total: expected.length, rows: expected.slice(500, 520) });
});

test('few rows are tested one by one against criteria that find many', () => {
  const rowCount = 40_000;
  const isOne = (row: number) => row % 40 === 0;
  const codeOf = (row: number) => row.toString(36).padStart(4, '0');
  const large = openOrganizationIndex(
    buildIndex(ORGANIZATION_COLUMNS, rowCount, (row) =>
      recordOf({
        code: codeOf(row),
        ...(row % 3 !== 1 && { name: isOne(row) ? `HEALTH CLINIC ${row % 7}` : 'SURGERY' }),
        ...(row % 3 !== 2 && { city: isOne(row) ? `LEEDS ${row % 9}` : `YORK ${row % 17}` }),
        roles: isOne(row) ? ['76', '57'] : ['177'],
      }),
    ),
  );
  const rows = [3, 119, 120, 160, 200, 39_960];
  const few: DirectoryCriterion = token('code', ...rows.map(codeOf));
  const cases: readonly [criterion: DirectoryCriterion, rows: readonly number[]][] = [
    [string('name', 'contains', 'linic'), [120, 200, 39_960]],
    [string('city', 'contains', 'eeds'), [120, 160, 39_960]],
    [token('role', '57'), [120, 160, 200, 39_960]],
    [token('role', '57', '177'), rows],
    [string('name', 'contains', 'linic', 'no such name'), [120, 200, 39_960]],
  ];
  for (const [criterion, expected] of cases) {
    const { total, rows } = large.search({ criteria: [criterion, few] }, 0, 20);
    assert.deepEqual({ total, rows }, { total: expected.length, rows: expected });
  }
});

test('rows of many cities are each found once', () => {
  const rowCount = 40_000;
  const cityOf = (row: number) => `${row % 5 === 0 ? 'LEE LEEDS' : 'YORK'} ${row % 700}`;
  const large = openOrganizationIndex(
    buildIndex(ORGANIZATION_COLUMNS, rowCount, (row) =>
      recordOf({ code: row.toString(36).padStart(4, '0'), city: cityOf(row) }),
    ),
  );
  for (const part of ['lee', 'ee', 'e', 'eeds 69']) {
    const query = { criteria: [string('city', 'contains', part)] };
    const { total, rows } = large.search(query, 10, 5);
    const expected = Array.from({ length: rowCount }, (_, row) => row).filter((row) =>
      cityOf(row).toLowerCase().includes(part),
    );
    assert.deepEqual({ total, rows }, { total: expected.length, rows: expected.slice(10, 15) });
  }
});

test('the first rows are found late in a list, and in two lists', () => {
  const rowCount = 40_000;
  const large = openOrganizationIndex(
    buildIndex(ORGANIZATION_COLUMNS, rowCount, (row) =>
      recordOf({
        code: row.toString(36).padStart(4, '0'),
        name: row < 30_000 ? 'SURGERY' : `HEALTH CLINIC ${row % 11}`,
        isActive: row % 160 < 100,
        roles: row % 80 === 0 ? ['76', '57'] : row % 80 === 40 ? ['57', '76'] : ['177'],
      }),
    ),
  );
  const rows = Array.from({ length: rowCount }, (_, row) => row);
  const search = (...criteria: DirectoryCriterion[]) => large.search({ criteria }, 10, 20);
  const page = (found: number[]) => ({ total: found.length, rows: found.slice(10, 30) });
  assert.deepEqual(
    search(string('name', 'startsWith', 'health')),
    page(rows.filter((row) => row >= 30_000)),
  );
  const withRole = rows.filter((row) => row % 40 === 0);
  assert.deepEqual(search(token('role', '57')), page(withRole));
  assert.deepEqual(
    search(token('role', '57'), token('active', 'true')),
    page(withRole.filter((row) => row % 160 < 100)),
  );
});

test('a code is found by its row and a row by its code', () => {
  assert.equal(index.count, records.length);
  for (const [row, { code }] of records.entries()) {
    assert.equal(index.rowOf(code), row);
    assert.equal(index.codeOf(row), code);
  }
  for (const code of ['', 'A', 'A11', 'rtg', '\u0141\u0131']) {
    assert.equal(index.rowOf(code), undefined, code);
  }
});

test('a directory of no organisations answers', () => {
  const none = openOrganizationIndex(
    buildIndex(ORGANIZATION_COLUMNS, 0, () => assert.fail('there is no record')),
  );
  for (const [, criteria] of cases) {
    assert.deepEqual(none.search({ criteria }, 0, 20), { total: 0, rows: [] });
  }
  assert.equal(none.rowOf('A1'), undefined);
});

test('an index that lacks an array is refused by the name of the array', () => {
  const { 'name.order': _, ...rest } = buildIndex(ORGANIZATION_COLUMNS, 1, () => records[0]!);
  assert.throws(() => openOrganizationIndex(rest), /name\.order/);
});
